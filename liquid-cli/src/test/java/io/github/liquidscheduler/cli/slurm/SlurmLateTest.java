package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Slurm that carries out changes late, and whose listings are old when they come. */
@Tag("slurm")
class SlurmLateTest {

  private static final int JOBS = 30;

  private static final Path REAL = Path.of("/usr/bin");

  @TempDir private Path folder;

  @Test
  void eachStartIsCommandedOnce() throws Exception {
    Path commands = Files.createDirectory(folder.resolve("commands"));
    for (String name : List.of("sinfo", "scancel", "sacct")) {
      write(commands, name, "exec %s/%s \"$@\"");
    }
    write(commands, "scontrol", "[ $1 = update ] && sleep $((RANDOM %% 6)); exec %s/%s \"$@\"");
    write(commands, "squeue", "%s/%s \"$@\" >$0.$$; s=$?; sleep 0.4; cat $0.$$; rm $0.$$; exit $s");
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(16))) {
      scene.configure("commands", commands.toString());
      try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
        List<TrialOutcome> ended = scene.trial(JOBS, 8, 1).run();

        SlurmScene.requireEachEnded(ended, JOBS);
        assertThat(daemon.meter("liquid_commands_total{kind=\"Start\"}"))
            .as(daemon.said())
            .isEqualTo(JOBS);
      }
    }
  }

  private static void write(Path commands, String name, String script) throws IOException {
    Path file = commands.resolve(name);
    Files.writeString(file, "#!/bin/bash\n" + script.formatted(REAL, name) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
