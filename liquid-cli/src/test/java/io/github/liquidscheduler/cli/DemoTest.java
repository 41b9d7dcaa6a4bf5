package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {

  @TempDir private Path folder;

  private Command demo() {
    return Command.run("demo", "--html", folder.resolve("demo.html").toString());
  }

  @Test
  void theDemoComparesPoliciesAndExplainsAJob() {
    Command demo = demo();

    assertThat(demo.status()).isZero();
    assertThat(demo.errors()).isEmpty();
    assertThat(demo.output())
        .containsPattern("\nfifo +\\d")
        .containsPattern("\nlas +\\d")
        .contains("avg JCT", "What you see:", "waits:", "requested", "Next:");
  }

  @Test
  void theDemoIsTheSameEveryTime() {
    assertThat(demo()).isEqualTo(demo());
  }

  @Test
  void helpSaysWhatThereIs() {
    Command help = Command.run("--help");

    assertThat(help.status()).isZero();
    assertThat(help.output()).contains("demo", "simulate", "place", "replay", "Exit status");
  }

  @Test
  void simulateShowsExamples() {
    assertThat(Command.run("simulate", "--help").output())
        .contains("Examples:", "--backfill", "--trace=FILE");
  }
}
