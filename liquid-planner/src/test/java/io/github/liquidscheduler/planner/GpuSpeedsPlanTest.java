package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GpuSpeedsPlanTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel P100 = GpuModel.of("P100");
  private static final GpuModel K80 = GpuModel.of("K80");

  static Stream<BatchPlanner> planners() {
    return Stream.of(BatchPlanners.greedy(), BatchPlanners.timefold());
  }

  @ParameterizedTest
  @MethodSource("planners")
  void aJobRunsWhereItIsFastestWhateverTheOrderOfItsList(BatchPlanner planner) {
    JobSpec job = JobSpec.builder("a").gpus(1).gpuModels(List.of(K80, V100)).build();
    PlanRequest.Builder request = PlanRequest.builder(idle()).pending(job);

    assertThat(nodeOf("a", planner.plan(request.build()))).isEqualTo("k");
    request.gpuSpeeds(job.id(), Map.of(V100, 1.0, K80, .5));
    assertThat(nodeOf("a", planner.plan(request.build()))).isEqualTo("v");
  }

  @ParameterizedTest
  @MethodSource("planners")
  void whereASpeedIsNotKnownAJobIsTakenToBeSlow(BatchPlanner planner) {
    JobSpec job = JobSpec.builder("a").gpus(1).gpuModels(List.of(P100, K80, V100)).build();
    PlanRequest request =
        PlanRequest.builder(idle())
            .pending(job)
            .gpuSpeeds(job.id(), Map.of(V100, 1.0, K80, .5))
            .build();

    assertThat(nodeOf("a", planner.plan(request))).isEqualTo("v");
  }

  @ParameterizedTest
  @MethodSource("planners")
  void theListSaysWhichModelsAreAllowed(BatchPlanner planner) {
    JobSpec job = JobSpec.builder("a").gpus(1).gpuModels(List.of(K80)).build();
    PlanRequest request =
        PlanRequest.builder(idle())
            .pending(job)
            .gpuSpeeds(job.id(), Map.of(V100, 1.0, K80, .1))
            .build();

    assertThat(nodeOf("a", planner.plan(request))).isEqualTo("k");
  }

  @Test
  void fastGpusGoToTheJobThatGainsMostByThem() {
    PlanRequest request =
        PlanRequest.builder(idle())
            .pending(List.of(aJob("twice"), aJob("tenfold"), aJob("thrice")))
            .gpuSpeeds(JobId.of("twice"), Map.of(V100, 1.0, P100, .9, K80, .5))
            .gpuSpeeds(JobId.of("tenfold"), Map.of(V100, 1.0, P100, .5, K80, .1))
            .gpuSpeeds(JobId.of("thrice"), Map.of(V100, 1.0, P100, .8, K80, .3))
            .build();

    BatchPlan plan = BatchPlanners.timefold().plan(request);

    assertThat(nodeOf("tenfold", plan)).isEqualTo("v");
    assertThat(nodeOf("thrice", plan)).isEqualTo("p");
    assertThat(nodeOf("twice", plan)).isEqualTo("k");
  }

  @Test
  void speedsAreOfJobsOfTheRequestAndPartsOfTheFastest() {
    PlanRequest.Builder request = PlanRequest.builder(idle()).pending(aJob("a"));

    assertThatThrownBy(() -> request.gpuSpeeds(JobId.of("b"), Map.of(V100, 1.0)))
        .hasMessage("speeds must be of a job that was added, but job 'b' was not");
    assertThatThrownBy(() -> request.gpuSpeeds(JobId.of("a"), Map.of(V100, 2.0)))
        .hasMessage("a speed must be above 0 and at most 1, but was 2.0 on V100, of job 'a'");
  }

  private static JobSpec aJob(String id) {
    return JobSpec.builder(id).gpus(1).build();
  }

  private static String nodeOf(String job, BatchPlan plan) {
    Set<NodeId> nodes =
        plan.starts().stream()
            .filter(start -> start.job().equals(JobId.of(job)))
            .findFirst()
            .orElseThrow()
            .nodes();
    assertThat(nodes).hasSize(1);
    return nodes.iterator().next().value();
  }

  private static ClusterState idle() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    Map.of("v", V100, "p", P100, "k", K80)
        .forEach(
            (name, model) ->
                cluster.node(Node.builder(name).gpus(1, model, Memory.ofGib(16)).build()));
    return ClusterState.of(cluster.build());
  }
}
