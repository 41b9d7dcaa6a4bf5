package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.planning.BatchPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line does with jobs that are planned together. */
class BatchCommandsTest {

  @TempDir private Path folder = Path.of("");
  private String jobs = "";
  private String trace = "";

  @BeforeEach
  void writeFiles() throws IOException {
    jobs = folder.resolve("jobs.json").toString();
    Files.writeString(
        Path.of(jobs),
        """
        [{"id": "a", "gpus": 2, "communication": {"type": "allReduce", "bytesPerIteration": 1000000}},
         {"id": "b", "gpus": 4, "communication": {"type": "allReduce", "bytesPerIteration": 1000000}},
         {"id": "c", "gpus": 6}, {"id": "d", "gpus": 4}]
        """);
    trace = folder.resolve("trace.csv").toString();
    StringBuilder rows =
        new StringBuilder("job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n");
    for (int job = 1; job <= 12; job++) {
      rows.append(job)
          .append(',')
          .append(1 + job % 4)
          .append(',')
          .append(3 * job)
          .append(",100,vgg16,60,0\n");
    }
    Files.writeString(Path.of(trace), rows);
  }

  @Test
  void planPrintsThePlanItsCertificateAndWhatTheOthersComeTo() {
    Command command = plan("--steps=500");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("start b: node-", "wait  d", "The plan costs")
        .containsPattern("timefold +3 +1 ")
        .containsPattern("greedy +3 +1 ");
  }

  @Test
  void planSaysWhichJobsCanNeverRunAndWhy() throws IOException {
    Path file = folder.resolve("huge.json");
    Files.writeString(file, "[{\"id\": \"a\", \"gpus\": 2}, {\"id\": \"huge\", \"gpus\": 99}]");
    String[] plan = {"plan", "--cluster=1x2xV100", "--jobs=" + file, "--max-moves=10"};

    assertThat(run(plan).output())
        .contains("start a: node-0[0-1]\n")
        .contains("never huge: can never run here: ", "requested 99 GPUs, available 2 GPUs")
        .contains("no plan that starts the same jobs costs less")
        .containsPattern("greedy +1 +0 ");
    assertThat(run(plan, "--json").output())
        .contains("\"rejected\": [{\"type\":\"reject\",\"job\":\"huge\"");
  }

  @Test
  void aPlanOfWhichNothingIsProvedDoesNotSayThatAllOfItCouldBeSaved() throws IOException {
    Path file = folder.resolve("half.json");
    Files.writeString(file, "[{\"id\": \"a\", \"gpus\": 1}]");

    assertThat(run(new String[] {"plan", "--cluster=1x2xV100", "--jobs=" + file}).output())
        .contains("The plan costs 0.001 s; how much of that another plan could save is not known.")
        .containsPattern("greedy +1 +0 +0.001 s +unknown ");
  }

  @Test
  void aPlanForPeopleStaysShortHoweverLargeTheGang() throws IOException {
    Path file = folder.resolve("large.json");
    Files.writeString(file, "[{\"id\": \"a\", \"gpus\": 64}]");

    assertThat(run(new String[] {"plan", "--cluster=8x8xV100", "--jobs=" + file}).output())
        .contains("start a: node-0[0-7], node-1[0-7], ", "node-5[0-7] and 2 more nodes\n");
  }

  @Test
  void aSimulationInBatchModeSaysWhatImmediateModeComesTo() {
    assertThat(simulate("--mode=batch", "--window=15s", "--max-moves=10").output())
        .contains("With --mode immediate the average completion time is ");
    assertThat(simulate("--mode=batch", "--max-moves=10", "--json=-").output()).endsWith("}\n");
  }

  @Test
  void planBringsJobsTogetherThatMayShare() throws IOException {
    Path sharing = folder.resolve("sharing.json");
    String job =
        """
        {"id": "%s", "gpus": 1, "workload": {"family": "ResNet-18", "batchSize": 16}, "sharing": {"type": "opportunistic"}}
        """;
    Files.writeString(sharing, "[%s,%s]".formatted(job.formatted("a"), job.formatted("b")));
    String[] plan = {"plan", "--cluster=1x1xV100", "--jobs=" + sharing, "--steps=100"};

    assertThat(run(plan).output()).contains("start a", "wait  b");
    assertThat(run(plan, "--colocate").output())
        .contains("start a", "start b")
        .containsPattern("timefold +2 +0 ");
  }

  @Test
  void planPrintsJsonThatReadsBack() {
    String json = plan("--steps=500", "--planner=greedy", "--json").output();

    int start = json.indexOf("\"greedy\": ") + 10;
    int end = json.indexOf("\n    }", start) + 6;
    BatchPlan plan = JsonCodecs.PLAN.read("output", json.substring(start, end));

    assertThat(json).contains("\"planner\": \"greedy\"");
    assertThat(plan.starts()).hasSize(3);
  }

  @Test
  void aSimulationInBatchModeReplays() {
    String journal = folder.resolve("events.jsonl").toString();
    Command simulated =
        simulate(
            "--mode=batch",
            "--window=15s",
            "--max-moves=200",
            "--plan-delay=2s",
            "--journal=" + journal);
    Command replayed = Command.run("replay", "--journal", journal);

    assertThat(simulated.errors()).isEmpty();
    assertThat(simulated.output()).contains("window", "PT15S", "planner", "timefold");
    assertThat(replayed.status()).isZero();
    assertThat(replayed.output()).contains("every decision is as recorded");
    assertThat(Path.of(journal)).content().contains("\"requestPlan\"", "\"planProposed\"");
  }

  @Test
  void optionsOfBatchModeNeedIt() {
    assertThat(simulate("--window=15s").errors())
        .contains(
            "--window, --bypass-limit, --planner, --max-moves and --plan-delay need --mode batch");
    assertThat(simulate("--mode=batch", "--bypass-limit=-1").errors())
        .contains("--bypass-limit must not be negative, but was -1");
    assertThat(simulate("--mode=bunch").errors())
        .contains("--mode must be immediate or batch, but was 'bunch'");
    assertThat(simulate("--mode=batch", "--planner=nobody").errors())
        .contains("a planner must be one of timefold, greedy, but was 'nobody'");
    assertThat(plan("--seconds=0").errors()).contains("--seconds must be positive");
  }

  private Command plan(String... more) {
    return run(new String[] {"plan", "--cluster=3x4xV100", "--jobs=" + jobs}, more);
  }

  private Command simulate(String... more) {
    return run(
        new String[] {"simulate", "--cluster=2x4xV100", "--format=tiresias", "--trace=" + trace},
        more);
  }

  private static Command run(String[] first, String... more) {
    String[] all = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return Command.run(all);
  }
}
