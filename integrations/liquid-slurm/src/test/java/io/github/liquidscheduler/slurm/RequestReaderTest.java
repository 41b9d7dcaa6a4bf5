package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.slurm.JobLine.Column;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.SlurmConfig.Priorities;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job asks for, row by row. */
class RequestReaderTest {
  private final Map<String, List<String>> fields =
      new HashMap<>(
          Map.of(
              "tres_req_str", List.of("cpu=2,mem=1G,node=1,billing=2"),
              "max_nodes", List.of("1"),
              "requeue", List.of("true"),
              "batch_flag", List.of("true"),
              "tasks", List.of("1")));
  private final Map<Column, String> line =
      new EnumMap<>(
          Map.of(
              Column.JOB, "17",
              Column.ARRAY, "17",
              Column.TASK, "N/A",
              Column.STATE, "PD",
              Column.PARTITION, "batch",
              Column.PRIORITY, "1"));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "het_job_id; 13; heterogeneous jobs are",
        "deadline; 1796058789; --deadline is",
        "burst_buffer; #BB; --bb is",
        "federation_origin; fed; federated jobs are",
        "resv_name; weekend; --reservation is",
        "cluster_features; big; --cluster-constraint is",
        "contiguous; true; --contiguous is",
        "shared; user; --exclusive=user is",
        "exclusive; mcs; --exclusive=user is",
        "features; fast|slow; --constraint=fast|slow is",
        "features; fast*2; --constraint=fast*2 is",
        "features; [a&b]; --constraint=[a&b] is",
        "tres_per_socket; gres:gpu:1; --gpus-per-socket is",
        "tres_per_node; gres:shard:1; --gres=shard is",
        "tres_per_node; gres:gpu:a100:1,gres:gpu:h100:1; more than one kind of GPU is",
        "tres_per_job; gres:gpu:12; --gpus=12 may be divided unevenly",
        "max_nodes; 3; a range of nodes is"
      })
  void whatIsNotSupportedIsRefusedByName(String field, String value, String why)
      throws IOException {
    fields.put(field, List.of(value));
    if (field.equals("tres_per_job")) {
      fields.remove("max_nodes");
    }
    assertThat(read(config()))
        .isInstanceOfSatisfying(
            ObservedRequest.Unsupported.class,
            refused -> assertThat(refused.why()).startsWith(why));
  }

  @Test
  void tasksThatMayBeDividedUnevenlyAreRefused() throws IOException {
    fields.put("tres_req_str", List.of("cpu=4,mem=1G,node=2"));
    fields.put("max_nodes", List.of("2"));
    fields.put("tasks", List.of("4"));
    fields.put("tres_per_task", List.of("gres/gpu=1,cpu=1"));
    assertThat(read(config()).toString()).contains("Use --ntasks-per-node=N");
    fields.put("tasks_per_node", List.of("2"));
    assertThat(spec(config()).gpus()).isEqualTo(4);
  }

  @Test
  void moreNodesRequiredThanAskedForIsRefused() throws IOException {
    line.put(Column.REQUIRED, "gpu[1-2]");
    assertThat(read(config()).toString()).contains("-w must name as many nodes");
  }

  @Test
  void nodesThatTheSchedulerRequiredAreNotItsUsers() throws IOException {
    line.put(Column.REQUIRED, "gpu2");
    fields.put("admin_comment", List.of("liquid.required=-"));
    assertThat(spec(config()).excludedNodes()).isEmpty();
    fields.put("admin_comment", List.of("liquid.required=gpu3 liquid: waits"));
    assertThat(spec(config()).excludedNodes()).containsExactly("gpu1", "gpu2", "gpu4");
  }

  @Test
  void sharesOfANodeAreRoundedUp() throws IOException {
    fields.put("tres_req_str", List.of("cpu=5,mem=801M,node=2"));
    fields.put("max_nodes", List.of("2"));
    var request = spec(config()).role("node").orElseThrow().request();
    assertThat(request.cpu().orElseThrow().millicores()).isEqualTo(3000);
    assertThat(request.memory()).contains(Memory.ofBytes((801L << 19)));
  }

  @Test
  void severalFeaturesAreAllRequired() throws IOException {
    fields.put("features", List.of("fast&ib"));
    assertThat(spec(config()).nodeLabels())
        .containsEntry("feature/fast", "yes")
        .containsEntry("feature/ib", "yes");
  }

  @Test
  void aJobOfSeveralPartitionsRunsOnTheNodesOfAny() throws IOException {
    line.put(Column.PARTITION, "other,third");
    assertThat(spec(config()).excludedNodes()).containsExactly("gpu1", "gpu2", "gpu3");
  }

  @Test
  void wordsInTheCommentCount() throws IOException {
    comment("liquid.expected=2h30m liquid.preemptible=no liquid.priority=-3 liquid.topology=spine");
    JobSpec spec = spec(config());
    assertThat(spec.expectedWork().orElseThrow().duration()).contains(Duration.ofMinutes(150));
    assertThat(spec.isPreemptible()).isFalse();
    assertThat(spec.priority()).isEqualTo(-3);
    assertThat(spec.topology().required()).contains("spine");
    comment("liquid.topology=none");
    assertThat(spec(config()).topology().required()).isEmpty();
  }

  @Test
  void aWordThatIsNotUnderstoodIsSaidAndIgnored() throws IOException {
    comment(
        "liquid.expected=soon liquid.preemptible=maybe liquid.priority=high"
            + " liquid.topology=rack liquid.queue=mine liquid.color=red");
    ObservedRequest request = read(config());
    assertThat(request)
        .isInstanceOfSatisfying(
            ObservedRequest.Understood.class,
            understood ->
                assertThat(understood.ignored())
                    .hasSize(6)
                    .contains("ignored 'liquid.expected=soon': it must be a duration such as 2h30m")
                    .contains("ignored 'liquid.color=red': there is no such word"));
  }

  @Test
  void aUserMayLowerThePriorityAndRaiseItAsFarAsConfigured() throws IOException {
    Priorities priorities = new Priorities(Map.of("high", 100), Map.of("batch", 5), 10, 50);
    SlurmConfig config = config(priorities, Map.of());
    line.put(Column.NICE, "20");
    assertThat(spec(config).priority()).isEqualTo(3);
    line.put(Column.QOS, "high");
    assertThat(spec(config).priority()).isEqualTo(103);
    line.put(Column.QOS, "");
    comment("liquid.priority=50");
    assertThat(spec(config).priority()).isEqualTo(50);
    comment("liquid.priority=51");
    assertThat(spec(config).priority()).isEqualTo(3);
  }

  @Test
  void theQueueIsThatOfTheAccountElseOfThePartition() throws IOException {
    SlurmConfig config =
        config(Priorities.NONE, Map.of("physics", "research/physics", "batch", "rest"));
    line.put(Column.ACCOUNT, "physics");
    assertThat(spec(config).queue().value()).isEqualTo("research/physics");
    line.put(Column.ACCOUNT, "arts");
    assertThat(spec(config).queue().value()).isEqualTo("rest");
    comment("liquid.queue=research/physics");
    assertThat(spec(config).queue().value()).isEqualTo("research/physics");
    comment("");
    line.put(Column.PARTITION, "other");
    assertThat(read(config).toString())
        .contains("neither account 'arts' nor partition 'other' has a queue")
        .contains("[batch, physics]");
  }

  @Test
  void aJobThatIsNotABatchJobOrMayNotBeRequeuedIsNotPreemptible() throws IOException {
    assertThat(spec(config()).isPreemptible()).isTrue();
    fields.remove("batch_flag");
    assertThat(spec(config()).isPreemptible()).isFalse();
  }

  private void comment(String text) {
    fields.put("comment", List.of(text));
  }

  private JobSpec spec(SlurmConfig config) throws IOException {
    return ((ObservedRequest.Understood) read(config)).spec();
  }

  private ObservedRequest read(SlurmConfig config) throws IOException {
    List<String> values = new ArrayList<>();
    for (Column column : Column.values()) {
      values.add(line.getOrDefault(column, ""));
    }
    String text = String.join("|", values) + "|";
    SlurmCluster cluster =
        SlurmCluster.of(
            config,
            SlurmJson.read(
                "nodes", RecordedSlurm.text("22.05", "nodes.json"), "nodes", SlurmCluster.FIELDS),
            RecordedSlurm.text("22.05", "topology.txt"));
    return RequestReader.read(
        config, cluster, new ListedJob(JobLine.read(text).getFirst(), new SlurmRecord(fields)));
  }

  private static SlurmConfig config() {
    return SlurmConfig.of("batch");
  }

  private static SlurmConfig config(Priorities priorities, Map<String, String> queues) {
    return new SlurmConfig(
        List.of("batch"),
        Ownership.BEGIN_TIME,
        Map.of(),
        priorities,
        queues,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofMinutes(2),
        false,
        Optional.empty(),
        Optional.empty());
  }
}
