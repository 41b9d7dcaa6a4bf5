package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon beside a real Slurm, whose daemons the test starts. */
@Tag("slurm")
class SlurmDaemonTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private Path config;
  private PrivateSlurm slurm;

  @BeforeEach
  void startSlurm() throws IOException {
    if (System.getenv("CI") != null) {
      assertThat(PrivateSlurm.isInstalled()).as("Slurm must be installed for CI").isTrue();
    }
    assumeTrue(
        PrivateSlurm.isInstalled(), "needs Slurm (Debian: slurmctld, slurmd, slurm-client, munge)");
    Path own = Files.createDirectory(folder.resolve("slurm"));
    config = folder.resolve("liquid.json");
    Files.writeString(
        config,
        "{\"partitions\": [\"batch\", \"urgent\"], \"slurmConf\": \"%s\", \"priorities\": {\"partition\": {\"urgent\": 10}}}"
            .formatted(own.resolve("slurm.conf")));
    String plugin = SlurmPort.submitPlugin(SlurmConfig.read(config));
    slurm = PrivateSlurm.start(own, PrivateSlurm.Shape.of(16).with(plugin));
  }

  @AfterEach
  void stopSlurm() {
    if (slurm != null) {
      slurm.close();
    }
  }

  private DaemonProcess daemon(String... options) throws IOException {
    DaemonProcess daemon = new DaemonProcess(folder, config, options);
    slurm.await("the daemon decides", daemon::isReady);
    return daemon;
  }

  private SlurmTrial trial(int jobs, int seconds, long seed) throws IOException {
    return new SlurmTrial(slurm, TrialJob.draw(jobs, Duration.ofSeconds(seconds), seed), LIMIT);
  }

  @Test
  void jobsRunOnceWhereItDecides() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      SlurmTrial trial = trial(40, 15, 1);
      List<TrialOutcome> ended = trial.run();

      assertThat(ended).hasSize(40).allMatch(job -> job.state().equals("COMPLETED"));
      assertThat(ended.stream().map(TrialOutcome::name)).doesNotHaveDuplicates();
      Map<String, String> decided = daemon.decided();
      for (TrialOutcome job : ended) {
        assertThat(hosts(job.nodes())).as(job.id()).isEqualTo(decided.get(job.id()));
      }
      requireOneRunAtATime(trial);
      assertThat(daemon.get("/health")).isEqualTo("ok\n");
      assertThat(daemon.get("/metrics")).contains("liquid_");
    }
  }

  @Test
  void aDaemonThatIsKilledGoesOnWhereItWas() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      SlurmTrial trial = trial(40, 20, 2);
      List<TrialOutcome> ended =
          during(
              trial,
              random -> {
                for (int i = 0; i < 5; i++) {
                  pause(1500 + random.nextInt(2500));
                  daemon.kill();
                  daemon.start();
                  slurm.await("the daemon decides", daemon::isReady);
                }
              });

      assertThat(ended).hasSize(40).allMatch(job -> job.state().equals("COMPLETED"));
      assertThat(ended.stream().map(TrialOutcome::name)).doesNotHaveDuplicates();
      requireOneRunAtATime(trial);
    }
  }

  /** In some runs a job that the controller had forgotten waits on: not in the gate until cured. */
  @Tag("soak")
  @Test
  void aControllerThatIsKilledLetsNoJobRunTwice() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      SlurmTrial trial = trial(40, 20, 3);
      List<TrialOutcome> ended =
          during(
              trial,
              random -> {
                for (int i = 0; i < 3; i++) {
                  pause(4000 + random.nextInt(4000));
                  slurm.killController();
                  slurm.startController();
                }
              });

      assertThat(ended).as(daemon.said()).isNotEmpty();
      requireOneRunAtATime(trial);
    }
  }

  @Test
  void anUrgentJobRunsSoonAndThoseItStoppedRunAgain() throws Exception {
    try (DaemonProcess daemon = daemon("--policy=priority")) {
      List<TrialJob> jobs = new ArrayList<>();
      for (int node = 0; node < 16; node++) {
        jobs.add(new TrialJob(Duration.ZERO, 1, 8, Duration.ofSeconds(15), "batch"));
      }
      jobs.add(new TrialJob(Duration.ofSeconds(6), 4, 8, Duration.ofSeconds(2), "urgent"));
      SlurmTrial trial = new SlurmTrial(slurm, jobs, LIMIT);
      List<TrialOutcome> ended = trial.run();

      assertThat(ended).hasSize(17).allMatch(job -> job.state().equals("COMPLETED"));
      TrialOutcome urgent =
          ended.stream().filter(job -> job.name().equals("t16")).findFirst().orElseThrow();
      assertThat(urgent.waited()).as(daemon.said()).isLessThan(Duration.ofSeconds(10));
      assertThat(daemon.said().lines().filter(line -> line.contains(" stop "))).hasSize(4);
      requireOneRunAtATime(trial);
    }
  }

  @Test
  void aDryRunTellsWhatItWouldDoAndChangesNothing() throws Exception {
    slurm.run("sbatch", "--job-name=fits", "--gres=gpu:8", "--time=1", "--wrap=true");
    slurm.run("sbatch", "--job-name=late", "-N17", "--gres=gpu:8", "--time=1", "--wrap=true");
    String before = slurm.run("squeue", "--noheader", "--format=%i %T %k %n");
    Command dry = Command.run("slurm", "--config=" + config, "--dry-run");

    assertThat(dry.errors()).isEmpty();
    assertThat(dry.output())
        .contains(
            "ok: partition 'batch'",
            "would start 1 on gpu0001",
            "would refuse 2: can never run here",
            "0 jobs run, 1 job would start, 0 jobs would wait, 1 job would be refused.",
            "Nothing was changed.");
    assertThat(slurm.run("squeue", "--noheader", "--format=%i %T %k %n")).isEqualTo(before);
  }

  @Test
  void aSecondDaemonSaysWhoDecides() throws Exception {
    try (DaemonProcess daemon = daemon()) {
      Command second =
          Command.run("slurm", "--config=" + config, "--journal=" + daemon.journal(), "--port=0");

      assertThat(second.status()).isOne();
      assertThat(second.errors()).contains("is for one writer at a time").hasLineCount(1);
    }
  }

  @Test
  void usersAndOperatorsSeeWhyAJobWaits() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      submitAll(20);
      slurm.await("its user is told", () -> shown("17").contains("liquid: #"));

      assertThat(daemon.get("/why/17")).contains("17").contains("GPUs");
      assertThat(daemon.get("/why/nobody")).isEqualTo("no job is known as 'nobody'\n");
    }
  }

  private void submitAll(int jobs) throws IOException {
    for (int i = 0; i < jobs; i++) {
      slurm.run("sbatch", "--gres=gpu:8", "--time=1", "--output=/dev/null", "--wrap=sleep 20");
    }
  }

  private String shown(String job) {
    try {
      return slurm.run("scontrol", "show", "job", job);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What happens beside a trial. */
  private interface Faults {
    void happen(SplittableRandom random) throws Exception;
  }

  private static List<TrialOutcome> during(SlurmTrial trial, Faults faults) throws Exception {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    Thread beside =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    faults.happen(new SplittableRandom(7));
                  } catch (Exception e) {
                    failure.set(e);
                  }
                });
    List<TrialOutcome> ended = trial.run();
    beside.join();
    assertThat(failure.get()).isNull();
    return ended;
  }

  private static void pause(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Checks by what the jobs themselves wrote that none ran twice at once, or after its end. */
  private static void requireOneRunAtATime(SlurmTrial trial) throws IOException {
    Map<String, Run> last = new HashMap<>();
    Map<String, List<Run>> before = new HashMap<>();
    for (String line : Files.readAllLines(trial.runs())) {
      String[] words = line.split(" ", -1);
      Run run = last.get(words[1]);
      if (run == null || !run.process.equals(words[2])) {
        if (run != null) {
          before.computeIfAbsent(words[1], any -> new ArrayList<>()).add(run);
        }
        run = new Run(words[2]);
        last.put(words[1], run);
      }
      for (Run other : before.getOrDefault(words[1], List.of())) {
        assertThat(other.process).as("two runs at once: " + line).isNotEqualTo(words[2]);
        assertThat(other.hasEnded).as("a run after an end: " + line).isFalse();
      }
      run.hasEnded = words[0].equals("end");
    }
  }

  /** A run of a job, as its process says. */
  private static final class Run {
    private final String process;
    private boolean hasEnded;

    Run(String process) {
      this.process = process;
    }
  }

  private String hosts(String list) {
    try {
      return String.join(",", slurm.run("scontrol", "show", "hostnames", list).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
