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

/** A Slurm whose commands are slow, or have no answer. */
@Tag("slurm")
class SlurmLateTest {

  private static final Path REAL = Path.of("/usr/bin");

  @TempDir private Path folder;

  @Test
  void eachStartIsCommandedOnceThoughListingsAreOldWhenTheyCome() throws Exception {
    Path commands = commands("[ $1 = update ] && sleep $((RANDOM %% 6)); exec %s/%s \"$@\"");
    write(commands, "squeue", "%s/%s \"$@\" >$0.$$; s=$?; sleep 0.4; cat $0.$$; rm $0.$$; exit $s");
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(16))) {
      scene.configure("commands", commands.toString());
      try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
        List<TrialOutcome> ended = scene.trial(50, 30, 1).run();

        SlurmScene.requireEachEnded(ended, 50);
        assertThat(daemon.meter("liquid_commands_total{kind=\"Start\"}"))
            .as(daemon.said())
            .isEqualTo(50);
      }
    }
  }

  @Test
  void aStartWithoutAnswerIsCommandedAgain() throws Exception {
    String first = "if [[ \"$*\" = *ReqNodeList* && ! -e $0.$2 ]]; then touch $0.$2; ";
    String fails = "echo Unable to contact slurm controller >&2; exit 1; fi; ";
    Path commands = commands(first + fails + "exec %s/%s \"$@\"");
    write(commands, "squeue", "exec %s/%s \"$@\"");
    try (SlurmScene scene = SlurmScene.start(folder, PrivateSlurm.Shape.of(16))) {
      scene.configure("commands", commands.toString());
      try (DaemonProcess daemon = scene.daemon("--backfill=easy")) {
        List<TrialOutcome> ended = scene.trial(10, 4, 1).run();

        SlurmScene.requireEachEnded(ended, 10);
        assertThat(ended).as(daemon.said()).allMatch(job -> job.waited().toSeconds() < 60);
      }
    }
  }

  /** Makes Slurm's commands beside {@code squeue}; scontrol is a script. */
  private Path commands(String scontrol) throws IOException {
    Path commands = Files.createDirectory(folder.resolve("commands"));
    for (String name : List.of("sinfo", "scancel", "sacct")) {
      write(commands, name, "exec %s/%s \"$@\"");
    }
    write(commands, "scontrol", scontrol);
    return commands;
  }

  private static void write(Path commands, String name, String script) throws IOException {
    Path file = commands.resolve(name);
    Files.writeString(file, "#!/bin/bash\n" + script.formatted(REAL, name) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
