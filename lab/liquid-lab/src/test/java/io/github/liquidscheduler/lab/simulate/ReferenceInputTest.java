package io.github.liquidscheduler.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceInputTest {

  private static final String HEADER =
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n";

  @TempDir private Path folder = Path.of("");

  private Command simulate(String trace, String options) throws IOException {
    Path file = Files.writeString(folder.resolve("trace.csv"), HEADER + trace);
    List<String> arguments =
        new ArrayList<>(List.of("simulate", "--trace", file.toString(), "--format", "tiresias"));
    if (!options.contains("--cluster")) {
      arguments.addAll(List.of("--cluster", "3x4xP100"));
    }
    arguments.addAll(Arrays.asList(options.split(" ")));
    return LabRun.of(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--reference slurm                              | --reference must be tiresias",
        "--reference tiresias --policy lifo             | must be one of fifo, fjf",
        "--reference tiresias --policy dlas-gpu-gittins | needs --service-samples",
        "--reference gavel --policy fifo_perf           | --reference gavel needs --throughputs",
        "--reference tiresias --until 5                 | supports none of the conditions",
        "--reference tiresias --html r.html             | records nothing for --html",
        "--reference tiresias --journal j               | Unknown options: '--journal', 'j'",
        "--reference tiresias --cluster 1x1xP100        | a job must fit into the cluster of 1",
        "--reference lucid --service-samples x          | is for --reference tiresias",
        "--reference lucid --round-length 60            | is for --reference rounds",
        "--reference lucid --reservations 2             | is for --reference backfill",
        "--reference rounds --policy best               | an algorithm must be one of wspt",
        "--reference rounds --policy hlas --round-length 0 | a round must take some time",
        "--reference elastic                            | --format elastic needs --reference"
      })
  void badUsageIsRefusedInOneLine(String options, String message) throws IOException {
    Command command = simulate("a,4,0,10,vgg11,100,0\n", options);

    assertThat(command.errors()).contains(message).doesNotContain("\tat ", "Exception");
    assertThat(command.errors()).hasLineCount(1);
    assertThat(command.output()).isEmpty();
    assertThat(command.status()).isEqualTo(2);
  }

  @Test
  void jobsOfATraceTrainInRounds() throws IOException {
    Command command =
        simulate(
            "a,1,0,10,vgg11,100,0\nb,1,0,10,vgg11,200,0\n",
            "--cluster 1xP100,1xK80 --reference rounds --policy srpt --round-length 10 --json -");

    assertThat(command.output())
        .contains("\"reference\" : \"rounds\"", "\"round-length\" : \"PT10S\"")
        .contains("\"avg_jct\" : 150.0", "\"utilization\" : 0.75");
  }

  @Test
  void withoutAReferenceThePlacersOfOtherSystemsAreKnown() throws IOException {
    assertThat(simulate("a,4,0,10,vgg11,100,0\n", "--placer buddy-cells --json -").output())
        .contains("\"placer\" : \"buddy-cells\"");
    assertThat(simulate("a,4,0,10,vgg11,100,0\n", "--placer tetris").errors())
        .contains("share-lucid, but was 'tetris'");
  }
}
