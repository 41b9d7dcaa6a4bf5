package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateForecastsTest {

  @TempDir Path folder;

  private Path trace;

  /** Sixty jobs of a whole node, of which all but the first have to wait. */
  @BeforeEach
  void writeTrace() throws IOException {
    StringBuilder text = new StringBuilder("job_id,num_gpu,submit_time,duration\n");
    for (int job = 0; job < 60; job++) {
      text.append("j%d,4,%d,%d\n".formatted(job, job, 100 + job % 7));
    }
    trace = Files.writeString(folder.resolve("trace.csv"), text);
  }

  private Command simulate(String... more) {
    List<String> arguments = new ArrayList<>(List.of("simulate", "--format", "tiresias"));
    arguments.addAll(List.of("--trace", trace.toString(), "--cluster", "1x4xP100"));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  @Test
  void inOrderOfSubmissionAndWithKnownDurationsStartsAreForeseenToTheSecond() {
    Command command = simulate("--forecasts", "1");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .contains("asked 59, told 59, 100.0 % within a second, median error 0s")
        .containsPattern("not bypassed +59, 100.0 % within a second");
  }

  @Test
  void whoeverComesLaterAndStartsBeforeIsCountedApart() {
    assertThat(simulate("--forecasts", "1", "--policy", "sjf").output())
        .containsPattern("not bypassed +[1-4]?[0-9], 100.0 % within a second");
  }

  @Test
  void theJsonHasTheSameFigures() {
    assertThat(simulate("--forecasts", "2", "--json", "-").output())
        .contains("\"forecasts\" : {")
        .contains("\"asked\" : 30,")
        .contains("\"within_a_second\" : 30,");
  }

  @Test
  void withoutDurationsNothingCanBeToldBeforeJobsHaveEnded() {
    assertThat(simulate("--forecasts", "1", "--duration-error", "none").output())
        .contains("asked 59, told 0, none within a second");
  }

  @Test
  void aQuestionMayLookTooShortAhead() {
    assertThat(simulate("--forecasts", "1", "--forecast-steps", "3").output())
        .containsPattern("asked 59, told \\d+, 100.0 % within a second")
        .doesNotContain("told 59");
  }

  @Test
  void numbersBelowOneAreRefused() {
    Command command = simulate("--forecasts", "0");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).hasLineCount(1).contains("at least 1, but were every 0");
  }
}
