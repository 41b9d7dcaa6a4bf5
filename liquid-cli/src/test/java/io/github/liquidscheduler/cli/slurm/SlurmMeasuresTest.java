package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast jobs run through a real Slurm, and what that costs its controller. The bounds hold on a
 * machine that does nothing else, so this is not in the gate.
 */
@Tag("slurm")
@Tag("soak")
class SlurmMeasuresTest {

  private static final int JOBS = 150;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir private Path folder;

  @Test
  void sixHundredJobsGetThousandNodesWithinAMinute() throws Exception {
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.empty(1000))) {
      submit(scene, 400, 2);
      submit(scene, 200, 1);
      long begun = System.nanoTime();
      try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
        scene.slurm().await("all jobs have their nodes", () -> launched(daemon) == 600);
        write("600 jobs on 1,000 nodes", since(begun).toString());

        assertThat(since(begun)).isLessThan(Duration.ofMinutes(1));
        double listing = daemon.meter("liquid_listing_seconds");
        write("listing, seconds", Double.toString(listing));
        assertThat(listing).isLessThan(1);
      }
    }
  }

  private static void submit(SlurmScene scene, int jobs, int nodes) {
    scene.run(
        "sbatch", "--array=1-" + jobs, "--nodes=" + nodes, "--gres=gpu:8", "--time=1", "--wrap=id");
  }

  /** Returns how many starts the daemon has seen: asking Slurm so often would slow it down. */
  private static double launched(DaemonProcess daemon) {
    try {
      return daemon.meter("liquid_job_launch_seconds_count");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same jobs as Slurm's own backfill decides, and then as the daemon does. */
  @Test
  void aFullClusterIsNotSlowerThanUnderSlurmAlone() throws Exception {
    List<TrialJob> jobs = TrialJob.draw(JOBS, Duration.ofSeconds(20), 1);
    Path own = Files.createDirectory(folder.resolve("alone"));
    Duration alone;
    Duration aloneTime;
    try (PrivateSlurm slurm = PrivateSlurm.start(own, PrivateSlurm.Shape.of(16))) {
      Duration before = slurm.controllerTime();
      List<TrialOutcome> ended = new SlurmTrial(slurm, jobs, LIMIT).run();
      SlurmScene.requireEachEnded(ended, JOBS);
      alone = SlurmScene.makespan(ended);
      aloneTime = slurm.controllerTime().minus(before);
      write("Slurm alone", said(ended, aloneTime));
    }
    try (SlurmScene scene =
            SlurmScene.start(
                Files.createDirectory(folder.resolve("decided")), PrivateSlurm.Shape.of(16));
        DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      Duration before = scene.slurm().controllerTime();
      SlurmTrial trial = new SlurmTrial(scene.slurm(), jobs, LIMIT);
      List<TrialOutcome> ended = trial.run();
      Duration decidedTime = scene.slurm().controllerTime().minus(before);
      write("decided", said(ended, decidedTime));
      write("launches", launches(daemon));
      SlurmScene.requireEachEnded(ended, JOBS);
      SlurmScene.requireOneRunAtATime(trial);
      assertThat(SlurmScene.makespan(ended)).isLessThan(alone.multipliedBy(11).dividedBy(10));
      assertThat(decidedTime).isLessThan(aloneTime.multipliedBy(2));
    }
  }

  @Test
  void anUrgentJobOfAFullClusterRunsWithinFiveSeconds() throws Exception {
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(16));
        DaemonProcess daemon = scene.daemon("--policy=priority")) {
      SlurmTrial trial = scene.trial(SlurmScene.fullClusterAndUrgentJob());
      Duration waited = SlurmScene.urgent(trial.run()).waited();
      write("an urgent job of a full cluster waited", waited.toString());

      assertThat(waited).as(daemon.said()).isLessThan(Duration.ofSeconds(5));
    }
  }

  private static String said(List<TrialOutcome> ended, Duration controller) {
    Duration waits = ended.stream().map(TrialOutcome::waited).reduce(Duration.ZERO, Duration::plus);
    return "makespan %s, mean wait %s, processor time of slurmctld %s"
        .formatted(SlurmScene.makespan(ended), waits.dividedBy(ended.size()), controller);
  }

  private static String launches(DaemonProcess daemon) throws Exception {
    return daemon
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith("liquid_job_launch_seconds"))
        .map(line -> line.replace("liquid_job_launch_seconds_", ""))
        .collect(Collectors.joining(", "));
  }

  /** Adds a line to {@code target/slurm-measures.txt}. */
  private static void write(String what, String measured) throws IOException {
    Files.writeString(
        Path.of("target", "slurm-measures.txt"),
        what + ": " + measured + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static Duration since(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }
}
