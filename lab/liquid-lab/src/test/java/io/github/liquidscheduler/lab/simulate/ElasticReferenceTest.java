package io.github.liquidscheduler.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference simulation of elastic jobs, through the command. */
class ElasticReferenceTest {

  private static final String TRACE = "job,arrival,model,size,iterations,min,max\n";
  private static final String CURVES = "model,gpus,iterations_per_second\nm,1,1\nm,2,1.5\nm,4,2\n";
  private static final String TWO_JOBS = TRACE + "0,0,m,2,300,1,4\n1,10,m,1,100,1,4\n";

  @TempDir Path folder;

  private Command simulate(String trace, String curves, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate",
                "--trace=" + Files.writeString(folder.resolve("trace.csv"), trace),
                "--curves=" + Files.writeString(folder.resolve("curves.csv"), curves),
                "--format=elastic",
                "--cluster=4xA100",
                "--reference=elastic"));
    arguments.addAll(List.of(more));
    return LabRun.of(arguments.toArray(String[]::new));
  }

  @Test
  void theResultHasTimesAndCounts() throws IOException {
    Command fixed = simulate(TWO_JOBS, CURVES, "--policy=tiresias", "--json=-");
    Command elastic =
        simulate(TWO_JOBS, CURVES, "--policy=marginal", "--scaling-cost=zero", "--json=-");

    assertThat(fixed.errors()).isEmpty();
    assertThat(fixed.figure("avg_jct")).isEqualTo(150);
    assertThat(fixed.figure("makespan")).isEqualTo(200);
    assertThat(fixed.figure("starts")).isEqualTo(2);
    assertThat(fixed.figure("resizes")).isZero();
    assertThat(elastic.figure("resizes")).isEqualTo(2);
    assertThat(elastic.figure("preemptions")).isZero();
    assertThat(elastic.figure("makespan"))
        .isCloseTo(10 + 100 / 1.5 + (300 - 20 - 100) / 2.0, within(1e-9));
  }

  @Test
  void theSummaryShowsSizeChanges() throws IOException {
    assertThat(simulate(TWO_JOBS, CURVES, "--policy=afs").output())
        .contains("scaling-cost      free", "size changes      2 resizes, 2 starts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policy=fifo | --policy must be one of tiresias, elastic-tiresias, compaction-only,",
        "--policy=afs --pending-limit=2 | policy afs has no use for --pending-limit",
        "--policy=tiresias --measured-sizes | policy tiresias has no use for --measured-sizes",
        "--policy=expansion-only --pending-limit=2 | has no use for --pending-limit",
        "--policy=srtf --service-thresholds=5 | policy srtf has no use for --service-thresholds",
        "--policy=afs --placer=pack | Unknown option: '--placer=pack'",
        "--policy=afs --scaling-cost=dear | a scaling cost must be zero, free or stop",
        "--policy=afs --strict | supports none of the conditions",
        "--policy=afs --service-samples=x | --service-samples is for --reference tiresias",
        "--policy=elastic-tiresias --min-fraction=2 | --min-fraction from 0 to 1",
        "--policy=tiresias --service-thresholds=7200,3250 | must be above 0 and ascend"
      })
  void whatDoesNotGoTogetherIsRefusedInOneLine(String options, String message) throws IOException {
    assertRefused(simulate(TWO_JOBS, CURVES, options.split(" ", -1)), message);
  }

  @Test
  void formatAndReferenceNeedEachOther() throws IOException {
    String[] elastic = {
      "simulate", "--trace=t", "--format=elastic", "--cluster=4xA100", "--policy=afs"
    };
    assertRefused(LabRun.of(elastic), "--format elastic needs --elastic, and --elastic needs it");
    String[] curves = {
      "simulate", "--trace=t", "--format=tiresias", "--cluster=4xA100", "--curves=c"
    };
    assertRefused(LabRun.of(curves), "need --format elastic");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,10,m,1,100,1        | trace.csv:3: a line must have 7 columns",
        "1,10,n,1,100,1,4      | trace.csv:3: column 'model' must be the model of a curve",
        "1,10,m,8,100,1,8      | trace.csv:3: column 'size' must be a whole number from 1 to 4",
        "1,10,m,2,100,1,1      | trace.csv:3: column 'max' must be a whole number from 2",
        "1,10.5,m,2,100,1,4    | trace.csv:3: column 'arrival' must be a whole number",
        "0,10,m,2,100,1,4      | trace.csv:3: column 'job' must come once",
        "1,10,m,2,0,1,4        | trace.csv:3: column 'iterations' must be a whole number from 1"
      })
  void aBadLineOfATrace(String line, String message) throws IOException {
    assertRefused(
        simulate(TRACE + "0,0,m,2,300,1,4\n" + line + "\n", CURVES, "--policy=afs"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m,2,5  | curves.csv:3: column 'gpus' must come once for each model",
        "m,0,5  | curves.csv:3: column 'gpus' must be a whole number from 1 to 4096",
        "m,3,0  | curves.csv:3: column 'iterations_per_second' must be a number above 0",
        "m,3,4  | a throughput curve must have a point at 1 GPU, but had points at [2, 3], for"
      })
  void aBadLineOfTheCurves(String line, String message) throws IOException {
    assertRefused(
        simulate(
            TWO_JOBS, "model,gpus,iterations_per_second\nm,2,1\n" + line + "\n", "--policy=afs"),
        message);
  }

  private static void assertRefused(Command command, String message) {
    assertThat(command.errors()).contains(message).doesNotContain("Exception");
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.status()).isEqualTo(2);
  }
}
