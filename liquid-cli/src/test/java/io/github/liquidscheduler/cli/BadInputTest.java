package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad usage and bad input: exit status 2, one line that names file, line and rule, no trace. */
class BadInputTest {

  private static final String HEADER =
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n";
  private static final String GOOD = "a,4,0,10,vgg11,100,0\n";

  @TempDir Path folder;

  private static void assertRefused(Command command, String... parts) {
    assertThat(command.errors()).contains(parts).doesNotContain("\tat ", "Exception");
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.output()).isEmpty();
    assertThat(command.status()).isEqualTo(2);
  }

  private Command simulate(String trace, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("trace.csv"), trace);
    return simulate(file, more);
  }

  private static Command simulate(Path trace, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("simulate", "--trace", trace.toString(), "--format", "tiresias"));
    List<String> extra = Arrays.asList(more);
    if (!extra.contains("--cluster")) {
      arguments.addAll(List.of("--cluster", "3x4xP100"));
    }
    arguments.addAll(extra);
    return Command.run(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b,4,0                              | trace.csv:3: ",
        "b,four,0,10,vgg11,100,0            | trace.csv:3",
        "b,-1,0,10,vgg11,100,0              | trace.csv:3",
        "b,1,-5,10,vgg11,100,0              | trace.csv:3",
        "b,1,0,10,vgg11,-100,0              | trace.csv:3",
        "b,99999999999999999999,0,10,x,1,0  | trace.csv:3",
        "b,1,0,10,vgg11,1e300,0             | trace.csv:3",
        "b,1,0,10,vgg11,NaN,0               | trace.csv:3",
        "a,4,0,10,vgg11,100,0               | a job id must come once"
      })
  void aBadLineOfATrace(String line, String message) throws IOException {
    assertRefused(simulate(HEADER + GOOD + line + "\n"), message);
  }

  @ParameterizedTest
  @CsvSource({"''", "'job_id,num_gpu,submit_time,iterations,model_name,duration,interval'"})
  void anEmptyTrace(String text) throws IOException {
    assertRefused(simulate(text), "trace.csv");
  }

  @Test
  void aLineOfAHundredMegabytes() throws IOException {
    Path trace = folder.resolve("trace.csv");
    byte[] megabyte = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = Files.newOutputStream(trace)) {
      out.write(HEADER.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 100; i++) {
        out.write(megabyte);
      }
    }

    assertRefused(simulate(trace), "trace.csv:2: a line must have at most 65536 bytes");
  }

  @Test
  void aTraceThatIsNotThereOrNoFile() {
    assertRefused(simulate(folder.resolve("none.csv")), "none.csv: there is no such file");
    assertRefused(simulate(folder), "must be a file, but is a directory");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policy lifo             | a policy must be one of fifo",
        "--placer nowhere          | a placer must be one of best-fit",
        "--cluster 3y4             | cluster '3y4', character 1",
        "--cluster 0x4xP100        | nodes must be from 1",
        "--cluster none.json       | none.json",
        "--duration-error maybe    | must be exact, none, limit, a factor or sigma=",
        "--hold-after 1h           | --hold-after is for --backfill",
        "--duration-error 0.1      | the error factor of durations must be from 1",
        "--start-overhead -3       | a time must be a number of seconds",
        "--start-overhead 9d       | must be from 0 s to a day",
        "--until 0                 | must be more than zero",
        "--node-mtbf 0             | must be from 1 s",
        "--seed x                  | is not a long",
        "--failures none.csv       | none.csv",
        "--throughputs none.json   | none.json",
        "--gpu-speeds known        | --gpu-speeds known needs --throughputs",
        "--gpu-speeds none.csv     | none.csv",
        "--gpu-speeds none.onnx    | none.onnx: cannot be read",
        "--move-pause 60s          | --move-pause needs speeds, but --gpu-speeds was none",
        "--json - --csv -          | only one of",
        "--no-such-option          | Unknown option: '--no-such-option'",
        "--json /no/such/dir/x     | cannot write '/no/such/dir/x'"
      })
  void badUsage(String options, String message) throws IOException {
    assertRefused(simulate(HEADER + GOOD, options.split(" ")), message);
  }

  @Test
  void anUnknownFormat() {
    assertRefused(
        Command.run("simulate", "--trace", "x", "--format", "y", "--cluster", "1x1xP100"),
        "a trace format must be one of csv, tiresias, gavel, shockwave,");
  }

  @Test
  void aMissingOption() {
    assertRefused(Command.run("simulate", "--trace", "x"), "Missing required option", "--help");
  }

  @Test
  void aCommandThatIsMisspelt() {
    assertRefused(Command.run("simulat"), "did you mean", "simulate");
  }

  @Test
  void anUnknownNodeInAFailure() throws IOException {
    Path failures = folder.resolve("failures.csv");
    Files.writeString(failures, "time,event,target\n30,node-lost,node-77\n");

    assertRefused(
        simulate(HEADER + GOOD, "--failures", failures.toString()),
        "failures.csv:2: the cluster has no node 'node-77'");
  }

  @Test
  void failuresOutOfTimeOrder() throws IOException {
    Path failures = folder.resolve("failures.csv");
    Files.writeString(
        failures, "time,event,target\n30,node-lost,node-0\n20,node-returned,node-0\n");

    assertRefused(
        simulate(HEADER + GOOD, "--failures", failures.toString()),
        "failures.csv:3: events must be in the order of their times");
  }

  @Test
  void aGangLargerThanTheClusterIsRejectedAtOnceWithTheReason() throws IOException {
    Command command = simulate(HEADER + "big,99,0,10,vgg11,100,0\n");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("'big' of 99 GPUs", "requested 99 GPUs, available 12 GPUs");
  }

  @Test
  void aTruncatedJournal() throws IOException {
    Path journal = folder.resolve("journal.jsonl");
    assertThat(simulate(HEADER + GOOD, "--journal", journal.toString()).status()).isZero();
    byte[] whole = Files.readAllBytes(journal);
    Files.write(journal, Arrays.copyOf(whole, whole.length - 20));

    assertRefused(Command.run("replay", "--journal", journal.toString()), "journal.jsonl", "line");
  }

  @Test
  void aJournalIsNotOverwritten() throws IOException {
    Path journal = Files.writeString(folder.resolve("journal.jsonl"), "precious");

    Command command = simulate(HEADER + GOOD, "--journal", journal.toString());

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(journal).content().isEqualTo("precious");
  }

  @Test
  void throughputsThatDoNotKnowAJobsModel() throws IOException {
    Path table = Files.writeString(folder.resolve("table.json"), "{\"v100\": {}}");

    assertRefused(
        simulate(HEADER + GOOD, "--throughputs", table.toString()),
        "has no speed of model 'vgg11' on 4 GPUs, for job 'a'");
  }
}
