package io.github.liquidscheduler.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TutorialTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"cluster", "scheduler", "act", "journal", "why", "recover"})
  void theTutorialShowsTheProgramAsItIs(String region) throws IOException {
    assertThat(ExamplesTest.read("docs/tutorial.md"))
        .contains(ExamplesTest.region("FirstScheduler", region));
  }

  @Test
  void theTutorialShowsWhatTheProgramPrints(@TempDir Path folder) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    FirstScheduler program = new FirstScheduler(new PrintStream(printed, true, UTF_8));
    Path journal = folder.resolve("first.journal");

    program.run(NOON, journal);
    String before = printed.toString(UTF_8);
    program.recover(NOON.plus(Duration.ofHours(1)), journal);
    String after = printed.toString(UTF_8).substring(before.length());

    String tutorial = ExamplesTest.read("docs/tutorial.md");
    assertThat(tutorial).contains(before.substring(before.indexOf("job 'tune'")));
    assertThat(after).startsWith("start tune: [worker/0 on node-").hasLineCount(1);
    assertThat(before).startsWith("start train: [worker/0 on node-0[0]");
  }
}
