package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {

  private static final String HEADER =
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n";

  @TempDir Path folder;

  private Path trace;

  @BeforeEach
  void writeTrace() throws IOException {
    trace = folder.resolve("trace.csv");
    Files.writeString(
        trace, HEADER + "a,4,0,10,vgg11,100,0\nb,4,10,10,vgg11,50,0\nc,99,20,10,vgg11,50,0\n");
  }

  private String[] arguments(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("simulate", "--format", "tiresias", "--cluster", "1x4xP100", "--trace"));
    arguments.add(trace.toString());
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private Command simulate(String... more) {
    return Command.run(arguments(more));
  }

  @Test
  void withoutAnOutputThereIsASummaryForPeople() {
    Command command = simulate();

    assertThat(command.status()).isZero();
    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .contains("3: 2 finished, 1 rejected, 0 unfinished")
        .contains("average 2m 00s")
        .contains("rejected 'c' of 99 GPUs: can never run here");
  }

  @Test
  void aModelInAnotherCaseIsRejectedWithTheModelsThatThereAre() throws IOException {
    Path jobs =
        Files.writeString(
            folder.resolve("jobs.csv"),
            "job_id,submit_time,num_gpu,duration,gpu_models\na,0,1,60,a100\n");

    Command command = Command.run("simulate", "--cluster", "1x4xA100", "--trace", jobs.toString());

    assertThat(command.output()).contains("1 rejected", "[a100] of [A100]");
  }

  @Test
  void jobsWithoutAMeasuredSpeedAreSkippedOnRequestAndCounted() throws IOException {
    Path table =
        Files.writeString(
            folder.resolve("table.json"), "{\"p100\": {\"('vgg11', 4)\": {\"null\": 2.0}}}");

    Command command = simulate("--throughputs", table.toString(), "--skip-unmeasured");

    assertThat(command.output())
        .contains("skipped           1 job without a measured speed\n", "2: 2 finished")
        .contains("average 5s");
    assertThat(simulate("--throughputs", table.toString()).errors())
        .contains("has no speed of model 'vgg11' on 99 GPUs, for job 'c'")
        .contains("nor for 0 more of the 3 jobs. Skip such jobs with --skip-unmeasured");
  }

  @Test
  void jobsRunWhereTheyAreFastestIfTheSchedulerKnowsAndMove() throws IOException {
    Path table =
        Files.writeString(
            folder.resolve("table.json"),
            """
            {"p100": {"('vgg11', 1)": {"null": 2.0}, "('vgg19', 1)": {"null": 10.0}},
             "k80": {"('vgg11', 1)": {"null": 1.0}, "('vgg19', 1)": {"null": 1.0}}}
            """);
    Files.writeString(trace, HEADER + "a,1,0,2000,vgg11,100,0\nb,1,1,10000,vgg19,100,0\n");
    Path speeds =
        Files.writeString(
            folder.resolve("speeds.csv"),
            "workload,gpu_model,speed\nvgg11,P100,2\nvgg11,K80,1\nvgg19,P100,10\nvgg19,K80,1\n");

    assertThat(twoModels(table)).contains("\"makespan\" : 10001.0");
    assertThat(twoModels(table, "--gpu-speeds", "unordered")).contains("\"finished\" : 2");
    for (String known : List.of("known", speeds.toString())) {
      assertThat(twoModels(table, "--gpu-speeds", known, "--move-pause", "10s"))
          .contains("\"gpu-speeds\" : \"" + known, "\"move-pause\" : \"PT10S\"")
          .contains("\"makespan\" : 1900.1");
    }
  }

  private String twoModels(Path table, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("simulate", "--format", "tiresias", "--cluster", "1xP100,1xK80"));
    arguments.addAll(List.of("--trace", trace.toString(), "--throughputs", table.toString()));
    arguments.addAll(List.of("--json", "-"));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new)).output();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "priority   | Jobs of a trace have equal priorities, so priority decides as"
            + " best-effort-fifo",
        "las        | No waiting job had attained service, so las decides as best-effort-fifo"
            + " does.",
        "srtf       | No job was pre-empted, so srtf decides as sjf does.",
        "fair-share | All jobs are in one queue, so fair-share decides as best-effort-fifo does."
      })
  void aPolicyThatMakesNoDifferenceSaysWhy(String policy, String why) throws IOException {
    Files.writeString(trace, HEADER + "a,4,0,10,vgg11,100,0\nb,4,10,10,vgg11,100,0\n");

    assertThat(simulate("--policy", policy).output()).contains(why);
    assertThat(simulate("--policy", policy, "--json=-").output()).doesNotContain(why);
  }

  @Test
  void aTraceInWhichNobodyWaitsSaysSo() throws IOException {
    Files.writeString(trace, HEADER + "a,4,0,10,vgg11,100,0\n");

    assertThat(simulate("--policy", "las").output())
        .contains("No job waited, so every policy gives this result.");
  }

  @Test
  void everyFigureOfTheSummaryIsDefinedInTheHelp() {
    String help = Command.run("simulate", "--help").output();

    assertThat(simulate().output().lines().dropWhile(line -> !line.isEmpty()).skip(1))
        .filteredOn(line -> !line.isBlank() && !line.startsWith("  "))
        .hasSizeGreaterThan(6)
        .allSatisfy(line -> assertThat(help).contains("  " + line.substring(0, 17)));
  }

  @Tag("slow")
  @Test
  void waysToAskAreComparedSideBySide() {
    Command command = simulate("--estimator", "compare", "--over-request", "3");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("users")
        .contains("estimator without model")
        .contains("estimator, families unseen")
        .contains("estimator, shipped model")
        .contains("perfect knowledge");
  }

  @Test
  void backfillKeepsAPlaceForTheLargeJobAndCountsPromises() throws IOException {
    Files.writeString(
        trace,
        HEADER
            + "half,2,0,10,vgg11,100,0\n"
            + "large,4,1,10,vgg11,50,1\n"
            + "long,1,2,10,vgg11,200,1\n"
            + "short,1,3,10,vgg11,90,1\n");
    Path csv = folder.resolve("jobs.csv");
    Path journal = folder.resolve("journal.jsonl");

    Command command =
        simulate("--backfill", "easy", "--csv", csv.toString(), "--journal", journal.toString());

    assertThat(command.status()).isZero();
    assertThat(command.output()).contains("promises          2, 2 kept");
    assertThat(csv)
        .content()
        .contains("large,4,finished,1,100,150,", "long,1,finished,2,150,", "short,1,finished,3,3,");
    assertThat(Command.run("replay", "--journal", journal.toString()).output())
        .contains("every decision is as recorded");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --backfill some                        | --backfill must be none, easy or conservative
          --backfill easy --mode batch           | is not for --mode batch
          --backfill easy --reservations 0       | --reservations must be at least 1, but was 0
          --backfill conservative --reservations 2 | --reservations is for --backfill easy
          --assumed-run-time 1h                  | --assumed-run-time is for --backfill
          """,
      quoteCharacter = '"')
  void backfillRefusesWhatDoesNotGoWithIt(String options, String message) {
    Command command = simulate(options.split(" "));

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains(message);
  }

  @Test
  void usersWhoUnderAskSeeTheirJobsKilled() throws IOException {
    Files.writeString(trace, HEADER + "a,1,0,10,vgg11,100,0\n");

    Command command = simulate("--over-request", "0.5", "--request-spread", "1", "--json", "-");

    assertThat(command.status()).isZero();
    assertThat(command.figure("out_of_memory")).isEqualTo(2);
  }

  @Test
  void aModelThatIsNotThereIsRefusedBeforeAnythingRuns() {
    Command command = simulate("--estimator", "nothing.onnx");

    assertThat(command.status()).isNotZero();
    assertThat(command.errors()).contains("nothing.onnx");
  }

  @Test
  void jsonOnTheStandardOutputIsAlone() {
    Command command = simulate("--json", "-");

    assertThat(command.output()).startsWith("{").endsWith("}\n");
    assertThat(command.figure("avg_jct")).isEqualTo(120);
    assertThat(command.figure("utilization")).isEqualTo(1);
    assertThat(command.figure("preemptions")).isZero();
  }

  @Test
  void eachJobHasALineInTheCsv() throws IOException {
    Path csv = folder.resolve("jobs.csv");
    simulate("--csv", csv.toString());

    assertThat(csv)
        .content()
        .contains("a,4,finished,0,0,100,100,0,100,0,0,")
        .contains("b,4,finished,10,100,150,140,90,50,0,0,")
        .contains("c,99,rejected,20");
  }

  @Test
  void aJournalIsReplayedWithTheSameDigest() {
    Path journal = folder.resolve("journal.jsonl");
    Command simulated = simulate("--policy", "srtf", "--journal", journal.toString());
    Command replayed = Command.run("replay", "--journal", journal.toString());

    assertThat(replayed.status()).isZero();
    assertThat(replayed.output())
        .contains("every decision is as recorded")
        .contains(digestOf(simulated.output()));
  }

  @Test
  void failuresHappenWhenTheScriptSays() throws IOException {
    Path failures = folder.resolve("failures.csv");
    Files.writeString(
        failures, "time,event,target\n30,node-lost,node-0\n40,node-returned,node-0\n");

    Command command =
        simulate("--failures", failures.toString(), "--checkpoint-interval", "20s", "--json", "-");

    assertThat(command.figure("failures")).isEqualTo(1);
    assertThat(command.figure("makespan")).isEqualTo(170);
  }

  @Tag("other-jvm")
  @Test
  void twoProcessesWithOneSeedDecideAlike() throws Exception {
    String[] arguments =
        arguments(
            "--policy",
            "las",
            "--placer",
            "random",
            "--duration-error",
            "3",
            "--node-mtbf",
            "60",
            "--node-repair",
            "5",
            "--seed",
            "42");

    String here = digestOf(Command.run(arguments).output());
    String there = digestOf(inAnotherProcess(arguments));

    assertThat(there).isEqualTo(here).hasSize(64);
  }

  private static String digestOf(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("decisions digest"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(output));
  }

  private static String inAnotherProcess(String... arguments) throws Exception {
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    List<String> command =
        Stream.concat(
                Stream.of(
                    java,
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.github.liquidscheduler.cli.LiquidCommand"),
                Stream.of(arguments))
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
