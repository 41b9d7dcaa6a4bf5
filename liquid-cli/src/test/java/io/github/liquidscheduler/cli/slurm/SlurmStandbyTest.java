package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons beside a real Slurm, with one journal: one decides, the other stands by. */
@Tag("slurm")
class SlurmStandbyTest {

  @TempDir private Path folder;

  @Test
  void oneThatStandsByGoesOnWhenTheFirstIsKilled() throws Exception {
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(8));
        DaemonProcess first = scene.daemon("--backfill=easy");
        DaemonProcess second = scene.standby(first, "--backfill=easy")) {
      assertThat(second.get("/health"))
          .startsWith("standing by: another daemon decides for partition 'batch'")
          .endsWith("\n");
      SlurmTrial trial = scene.trial(wholeNodes(14));
      List<TrialOutcome> ended = SlurmScene.during(trial, random -> failOver(scene, first, second));

      SlurmScene.requireEachEnded(ended, 14);
      SlurmScene.requireOneRunAtATime(trial);
      assertThat(first.decided()).isNotEmpty();
      assertThat(second.decided()).isNotEmpty();
      assertThat(second.said().lines().filter(line -> line.startsWith("standing by"))).hasSize(1);
      assertThat(second.get("/health")).isEqualTo("ok\n");
    }
  }

  /** Returns jobs that come soon after each other, want a node each, and run for six seconds. */
  private static List<TrialJob> wholeNodes(int jobs) {
    return IntStream.range(0, jobs)
        .mapToObj(
            job ->
                new TrialJob(Duration.ofMillis(100L * job), 1, 8, Duration.ofSeconds(6), "batch"))
        .toList();
  }

  private static void failOver(SlurmScene scene, DaemonProcess first, DaemonProcess second)
      throws Exception {
    scene.slurm().await("the first decides", () -> first.decided().size() >= 4);
    // It has the locks, and does nothing: what is written now is written by the second.
    first.suspend();
    AtomicLong last = new AtomicLong(-1);
    scene
        .slurm()
        .await(
            "its commands have ended",
            () -> {
              long now = scene.writes();
              return last.getAndSet(now) == now;
            });
    long writes = scene.writes();
    Map<String, Long> journal = files(first.journal());
    SlurmScene.pause(2000);

    assertThat(scene.writes()).isEqualTo(writes);
    assertThat(files(first.journal())).isEqualTo(journal);
    first.kill();
    long killed = System.nanoTime();
    scene.slurm().await("the second decides", second::isReady);
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(10));
  }

  /** Returns the sizes of the files of a journal, by their names. */
  private static Map<String, Long> files(Path journal) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(journal)) {
      for (Path file : files.toList()) {
        sizes.put(file.getFileName().toString(), Files.size(file));
      }
    }
    return sizes;
  }
}
