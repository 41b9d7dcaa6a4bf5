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

class SimulateQueuesTest {

  @TempDir Path folder;

  private Path queues;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("trace.csv"),
        """
        timestamp,duration,num_gpus,cluster
        2017-09-04 10:00:00,100,4,vision
        2017-09-04 10:00:00,100,2,speech
        """);
    queues = folder.resolve("queues.json");
    Files.writeString(
        queues,
        """
        {"queues": [{"name": "vision", "gpus": {"guaranteed": 2}},
                    {"name": "speech", "gpus": {"guaranteed": 2}}]}
        """);
  }

  private Command simulate(String... more) {
    List<String> arguments = new ArrayList<>(List.of("simulate", "--format", "philly"));
    arguments.addAll(List.of("--trace", folder.resolve("trace.csv").toString()));
    arguments.addAll(List.of("--cluster", "1x4xP100", "--queues", queues.toString()));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  @Test
  void theSummarySaysHowQueuesWereTreated() {
    Command command = simulate();

    assertThat(command.errors()).isEmpty();
    assertThat(command.status()).isZero();
    assertThat(command.output())
        .containsPattern("policy +best-effort-fifo")
        .containsPattern("Jain's index +0.962")
        .containsPattern("share error +25.0 %")
        .contains("finish-time fair. average 1.133, worst 1.600, 50.0 % of the jobs above 1")
        .containsPattern("vision +1 +1m 40s +1m 40s +66.7 %")
        .containsPattern("speech +1 +0s +0s +100.0 %");
  }

  @Test
  void theJsonHasTheSameFigures() {
    // But for the nanosecond for which a job that starts gives nothing.
    assertThat(simulate("--json", "-").output())
        .contains("\"fairness\" : {")
        .containsPattern("\"share_error\" : 0\\.2(5|50000|49999)\\d*,")
        .containsPattern("\"worst_finish_time_fairness\" : 1\\.(6|60000|59999)\\d*,")
        .contains("\"queue\" : \"vision\",")
        .containsPattern("\"due_gpu_seconds\" : (600\\.0|599\\.99999)\\d*,");
  }

  @Test
  void aJobOfAnUnknownQueueIsRefusedInOneLine() throws IOException {
    Files.writeString(queues, "{\"queues\": [{\"name\": \"vision\"}]}");

    Command command = simulate();

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors())
        .hasLineCount(1)
        .contains("queues.json (vision)", "(line 3)", "trace.csv is in 'speech'");
  }

  @Test
  void aTreeThatIsNoneIsRefusedInOneLine() throws IOException {
    Files.writeString(queues, "{\"queues\": [{\"name\": \"a\", \"parent\": \"a\"}]}");

    Command command = simulate();

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors())
        .hasLineCount(1)
        .contains("queues.json", "a queue must not be a part of itself, but is 'a' in 'a'");
  }

  @Test
  void aPolicyMayBlockInsideQueues() {
    assertThat(simulate("--policy", "fifo").status()).isZero();
  }

  @Test
  void plansAreMadeForAllQueues() {
    Command command = simulate("--mode", "batch", "--window", "10s", "--planner", "greedy");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .containsPattern("window +PT10S")
        .containsPattern("jobs +2: 2 finished")
        .containsPattern("vision +1 +2m 00s");
  }

  @Test
  void reservationsHoldAcrossQueues() {
    Command command = simulate("--backfill", "easy");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .containsPattern("jobs +2: 2 finished")
        .containsPattern("promises +2, 2 kept");
  }
}
