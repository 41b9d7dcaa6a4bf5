package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon beside a real Slurm, whose daemons the test starts. */
@Tag("slurm")
class SlurmDaemonTest {

  private static final Pattern STOP = Pattern.compile(" stop (\\S+):");

  @TempDir private Path folder;

  private SlurmScene scene;

  @BeforeEach
  void startSlurm() throws IOException {
    scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(16));
  }

  @AfterEach
  void stopSlurm() {
    if (scene != null) {
      scene.close();
    }
  }

  @Test
  void jobsRunOnceWhereItDecides() throws Exception {
    try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      SlurmTrial trial = scene.trial(30, 8, 1);
      List<TrialOutcome> ended = trial.run();

      SlurmScene.requireEachEnded(ended, 30);
      Map<String, String> decided = daemon.decided();
      for (TrialOutcome job : ended) {
        assertThat(scene.hosts(job.nodes())).as(job.id()).isEqualTo(decided.get(job.id()));
      }
      SlurmScene.requireOneRunAtATime(trial);
      assertThat(daemon.get("/health")).isEqualTo("ok\n");
      requireFewWrites(daemon, ended);
      assertThat(daemon.meter("liquid_job_launch_seconds_bucket{le=\"3.0\"}"))
          .as(daemon.get("/metrics"))
          .isGreaterThanOrEqualTo(28);
    }
  }

  /** One write to start each job; beside these explanations, of none twice within a minute. */
  private void requireFewWrites(DaemonProcess daemon, List<TrialOutcome> ended) throws Exception {
    Map<String, Long> explanations = scene.explanations();
    long explained = explanations.values().stream().mapToLong(count -> count).sum();
    long minutes = SlurmScene.makespan(ended).toMinutes();

    assertThat(daemon.meter("liquid_commands_total{kind=\"Start\"}")).isEqualTo(ended.size());
    // An explanation may come too late, and is then emptied.
    assertThat(scene.writes() - ended.size()).isBetween(explained, 2 * explained);
    assertThat(explanations.values()).allMatch(count -> count <= 1 + minutes);
  }

  @Test
  void aDaemonThatIsKilledGoesOnWhereItWas() throws Exception {
    try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      DaemonJournal journal = new DaemonJournal(daemon.journal(), SlurmScene.EASY);
      SlurmTrial trial = scene.trial(40, 20, 2);
      List<TrialOutcome> ended =
          SlurmScene.during(
              trial,
              random -> {
                for (int i = 0; i < 5; i++) {
                  SlurmScene.pause(1500 + random.nextInt(2500));
                  daemon.kill();
                  journal.requireReplays();
                  scene.startAgain(daemon);
                }
              });

      SlurmScene.requireEachEnded(ended, 40);
      SlurmScene.requireOneRunAtATime(trial);
    }
  }

  @Test
  void whatHappensWhileItIsAwayIsFoundInItsFirstPass() throws Exception {
    try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      DaemonJournal journal = new DaemonJournal(daemon.journal(), SlurmScene.EASY);
      scene.submit(20, 60);
      scene.slurm().await("the cluster is full", () -> daemon.decided().size() == 16);
      scene.slurm().await("all run", () -> runs("16"));
      String drained = daemon.decided().get("5");
      String down = Objects.requireNonNull(daemon.decided().get("7"));
      daemon.kill();
      scene.run("scancel", "3", "18");
      scene.run("scontrol", "hold", "19");
      scene.run("scontrol", "update", "NodeName=" + drained, "State=DRAIN", "Reason=test");
      scene.slurm().await("job 3 is gone", () -> scene.shown("3").contains("JobState=CANCELLED"));
      scene.run("scontrol", "update", "JobId=17", "StartTime=now");
      scene.slurm().await("job 17 was released", () -> runs("17"));
      scene.slurm().killNode(down);
      scene.run("scontrol", "update", "NodeName=" + down, "State=DOWN", "Reason=test");
      scene.slurm().await("job 7 waits again", () -> scene.shown("7").contains("JobState=PENDING"));

      scene.startAgain(daemon);
      daemon.kill();

      assertThat(SlurmScene.state(journal.recovered()))
          .isEqualTo(scene.state())
          .containsEntry("job 7", "waits")
          .containsEntry("job 17", daemon.decided().get("3"))
          .containsEntry("node " + drained, "DRAINING")
          .containsEntry("node " + down, "LOST")
          .doesNotContainKeys("job 3", "job 18");

      scene.startAgain(daemon);
      scene.slurm().startNode(down);
      scene.slurm().await("job 7 runs again", () -> runs("7"));
      assertThat(scene.shown("7")).contains("Restarts=1").contains("NodeList=" + down);
    }
  }

  /** Not in the gate before it has been green for long on busy machines, too. */
  @Tag("soak")
  @Test
  void aControllerThatIsKilledLetsNoJobRunTwice() throws Exception {
    // A controller that was killed may count GPUs as taken that nobody has.
    scene.configure("startTimeout", "30s");
    try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      SlurmTrial trial = scene.trial(40, 20, 3);
      List<ControllerKill> kills = new ArrayList<>();
      List<TrialOutcome> ended =
          SlurmScene.during(
              trial,
              random -> {
                for (int i = 0; i < 3; i++) {
                  SlurmScene.pause(4000 + random.nextInt(4000));
                  kills.add(ControllerKill.of(scene.slurm()));
                  SlurmScene.pause(random.nextInt(3000));
                  scene.slurm().startController();
                }
              });

      assertThat(ended).as(daemon.said()).isNotEmpty();
      SlurmScene.requireOneRunAtATime(trial, kills);
      assertThat(daemon.meter("liquid_commands_total{kind=\"Stop\"}")).as(daemon.said()).isZero();
      assertThat(daemon.said()).doesNotContain("is lost");
    }
  }

  @Test
  void anUrgentJobRunsSoonAndThoseItStoppedRunAgain() throws Exception {
    try (DaemonProcess daemon = scene.daemon("--policy=priority")) {
      SlurmTrial trial = scene.trial(SlurmScene.fullClusterAndUrgentJob());
      List<TrialOutcome> ended = trial.run();

      SlurmScene.requireEachEnded(ended, 17);
      assertThat(SlurmScene.urgent(ended).waited())
          .as(daemon.said())
          .isLessThan(Duration.ofSeconds(10));
      List<String> stopped = STOP.matcher(daemon.said()).results().map(it -> it.group(1)).toList();
      assertThat(stopped).hasSize(4);
      for (TrialOutcome job : ended) {
        assertThat(scene.shown(job.id()))
            .contains(stopped.contains(job.id()) ? "Restarts=1" : "Restarts=0");
      }
      SlurmScene.requireOneRunAtATime(trial);
    }
  }

  @Test
  void aDryRunTellsWhatItWouldDoAndChangesNothing() throws Exception {
    scene.run("sbatch", "--job-name=fits", "--gres=gpu:8", "--time=1", "--wrap=true");
    scene.run("sbatch", "--job-name=late", "-N17", "--gres=gpu:8", "--time=1", "--wrap=true");
    String before = scene.run("squeue", "--noheader", "--format=%i %T %k %n");
    Command dry = Command.run("slurm", "--config=" + scene.config(), "--dry-run");

    assertThat(dry.errors()).isEmpty();
    assertThat(dry.output())
        .contains(
            "ok: partition 'batch'",
            "would start 1 on gpu0001",
            "would refuse 2: can never run here",
            "0 jobs run, 1 job would start, 0 jobs would wait, 1 job would be refused.",
            "Nothing was changed.");
    assertThat(scene.run("squeue", "--noheader", "--format=%i %T %k %n")).isEqualTo(before);
  }

  @Test
  void aSecondDaemonSaysWhoDecidesAndChangesNothing() throws Exception {
    scene.submit(1, 1);
    try (DaemonProcess daemon = scene.daemon()) {
      scene.slurm().await("the job has ended", () -> scene.shown("1").contains("COMPLETED"));
      requireRefused(
          scene.config(),
          List.of("--journal=" + folder.resolve("other"), "--port=0"),
          "another daemon decides for partition 'batch'");
      assertThat(daemon.get("/health")).isEqualTo("ok\n");
    }
  }

  @Test
  void aMistakeIsToldInOneLineAndChangesNothing() throws Exception {
    scene.submit(1, 1);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> options = List.of("--journal=" + folder, "--port=" + taken.getLocalPort());
      requireRefused(scene.config(), options, "port %d of".formatted(taken.getLocalPort()));
    }
    Path file = folder.resolve("mistaken.json");
    String text = Files.readString(scene.config());
    List<String> options = List.of("--journal=" + folder, "--port=0");

    Files.writeString(file, text.replace("batch", "nobodys"));
    requireRefused(file, options, "partition 'nobodys' does not exist");
    Files.writeString(file, text.replace("partitions", "partition"));
    requireRefused(file, options, "key 'partition' must be one of partitions");
    Files.writeString(file, text.replace("slurm.conf", "none.conf"));
    requireRefused(file, options, "none.conf");
  }

  private void requireRefused(Path config, List<String> options, String why) {
    long writes = scene.writes();
    List<String> command = new ArrayList<>(List.of("slurm", "--config=" + config));
    command.addAll(options);
    Command refused = Command.run(command.toArray(String[]::new));

    assertThat(refused.status()).isPositive();
    assertThat(refused.errors()).contains(why).hasLineCount(1);
    assertThat(scene.writes()).isEqualTo(writes);
  }

  @Test
  void usersAndOperatorsSeeWhyAJobWaits() throws Exception {
    try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      scene.submit(20, 20);
      scene.slurm().await("its user is told", () -> scene.shown("17").contains("liquid: #"));

      assertThat(daemon.get("/why/17")).contains("17").contains("GPUs");
      assertThat(daemon.get("/why/nobody")).isEqualTo("no job is known as 'nobody'\n");
    }
  }

  private boolean runs(String job) {
    return scene.shown(job).contains("JobState=RUNNING");
  }
}
