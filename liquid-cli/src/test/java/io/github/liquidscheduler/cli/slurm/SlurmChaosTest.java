package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything that can fail fails while jobs run: the daemon, the controller, the network, clocks,
 * nodes, the disk, and people who act by hand. By what the jobs themselves say, none runs at two
 * places, none again after its end, and none gets lost.
 */
@Tag("slurm")
class SlurmChaosTest {

  /** The controller saves its state every five seconds. */
  private static final long FORGOTTEN_NANOS = Duration.ofSeconds(7).toNanos();

  private static final int WAITS = 8;

  @TempDir private Path folder;

  private Optional<OwnNetwork> network = Optional.empty();
  private Optional<Path> disk = Optional.empty();

  @Test
  void aMinuteOfFaultsLosesNoJobAndRunsNoneTwice() throws Exception {
    run(1, Duration.ofMinutes(1));
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void fourMinutesOfFaultsLoseNoJobAndRunNoneTwice(long seed) throws Exception {
    run(seed, Duration.ofMinutes(4));
  }

  private void run(long seed, Duration time) throws Exception {
    network = OwnNetwork.make();
    disk = smallDisk(Files.createDirectory(folder.resolve("journal")));
    PrivateSlurm.Shape shape =
        PrivateSlurm.Shape.of(16).launchedBy(network.map(OwnNetwork::launcher).orElse(List.of()));
    try (SlurmScene scene = SlurmScene.start(folder, shape);
        DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      PrivateSlurm slurm = scene.slurm();
      Chaos chaos = new Chaos(slurm, daemon, network, disk, seed);
      int jobs = (int) (time.toSeconds() * 2 / 3);
      ToldOfJobs told = new ToldOfJobs(slurm, daemon);
      SlurmTrial trial =
          new SlurmTrial(
              slurm,
              TrialJob.draw(jobs, time.multipliedBy(3).dividedBy(4), seed),
              Duration.ofMinutes(4));
      List<TrialOutcome> ended;
      try {
        submitWaits(scene, time);
        ended = SlurmScene.during(trial, random -> chaos.happen(time, told::require));
      } catch (IOException e) {
        throw new AssertionError(chaos.happened() + daemon.said(), e);
      }
      System.out.println(
          "%d waits explained, %d jobs known, faults of seed %d%s: %s"
              .formatted(
                  told.explained(),
                  told.answered(),
                  seed,
                  chaos.refused().isEmpty() ? "" : ", without " + chaos.refused(),
                  chaos.happened()));

      assertThat(chaos.happened()).hasSizeGreaterThanOrEqualTo(6);
      assertThat(told.explained()).as("explained waits").isPositive();
      assertThat(told.answered()).as("known jobs").isPositive();
      TrialRuns runs = TrialRuns.of(trial);
      SlurmScene.requireOneRunAtATime(trial);
      assertThat(finishedTwice(ended, chaos.requeued())).as("jobs that finished twice").isEmpty();
      Set<String> known = new HashSet<>(runs.begun());
      ended.forEach(job -> known.add(job.name()));
      Set<String> lost = new HashSet<>();
      trial
          .submitted()
          .forEach(
              (job, at) -> {
                if (!known.contains(job) && !mayBeForgotten(at, chaos.kills())) {
                  lost.add(job);
                }
              });
      assertThat(lost).as("lost jobs").isEmpty();
    }
    requireThatJournalReplays();
  }

  /** Submits jobs that all want the same node, so that there are some that wait at any time. */
  private static void submitWaits(SlurmScene scene, Duration time) {
    String node = scene.slurm().shape().names().getFirst();
    long seconds = time.toSeconds() / 4;
    for (int i = 0; i < WAITS; i++) {
      scene.run(
          "sbatch",
          "--job-name=w" + i,
          "--nodelist=" + node,
          "--gres=gpu:8",
          "--time=2",
          "--output=/dev/null",
          "--comment=liquid.expected=" + seconds + "s",
          "--wrap=sleep " + seconds);
    }
  }

  private static List<String> finishedTwice(List<TrialOutcome> ended, Set<String> requeued) {
    Set<String> once = new HashSet<>();
    return ended.stream()
        .filter(job -> job.state().equals("COMPLETED") && !requeued.contains(job.id()))
        .map(job -> job.name() + ' ' + job.id())
        .filter(job -> !once.add(job))
        .toList();
  }

  private static boolean mayBeForgotten(long submitted, List<Long> kills) {
    return kills.stream()
        .anyMatch(kill -> kill - submitted < FORGOTTEN_NANOS && kill > submitted - FORGOTTEN_NANOS);
  }

  /** Each segment of the journal decides again what is written in it. */
  private void requireThatJournalReplays() throws IOException {
    List<Path> segments = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
      files.filter(file -> file.toString().endsWith(".jsonl")).sorted().forEach(segments::add);
    }
    assertThat(segments).isNotEmpty();
    for (Path segment : segments) {
      Command replay = Command.run("replay", "--journal=" + segment);
      assertThat(replay.errors()).as(segment.toString()).isEmpty();
    }
  }

  private static Optional<Path> smallDisk(Path folder) throws IOException, InterruptedException {
    Process mount =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder.toString())
            .start();
    return mount.waitFor() == 0 ? Optional.of(folder) : Optional.empty();
  }

  @AfterEach
  void giveBack() throws IOException, InterruptedException {
    network.ifPresent(OwnNetwork::close);
    if (disk.isPresent()) {
      new ProcessBuilder("umount", disk.get().toString()).start().waitFor();
    }
  }
}
