package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * Jobs that are submitted to a private Slurm as people would, and what becomes of them. A job is
 * known by its name: a Slurm that was killed may give an id again.
 */
final class SlurmTrial {

  private static final int POLL_MILLIS = 200;
  private static final int SELDOM_MILLIS = 5000;

  /** The number of listings, one after another, that do not show a job which was forgotten. */
  private static final int LISTINGS_UNTIL_FORGOTTEN = 25;

  private static final int TICK_MILLIS = 250;

  private static final String ASLEEP =
      """
      #!/bin/bash
      exec sleep $(($2 / 4)).$(($2 % 4 * 25))
      """;

  private final PrivateSlurm slurm;
  private final List<TrialJob> jobs;
  private final Duration limit;
  private final Path script;
  private final IntConsumer progress;
  private final int pollMillis;
  private final Map<String, Long> submitted = new LinkedHashMap<>();

  /** Makes a trial that has to be over within a time after its last submission. */
  SlurmTrial(PrivateSlurm slurm, List<TrialJob> jobs, Duration limit) throws IOException {
    this(slurm, jobs, limit, ended -> {});
  }

  /** Makes a trial that says how many jobs have ended. */
  SlurmTrial(PrivateSlurm slurm, List<TrialJob> jobs, Duration limit, IntConsumer progress)
      throws IOException {
    this(slurm, jobs, limit, progress, POLL_MILLIS);
    Files.writeString(script, script());
  }

  private SlurmTrial(
      PrivateSlurm slurm,
      List<TrialJob> jobs,
      Duration limit,
      IntConsumer progress,
      int pollMillis) {
    this.slurm = slurm;
    this.jobs = List.copyOf(jobs);
    this.limit = limit;
    this.progress = progress;
    this.pollMillis = pollMillis;
    script = slurm.history().resolveSibling("job.sh");
  }

  /** Makes a trial of many jobs that write nothing and are seldom looked at: it needs little. */
  static SlurmTrial asleep(PrivateSlurm slurm, List<TrialJob> jobs, Duration limit)
      throws IOException {
    SlurmTrial trial = new SlurmTrial(slurm, jobs, limit, ended -> {}, SELDOM_MILLIS);
    Files.writeString(trial.script, ASLEEP);
    return trial;
  }

  /** Returns the name of the job at a position, from 0. */
  static String name(int position) {
    return "t" + position;
  }

  /** Returns the position of the job of a name. */
  static int position(String name) {
    return Integer.parseInt(name.substring(1));
  }

  /**
   * Returns the file in which each job says every quarter of a second that it runs: "tick", its
   * name, Slurm's id of it, how often Slurm restarted it, its process and the time in seconds; and
   * in the end "end" and the same.
   */
  Path runs() {
    return script.resolveSibling("runs");
  }

  /** Returns when Slurm took each job, by its name, in nanoseconds of {@link System#nanoTime}. */
  Map<String, Long> submitted() {
    return submitted;
  }

  private String script() {
    return """
    #!/bin/bash
    for ((i = 0; i < $2; i++)); do
      echo "tick $1 $SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} $$ $EPOCHREALTIME" >> %1$s
      sleep 0.25
    done
    echo "end $1 $SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} $$ $EPOCHREALTIME" >> %1$s
    """
        .formatted(runs());
  }

  /**
   * Submits all jobs at their times, and waits until each has ended, or Slurm has forgotten it.
   *
   * @return what became of them, in the order of their ends
   * @throws IOException if a command fails, or they have not all ended in time
   */
  List<TrialOutcome> run() throws IOException {
    long start = System.nanoTime();
    Map<String, Integer> missing = new LinkedHashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      waitUntil(start + jobs.get(i).after().toNanos());
      String name = name(i);
      TrialJob job = jobs.get(i);
      slurm.await("'%s' is submitted".formatted(name), () -> isSubmitted(name, job));
      submitted.put(name, System.nanoTime());
      missing.put(name, 0);
    }
    long end = System.nanoTime() + limit.toNanos();
    while (!look(missing)) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "all %d jobs should have ended within %s, but %s have not; Slurm shows:%n%s%s%s"
                .formatted(
                    jobs.size(),
                    limit,
                    missing.keySet(),
                    slurm.run("squeue", "--long"),
                    slurm.run("sinfo", "--Node", "--long"),
                    slurm.run("scontrol", "show", "job")));
      }
      waitUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pollMillis));
    }
    return ended();
  }

  /** Takes out the jobs that have ended, and those that were forgotten; true if none is left. */
  private boolean look(Map<String, Integer> missing) throws IOException {
    missing.keySet().removeAll(names(ended()));
    if (missing.isEmpty()) {
      return true;
    }
    Optional<Set<String>> listed = listed();
    listed.ifPresent(
        names -> missing.replaceAll((name, looks) -> names.contains(name) ? 0 : looks + 1));
    missing.values().removeIf(looks -> looks >= LISTINGS_UNTIL_FORGOTTEN);
    progress.accept(jobs.size() - missing.size());
    return missing.isEmpty();
  }

  /** Returns the names of all jobs; empty if Slurm does not answer. */
  private Optional<Set<String>> listed() {
    try {
      return Optional.of(
          new HashSet<>(slurm.run("squeue", "--noheader", "--format=%j").lines().toList()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Set<String> names(List<TrialOutcome> outcomes) {
    return outcomes.stream().map(TrialOutcome::name).collect(Collectors.toSet());
  }

  /** Submits a job; false if Slurm does not answer. */
  private boolean isSubmitted(String name, TrialJob job) {
    try {
      submit(name, job);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void submit(String name, TrialJob job) throws IOException {
    long ticks = Math.max(1, job.time().toMillis() / TICK_MILLIS);
    List<String> command =
        new ArrayList<>(
            List.of(
                "sbatch",
                "--job-name=" + name,
                "--partition=" + job.partition(),
                "--nodes=" + job.nodes(),
                "--gres=gpu:" + job.gpus(),
                "--time=" + job.limit().toMinutes(),
                "--output=/dev/null"));
    command.addAll(job.options());
    command.addAll(List.of(script.toString(), name, Long.toString(ticks)));
    slurm.run(command.toArray(String[]::new));
  }

  private List<TrialOutcome> ended() throws IOException {
    return Files.exists(slurm.history()) ? TrialOutcome.read(slurm.history()) : List.of();
  }

  private static void waitUntil(long nanoTime) throws IOException {
    long left = nanoTime - System.nanoTime();
    try {
      if (left > 0) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
