package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Jobs that are submitted to a private Slurm as people would, and what becomes of them. */
final class SlurmTrial {

  private static final int POLL_MILLIS = 200;

  private final PrivateSlurm slurm;
  private final List<TrialJob> jobs;
  private final Duration limit;

  /** Makes a trial that has to be over within a time. */
  SlurmTrial(PrivateSlurm slurm, List<TrialJob> jobs, Duration limit) {
    this.slurm = slurm;
    this.jobs = List.copyOf(jobs);
    this.limit = limit;
  }

  /**
   * Submits all jobs at their times, and waits until all have ended.
   *
   * @return what became of them, in the order of their ends
   * @throws IOException if a command fails, or they have not all ended in time
   */
  List<TrialOutcome> run() throws IOException {
    long start = System.nanoTime();
    List<String> ids = new ArrayList<>();
    for (TrialJob job : jobs) {
      waitUntil(start + job.after().toNanos());
      ids.add(submit(job));
    }
    long end = System.nanoTime() + limit.toNanos();
    while (ended().size() < ids.size()) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "all %d jobs should have ended within %s, but %d had; still there:%n%s"
                .formatted(ids.size(), limit, ended().size(), slurm.run("squeue", "--long")));
      }
      waitUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
    return ended();
  }

  private String submit(TrialJob job) throws IOException {
    String seconds = Double.toString(job.time().toMillis() / 1000.0);
    return slurm
        .run(
            "sbatch",
            "--parsable",
            "--nodes=" + job.nodes(),
            "--gres=gpu:" + job.gpus(),
            "--time=1",
            "--output=/dev/null",
            "--comment=liquid.expected=" + (job.time().toSeconds() + 1) + "s",
            "--wrap=" + script(seconds))
        .strip();
  }

  /** Returns what a job does: it says when it begins and ends, and sleeps in between. */
  private String script(String seconds) {
    Path runs = slurm.history().resolveSibling("runs");
    String say = "echo %s $SLURM_JOB_ID $SLURM_RESTART_COUNT >> " + runs;
    return "%s; sleep %s; %s".formatted(say.formatted("begin"), seconds, say.formatted("end"));
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
