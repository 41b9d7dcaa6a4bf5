package io.github.liquidscheduler.slurm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRunnerTest {
  @TempDir private Path folder;

  @Test
  void aCommandOfTheFolderAnswersWithStatusOutputAndErrors() throws IOException {
    command("squeue", "echo \"$SLURM_CONF $TZ $1\"; echo oh >&2; exit 3");
    assertThat(run(Duration.ofSeconds(20), "squeue", "a b"))
        .isEqualTo(new Answer(3, "/etc/s.conf UTC a b\n", "oh\n"));
  }

  @Test
  void muchOutputDoesNotStopIt() throws IOException {
    command("squeue", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero");
    assertThat(run(Duration.ofSeconds(20), "squeue").output()).hasSize(300_000);
  }

  @Test
  void oneThatTakesTooLongIsEnded() throws IOException {
    command("squeue", "exec cat /dev/zero >/dev/null");
    assertThatIOException()
        .isThrownBy(() -> run(Duration.ofMillis(200), "squeue"))
        .withMessageContaining("squeue must end within PT0.2S");
  }

  @Test
  void oneThatIsNotThereIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> run(Duration.ofSeconds(1), "sinfo"))
        .withMessageContaining("sinfo");
  }

  private void command(String name, String script) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Answer run(Duration timeout, String... command) throws IOException {
    return new ProcessRunner(Optional.of(folder), Optional.of(Path.of("/etc/s.conf")), timeout)
        .run(List.of(command));
  }
}
