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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final int WAITS = 8;

  private static final Pattern REQUEUED =
      Pattern.compile("requeue (?:job )?JobId=(\\S+) due to (?:failure of node|node failure)");

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
        PrivateSlurm.Shape.of(16)
            .with(List.of(OthersJobs.LINE))
            .launchedBy(network.map(OwnNetwork::launcher).orElse(List.of()));
    try (SlurmScene scene = SlurmScene.start(folder, shape)) {
      // A controller that was killed may count GPUs as taken that nobody has.
      scene.configure("startTimeout", "1m");
      run(scene, seed, time);
    }
    requireThatJournalReplays();
  }

  private void run(SlurmScene scene, long seed, Duration time) throws Exception {
    try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      PrivateSlurm slurm = scene.slurm();
      Chaos chaos = new Chaos(slurm, daemon, network, disk, seed);
      int jobs = (int) (time.toSeconds() * 2 / 3);
      OthersJobs others = new OthersJobs(slurm);
      ToldOfJobs told = new ToldOfJobs(slurm, daemon);
      SlurmTrial trial =
          new SlurmTrial(
              slurm,
              TrialJob.draw(jobs, time.multipliedBy(3).dividedBy(4), seed),
              Duration.ofMinutes(4));
      List<TrialOutcome> ended;
      try {
        submitWaits(scene, time);
        others.submit();
        ended =
            SlurmScene.during(
                trial,
                random ->
                    chaos.happen(
                        time,
                        () -> {
                          others.submit();
                          told.require();
                        }));
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
      others.requireUntouched();
      TrialRuns runs = TrialRuns.of(trial, chaos.kills());
      assertThat(runs.atOnce()).as("two runs at once").allMatch(line -> isReleased(chaos, line));
      assertThat(runs.afterEnd())
          .as("a run after an end")
          .allMatch(line -> isReleased(chaos, line));
      assertThat(finishedTwice(ended, mayFinishTwice(scene, chaos)))
          .as("jobs that finished twice")
          .isEmpty();
      Set<String> known = new HashSet<>(runs.begun());
      ended.forEach(job -> known.add(job.name()));
      Set<String> lost = new HashSet<>();
      trial
          .submitted()
          .forEach(
              (job, at) -> {
                if (!known.contains(job)
                    && chaos.kills().stream().noneMatch(kill -> kill.mayForget(at))) {
                  lost.add(job);
                }
              });
      assertThat(lost).as("lost jobs").isEmpty();
    }
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

  /** Returns true if an operator let a job run that the controller may have forgotten to run. */
  private static boolean isReleased(Chaos chaos, String line) {
    return chaos.released().contains(line.split(" ", -1)[2]);
  }

  /** Returns the jobs that were sent back to the queue by others, and may have ended before. */
  private static Set<String> mayFinishTwice(SlurmScene scene, Chaos chaos) throws IOException {
    Set<String> jobs = new HashSet<>(chaos.requeued());
    jobs.addAll(chaos.released());
    try (Stream<String> log = Files.lines(scene.slurm().log())) {
      log.map(REQUEUED::matcher).filter(Matcher::find).forEach(job -> jobs.add(job.group(1)));
    }
    return jobs;
  }

  private static List<String> finishedTwice(List<TrialOutcome> ended, Set<String> requeued) {
    Set<String> once = new HashSet<>();
    return ended.stream()
        .filter(job -> job.state().equals("COMPLETED") && !requeued.contains(job.id()))
        .map(job -> job.name() + ' ' + job.id())
        .filter(job -> !once.add(job))
        .toList();
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
