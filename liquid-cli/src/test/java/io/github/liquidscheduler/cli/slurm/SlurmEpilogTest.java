package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are cleaned up after each job, for longer than a start takes. */
@Tag("slurm")
class SlurmEpilogTest {

  private static final int SECONDS = 10;

  private static final int JOBS = 4;

  @TempDir private Path folder;

  @Test
  void noJobIsStartedBeforeItsNodesAreCleanedUp() throws Exception {
    Path epilog = Files.writeString(folder.resolve("epilog.sh"), "#!/bin/sh\nsleep " + SECONDS);
    Files.setPosixFilePermissions(epilog, PosixFilePermissions.fromString("rwx------"));
    PrivateSlurm.Shape shape = PrivateSlurm.Shape.of(2).with(List.of("Epilog=" + epilog));
    try (SlurmScene scene = SlurmScene.start(folder, shape);
        DaemonProcess daemon = scene.daemon("--backfill=easy")) {
      scene.submit(JOBS, 2);
      for (int job = 1; job <= JOBS; job++) {
        String id = Integer.toString(job);
        scene.slurm().await(id + " is over", () -> scene.shown(id).contains("COMPLETED"));

        Duration left =
            Duration.between(time(scene, id, "EligibleTime"), time(scene, id, "StartTime"));
        assertThat(left).as(daemon.said()).isLessThan(Duration.ofSeconds(SECONDS - 3));
      }
    }
  }

  private static LocalDateTime time(SlurmScene scene, String job, String name) {
    Matcher time = Pattern.compile("\\b" + name + "=(\\S+)").matcher(scene.shown(job));
    assertThat(time.find()).isTrue();
    return LocalDateTime.parse(time.group(1));
  }
}
