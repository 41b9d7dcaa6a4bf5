package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller that goes on from what it had saved before jobs began and ended. */
@Tag("slurm")
class SlurmForgottenTest {

  private static final int JOBS = 4;

  @TempDir private Path folder;

  @Test
  void whatWasSeenToEndDoesNotRunAgain() throws Exception {
    Path runs = Files.createFile(folder.resolve("runs"));
    Path saved = Files.createDirectory(folder.resolve("saved"));
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(4))) {
      for (int job = 1; job <= JOBS; job++) {
        String script = "--wrap=echo " + job + " >>" + runs;
        scene.run("sbatch", "--gres=gpu:8", "--time=1", "--output=/dev/null", script);
      }
      Path state = folder.resolve("slurm").resolve("state");
      FileTime submitted = FileTime.from(Instant.now());
      scene.slurm().await("jobs are saved", () -> isSavedSince(state, submitted));
      copy(state, saved);
      try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
        for (int job = 1; job <= JOBS; job++) {
          String id = Integer.toString(job);
          scene.slurm().await(id + " is over", () -> isOver(daemon, id));
        }
        scene.slurm().killController();
        copy(saved, state);
        scene.slurm().startController();
        for (int job = 1; job <= JOBS; job++) {
          String id = Integer.toString(job);
          scene.slurm().await(id + " is not pending", () -> !isPending(scene, id));
          assertThat(scene.shown(id)).contains("JobState=CANCELLED").contains("it has ended here");
        }
      }
      assertThat(Files.readAllLines(runs)).as("runs").hasSize(JOBS).doesNotHaveDuplicates();
    }
  }

  private static boolean isSavedSince(Path state, FileTime time) {
    Path jobs = state.resolve("job_state");
    try {
      return Files.exists(jobs) && Files.getLastModifiedTime(jobs).compareTo(time) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOver(DaemonProcess daemon, String job) {
    try {
      return daemon.get("/why/" + job).contains("is over");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean isPending(SlurmScene scene, String job) {
    return scene.shown(job).contains("JobState=PENDING");
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(from)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Files.copy(
          file,
          to.resolve(file.getFileName()),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
    }
  }
}
