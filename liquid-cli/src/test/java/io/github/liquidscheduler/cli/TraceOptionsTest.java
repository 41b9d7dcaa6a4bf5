package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of one's own, and those of others. */
class TraceOptionsTest {

  @TempDir Path folder;

  private Command simulate(String text, String... more) throws IOException {
    Path trace = Files.writeString(folder.resolve("jobs.csv"), text);
    List<String> arguments =
        List.of("simulate", "--cluster", "1x4xP100", "--trace", trace.toString());
    return Command.run(Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void aTraceOfOnesOwnNeedsNoFormatAndMayNameItsColumns() throws IOException {
    String columns = "submit_time=arrival,num_gpu=gpus,duration=seconds";

    assertThat(
            simulate("submit_time,num_gpu,duration\n0,4,100\n0,4,50\n", "--json=-")
                .figure("makespan"))
        .isEqualTo(150);
    assertThat(
            simulate("arrival,gpus,seconds\n0,4,100\n0,4,50\n", "--json=-", "--columns", columns)
                .figure("makespan"))
        .isEqualTo(150);
  }

  @Test
  void underLoadJobsComeSooner() throws IOException {
    Command command =
        simulate("submit_time,num_gpu,duration\n0,4,100\n400,4,50\n", "--json=-", "--load", "2");

    assertThat(command.figure("makespan")).isEqualTo(250);
    assertThat(command.output()).contains("\"load\" : \"2.0\"");
    assertThat(simulate("submit_time,num_gpu,duration\n0,4,100\n", "--load", "0").errors())
        .contains("the load must be a factor from 0.001 to 1000.0, but was 0.0");
  }

  @Test
  void jobsThatAreLeftOutAreCountedBesideTheResult() throws IOException {
    Command command =
        simulate("submit_time,num_gpu,duration\n0,4,100\n0,0,9\n0,1,null\n", "--json=-");

    assertThat(command.status()).isZero();
    assertThat(command.errors())
        .contains("jobs.csv: left out 1 job that asked for no GPU, the first on line 3")
        .contains("jobs.csv: left out 1 job that had not ended, the first on line 4");
    assertThat(command.output()).contains("\"left out\" : \"1 job that asked for no GPU,");
  }

  @Test
  void halvesOfGpusRunSideBySide() throws IOException {
    Command command =
        simulate(
            "submit_time,num_gpu,duration\n0,3,100\n0,0.5,100\n0,0.5,100\n",
            "--json=-",
            "--strict",
            "--placer",
            "best-fit");

    assertThat(command.figure("makespan")).isEqualTo(100);
  }

  @Test
  void onlyTracesOfOnesOwnNameTheirColumns() throws IOException {
    assertThat(simulate("x\n", "--format", "helios", "--columns", "num_gpu=n").errors())
        .contains("--columns is for --format csv");
    assertThat(simulate("x\n", "--columns", "gpus=n").errors())
        .contains("a column must tell one of job_id, submit_time,");
  }
}
