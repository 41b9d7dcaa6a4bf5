package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareTest {

  @TempDir private Path folder;

  @BeforeEach
  void writeTrace() throws IOException {
    Random random = new Random(5);
    StringBuilder csv = new StringBuilder("job_id,submit_time,num_gpu,duration\n");
    int submit = 0;
    for (int job = 0; job < 60; job++) {
      submit += random.nextInt(60);
      csv.append(
          "%d,%d,%d,%d%n".formatted(job, submit, 1 << random.nextInt(4), 10 << random.nextInt(7)));
    }
    Files.writeString(trace(), csv);
  }

  @Test
  void eachPolicyIsComparedWithTheFirst() {
    Command command = compare("--policies", "fifo,best-effort-fifo,fifo+easy", "--seeds", "4");

    assertThat(command.errors()).isEmpty();
    assertThat(command.status()).isZero();
    List<String> lines = command.output().lines().toList();
    assertThat(lines.get(0)).startsWith("policy").contains("against first");
    assertThat(lines.get(2)).startsWith("fifo ").containsOnlyOnce("±");
    assertThat(lines.get(3))
        .startsWith("best-effort-fifo")
        .matches(".* -\\d+\\.\\d ± \\d+\\.\\d %.*");
    assertThat(lines.get(4)).startsWith("fifo+easy").matches(".* -\\d+\\.\\d ± \\d+\\.\\d %.*");
    assertThat(lines.getLast()).startsWith("Means over 4 draws of the trace");
  }

  @Test
  void theNumberOfThreadsChangesNothing() throws IOException {
    Path one = folder.resolve("one.csv");
    Path three = folder.resolve("three.csv");
    compare(
        "--policies",
        "fifo,las",
        "--placers",
        "best-fit,random",
        "--threads",
        "1",
        "--csv",
        one.toString());
    compare(
        "--policies",
        "fifo,las",
        "--placers",
        "best-fit,random",
        "--threads",
        "3",
        "--csv",
        three.toString());

    assertThat(one).hasSameTextualContentAs(three);
    assertThat(Files.readAllLines(one)).hasSize(1 + 2 * 2 * 5);
  }

  @Test
  void theFirstDrawIsWhatSimulateRuns() throws IOException {
    Path csv = folder.resolve("runs.csv");
    compare("--policies", "sjf", "--seeds", "1", "--csv", csv.toString());
    Command simulated =
        Command.run(
            "simulate",
            "--trace",
            trace().toString(),
            "--cluster",
            "2x8xA100",
            "--policy",
            "sjf",
            "--json",
            "-");

    String average = Files.readAllLines(csv).get(1).split(",", -1)[5];
    assertThat(Double.parseDouble(average)).isPositive();
    assertThat(simulated.output())
        .contains("\"avg_jct\" : " + average.substring(0, average.indexOf('.') + 2));
  }

  @Test
  void jsonHasMeansIntervalsAndDifferences() {
    Command command = compare("--policies", "fifo,srtf", "--json", "-");

    assertThat(command.output())
        .contains(
            "\"policies\" : [", "\"policy\" : \"srtf\"", "\"against_first\" : {", "\"low\" : ")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void ofOneOrTwoDrawsThereAreNoIntervals() {
    Command one = compare("--policies", "fifo,srtf", "--seeds", "1");
    Command two = compare("--policies", "fifo,srtf", "--seeds", "2", "--json", "-");

    assertThat(one.output()).contains("One run of each").doesNotContain("±");
    assertThat(two.output()).contains("\"mean\"").doesNotContain("\"low\"");
  }

  @Test
  void theReportClaimsOnlyWhatTheDrawsTell() throws IOException {
    Path report = folder.resolve("report.html");
    compare("--policies", "fifo,srtf", "--seeds", "6", "--html", report.toString());

    assertThat(Files.readString(report))
        .containsPattern("srtf finishes jobs \\d+.% sooner than fifo")
        .contains("The same 6 draws of the trace", "Over 6 draws of the trace they finish");

    compare(
        "--policies",
        "fifo,fifo+easy",
        "--placers",
        "best-fit",
        "--seeds",
        "3",
        "--load",
        "0.01",
        "--html",
        report.toString());

    assertThat(Files.readString(report)).doesNotContain("sooner than fifo", "later than fifo");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nonsense    | best-fit | 3 | nonsense
          fifo        | nonsense | 3 | nonsense
          fifo,fifo   | best-fit | 3 | fifo with best-fit is named twice
          fifo+quick  | best-fit | 3 | a policy may be followed by +easy or +conservative, but was 'fifo+quick'
          fifo        | best-fit | 0 | --seeds must be from 1 to 1000, but was 0
          """)
  void whatCannotBeComparedIsRefusedInOneLine(
      String policies, String placers, String seeds, String message) {
    Command command = compare("--policies", policies, "--placers", placers, "--seeds", seeds);

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.output()).isEmpty();
    assertThat(command.errors()).contains(message);
    assertThat(command.errors().lines()).hasSize(1);
  }

  private Command compare(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("compare", "--cluster", "2x8xA100", "--trace", trace().toString()));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  private Path trace() {
    return folder.resolve("jobs.csv");
  }
}
