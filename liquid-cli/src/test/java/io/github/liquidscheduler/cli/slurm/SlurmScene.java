package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real Slurm whose partitions a daemon decides for; both belong to a test. */
final class SlurmScene implements AutoCloseable {

  /** What the scheduler of {@code daemon("--backfill=easy")} is made of. */
  static final SchedulerMaker EASY =
      new SchedulerMaker(
          "fifo",
          "best-fit",
          Duration.ZERO,
          Optional.empty(),
          builder -> builder.backfill(Backfill.easy()));

  private static final Pattern EXPLAINED =
      Pattern.compile("setting admin_comment to .*liquid: .* for JobId=(\\S+)");

  private static final Pattern WRITES = Pattern.compile("REQUEST_UPDATE_JOB .*count:(\\d+)");

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path folder;
  private final Path config;
  private final PrivateSlurm slurm;

  private SlurmScene(Path folder, PrivateSlurm.Shape shape) throws IOException {
    this.folder = folder;
    Path own = Files.createDirectory(folder.resolve("slurm"));
    config = folder.resolve("liquid.json");
    Files.writeString(
        config,
        "{\"partitions\": [\"batch\", \"urgent\"], \"slurmConf\": \"%s\", \"priorities\": {\"partition\": {\"urgent\": 10}}}"
            .formatted(own.resolve("slurm.conf")));
    String plugin = SlurmPort.submitPlugin(SlurmConfig.read(config));
    slurm = PrivateSlurm.start(own, shape.with(plugin));
  }

  /** Starts Slurm in an empty folder; skips the test where it is not installed, but not in CI. */
  static SlurmScene start(Path folder, PrivateSlurm.Shape shape) throws IOException {
    if (System.getenv("CI") != null) {
      assertThat(PrivateSlurm.isInstalled()).as("Slurm must be installed for CI").isTrue();
    }
    assumeTrue(
        PrivateSlurm.isInstalled(), "needs Slurm (Debian: slurmctld, slurmd, slurm-client, munge)");
    return new SlurmScene(folder, shape);
  }

  PrivateSlurm slurm() {
    return slurm;
  }

  Path config() {
    return config;
  }

  /** Sets one more key of the configuration of the next daemon. */
  void configure(String key, String value) throws IOException {
    String text = Files.readString(config);
    Files.writeString(config, text.replaceFirst("[{]", "{\"%s\": \"%s\", ".formatted(key, value)));
  }

  /** Starts a daemon, and returns once it decides. */
  DaemonProcess daemon(String... options) throws IOException {
    DaemonProcess daemon = new DaemonProcess(folder, config, slurm.shape().launcher(), options);
    slurm.await("the daemon decides", daemon::isReady);
    return daemon;
  }

  /** Starts a second daemon beside one that decides, and returns once it stands by. */
  DaemonProcess standby(DaemonProcess first, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--standby");
    DaemonProcess second =
        new DaemonProcess(
            Files.createDirectory(folder.resolve("second")),
            first.journal(),
            config,
            slurm.shape().launcher(),
            all.toArray(String[]::new));
    slurm.await("the second daemon stands by", second::standsBy);
    return second;
  }

  /** Starts a daemon again that was killed, and returns once it decides. */
  void startAgain(DaemonProcess daemon) throws IOException {
    daemon.start();
    slurm.await("the daemon decides", daemon::isReady);
  }

  SlurmTrial trial(List<TrialJob> jobs) throws IOException {
    return new SlurmTrial(slurm, jobs, LIMIT);
  }

  SlurmTrial trial(int jobs, int seconds, long seed) throws IOException {
    return trial(TrialJob.draw(jobs, Duration.ofSeconds(seconds), seed));
  }

  /** Returns 16 jobs of a node each and, once they run, an urgent one of four nodes. */
  static List<TrialJob> fullClusterAndUrgentJob() {
    List<TrialJob> jobs =
        new ArrayList<>(
            Collections.nCopies(
                16, new TrialJob(Duration.ZERO, 1, 8, Duration.ofSeconds(15), "batch")));
    jobs.add(new TrialJob(Duration.ofSeconds(6), 4, 8, Duration.ofSeconds(2), "urgent"));
    return jobs;
  }

  /** Returns what became of the urgent one. */
  static TrialOutcome urgent(List<TrialOutcome> ended) {
    return ended.stream().filter(job -> job.name().equals("t16")).findFirst().orElseThrow();
  }

  /** Submits jobs of a whole node each, that sleep; their ids begin with 1 in a new Slurm. */
  void submit(int jobs, int seconds) throws IOException {
    for (int i = 0; i < jobs; i++) {
      run("sbatch", "--gres=gpu:8", "--time=1", "--output=/dev/null", "--wrap=sleep " + seconds);
    }
  }

  /** Runs one of Slurm's commands, and returns what it prints. */
  String run(String... command) {
    try {
      return slurm.run(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what Slurm shows of a job. */
  String shown(String job) {
    return run("scontrol", "show", "job", job);
  }

  /** Returns how often each job's comment of the administrator was filled, by its id. */
  Map<String, Long> explanations() throws IOException {
    try (Stream<String> log = Files.lines(slurm.log())) {
      return log.map(EXPLAINED::matcher)
          .filter(Matcher::find)
          .collect(Collectors.groupingBy(line -> line.group(1), Collectors.counting()));
    }
  }

  /** Returns how many writes to jobs the controller has taken. */
  long writes() {
    Matcher count = WRITES.matcher(run("sdiag"));
    return count.find() ? Long.parseLong(count.group(1)) : 0;
  }

  /** Returns the names in a list of nodes as Slurm writes it, divided by commas. */
  String hosts(String list) {
    return String.join(",", run("scontrol", "show", "hostnames", list).lines().toList());
  }

  /** Returns what runs where, what waits, and which nodes take no job, as Slurm says. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    run("squeue", "--noheader", "--format=%i %T %N")
        .lines()
        .map(line -> line.split(" ", -1))
        .forEach(
            job -> state.put("job " + job[0], job[1].equals("PENDING") ? "waits" : hosts(job[2])));
    run("sinfo", "--noheader", "--Node", "--partition=batch", "--format=%N %T")
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(node -> node[1].startsWith("drain") || node[1].startsWith("down"))
        .forEach(
            node -> state.put("node " + node[0], node[1].startsWith("down") ? "LOST" : "DRAINING"));
    return state;
  }

  /** Returns the same as a scheduler says. */
  static Map<String, String> state(Scheduler scheduler) {
    Map<String, String> state = new TreeMap<>();
    scheduler.waiting().forEach(job -> state.put("job " + job, "waits"));
    scheduler
        .view()
        .runningJobs()
        .forEach(
            job ->
                state.put(
                    "job " + job,
                    DecisionLines.nodes(scheduler.view().placement(job).orElseThrow())));
    for (Node node : scheduler.view().topology().nodes()) {
      NodeHealth health = scheduler.view().health(node.id());
      if (health != NodeHealth.UP) {
        state.put("node " + node.id(), health.toString());
      }
    }
    return state;
  }

  /** What happens beside a trial. */
  interface Faults {
    void happen(SplittableRandom random) throws Exception;
  }

  /** Runs a trial while something else happens. */
  static List<TrialOutcome> during(SlurmTrial trial, Faults faults) throws Exception {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread beside =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    faults.happen(new SplittableRandom(7));
                  } catch (Exception | AssertionError e) {
                    failure.set(e);
                  }
                });
    List<TrialOutcome> ended = trial.run();
    beside.join();
    assertThat(failure.get()).isNull();
    return ended;
  }

  static void pause(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Checks that all jobs have run to their ends, each under one id. */
  static void requireEachEnded(List<TrialOutcome> ended, int jobs) {
    assertThat(ended).hasSize(jobs).allMatch(job -> job.state().equals("COMPLETED"));
    assertThat(ended.stream().map(TrialOutcome::name)).doesNotHaveDuplicates();
  }

  /** Returns the time from the first submission to the last end. */
  static Duration makespan(List<TrialOutcome> ended) {
    return Duration.between(
        ended.stream().map(TrialOutcome::submitted).min(Comparator.naturalOrder()).orElseThrow(),
        ended.stream().map(TrialOutcome::ended).max(Comparator.naturalOrder()).orElseThrow());
  }

  /** Checks by what the jobs themselves wrote that none ran twice at once, or after its end. */
  static void requireOneRunAtATime(SlurmTrial trial) throws IOException {
    requireOneRunAtATime(trial, List.of());
  }

  /** Does the same where the controller was killed. */
  static void requireOneRunAtATime(SlurmTrial trial, List<ControllerKill> kills)
      throws IOException {
    TrialRuns runs = TrialRuns.of(trial, kills);
    assertThat(runs.atOnce()).as("two runs at once").isEmpty();
    assertThat(runs.afterEnd()).as("a run after an end").isEmpty();
  }

  @Override
  public void close() {
    slurm.close();
  }
}
