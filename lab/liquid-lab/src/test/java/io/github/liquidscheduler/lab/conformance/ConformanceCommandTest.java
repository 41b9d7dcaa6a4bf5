package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceCommandTest {

  private static final String CASES =
      """
      [{"id": "alone", "kind": "division", "area": "fairness", "part": "whole",
        "total": {"gpu": 4},
        "queues": [{"name": "a", "gpu": {"deserved": 2, "limit": -1, "overQuotaWeight": 1,
                                         "requested": 3}}],
        "expect": {"fairShare": {"a": {"gpu": 3}}}},
       {"id": "other", "kind": "tea"}]
      """;

  @TempDir Path folder;
  private Path cases = Path.of("");

  @BeforeEach
  void writeCases() throws IOException {
    cases = Files.writeString(folder.resolve("cases.json"), CASES);
  }

  @Test
  void theTableHasEachAreaAndWhatIsNotRun() throws IOException {
    Command command = LabRun.of("conformance", "--cases", cases.toString());

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .containsPattern("fairness +core +1 +1 +0")
        .contains("skipped, cases of the kind 'tea' are not run: 1");
  }

  @Test
  void theResultsCanBeWritten() throws IOException {
    Path results = folder.resolve("results.json");
    LabRun.of("conformance", "--cases", cases.toString(), "--json", results.toString());

    assertThat(results).content().contains("\"fairShare\"", "\"skipped\"");
  }

  @Test
  void aFileThatHoldsNoCasesIsRefused() throws IOException {
    Files.writeString(cases, "{}");
    Command command = LabRun.of("conformance", "--cases", cases.toString());

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("must be an array of cases");
  }
}
