package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  private static final Duration LIMIT = Duration.ofSeconds(120);

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

  private SlurmTrial trial(int jobs, int seconds, long seed) {
    return new SlurmTrial(slurm, TrialJob.draw(jobs, Duration.ofSeconds(seconds), seed), LIMIT);
  }

  @Test
  void jobsRunOnceWhereItDecides() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      List<TrialOutcome> ended = trial(40, 15, 1).run();

      assertThat(ended).hasSize(40).allMatch(job -> job.state().equals("COMPLETED"));
      assertThat(ended.stream().map(TrialOutcome::id)).doesNotHaveDuplicates();
      Map<String, String> decided = daemon.decided();
      for (TrialOutcome job : ended) {
        assertThat(hosts(job.nodes())).as(job.id()).isEqualTo(decided.get(job.id()));
      }
      assertThat(daemon.get("/health")).isEqualTo("ok\n");
      assertThat(daemon.get("/metrics")).contains("liquid_");
    }
  }

  @Test
  void aDaemonThatIsKilledGoesOnWhereItWas() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      List<TrialOutcome> ended =
          during(
              trial(40, 20, 2),
              random -> {
                for (int i = 0; i < 5; i++) {
                  pause(1500 + random.nextInt(2500));
                  daemon.kill();
                  daemon.start();
                  slurm.await("the daemon decides", daemon::isReady);
                }
              });

      assertThat(ended).hasSize(40).allMatch(job -> job.state().equals("COMPLETED"));
      assertThat(ended.stream().map(TrialOutcome::id)).doesNotHaveDuplicates();
      runsAreNeverAtOnce();
    }
  }

  @Test
  void aControllerThatIsKilledLetsNoJobRunTwice() throws Exception {
    try (DaemonProcess daemon = daemon("--backfill=easy")) {
      List<TrialOutcome> ended =
          during(
              trial(40, 20, 3),
              random -> {
                for (int i = 0; i < 3; i++) {
                  pause(4000 + random.nextInt(4000));
                  slurm.killController();
                  slurm.startController();
                }
              });

      assertThat(ended).as(daemon.said()).isNotEmpty();
      runsAreNeverAtOnce();
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

  /** Checks by what the jobs themselves wrote that none ran twice, or again after its end. */
  private void runsAreNeverAtOnce() throws IOException {
    Map<String, String> last = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("slurm").resolve("runs"))) {
      String[] words = line.split(" ");
      String before = last.put(words[1], words[0]);
      if (words[0].equals("begin")) {
        assertThat(before).as(line).isNull();
      }
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
