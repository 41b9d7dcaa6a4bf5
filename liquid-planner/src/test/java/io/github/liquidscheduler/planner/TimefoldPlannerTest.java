package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.search.TimefoldSearch;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimefoldPlannerTest {

  private static final GpuModel GPU = GpuModel.of("A100");
  private static final PlanCost TIERS =
      PlanCost.of(
          CostTerms.pairTiers(job -> label(job, "traffic"), job -> label(job, "intensity")));

  private final BatchPlanner planner = BatchPlanners.timefold(TIERS);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void checkingEverySumAfterEveryMoveFindsNothing(long seed) {
    PlanRequest request = new PlanScenario(seed).request(5000);

    assertThatCode(
            () ->
                BatchPlanners.timefold(PlanScenario.cost(request), TimefoldSearch.asserting())
                    .plan(request))
        .doesNotThrowAnyException();
  }

  @Test
  void gangsOfOneNodeEachAreBroughtTogether() {
    ClusterState state = cluster(2, 2);
    List<JobSpec> jobs = List.of(job("a", 2, 1, 9, 1), job("b", 2, 1, 9, 1));
    BatchPlan plan = planner.plan(request(state, jobs).build());

    assertThat(plan.starts()).allMatch(start -> start.nodes().size() == 1);
    assertThat(plan.certificate().cost()).isZero();
  }

  @Test
  void jobsThatDisturbEachOtherAreKeptApart() {
    ClusterState state = cluster(2, 4);
    List<JobSpec> jobs = List.of(job("a", 1, 1, 0, 5), job("b", 1, 1, 0, 5));
    BatchPlan plan = planner.plan(request(state, jobs).build());

    assertThat(plan.starts().get(0).nodes()).isNotEqualTo(plan.starts().get(1).nodes());
  }

  @Test
  void workersThatDoNotFitBesideTheirServerGetANodeEach() {
    JobSpec job =
        JobSpec.builder("job")
            .role("server", 1, ResourceRequest.ofGpus(1))
            .role("worker", 6, ResourceRequest.ofGpus(1))
            .communication(new Communication.ParameterServer("server", "worker", 100_000_000))
            .build();
    BatchPlan plan = planAlone(job);

    assertThat(tasksByNode(plan.starts().get(0))).containsExactlyInAnyOrder(4L, 1L, 1L, 1L);
    assertThat(plan.certificate().gap()).isLessThan(1e-6);
  }

  @Test
  void tasksThatAllSendToAllKeepOffEachOthersNetworkCards() {
    JobSpec job =
        JobSpec.builder("job")
            .role("worker", 8, ResourceRequest.ofGpus(1))
            .communication(new Communication.AllToAll(4_000_000_000L))
            .build();
    BatchPlan plan = planAlone(job);

    assertThat(tasksByNode(plan.starts().get(0))).containsExactly(2L, 2L, 2L, 2L);
    assertThat(plan.certificate().gap()).isLessThan(1e-6);
  }

  /** Plans a job on four nodes of four GPUs each, with GPUs left over costing nothing. */
  private BatchPlan planAlone(JobSpec job) {
    PlanOptions options = PlanOptions.builder().steps(100).build();
    BatchPlanner physical = BatchPlanners.timefold(PlanCost.physical().withFragmentation(0));
    return physical.plan(
        PlanRequest.builder(cluster(4, 4)).pending(List.of(job)).options(options).build());
  }

  @Test
  void gangsKeepOffEachOthersNetworkCards() {
    ClusterState state = cluster(4, 2);
    JobSpec one = sends(job("one", 3, 1, 0, 0));
    JobSpec other = sends(job("other", 3, 1, 0, 0));
    PlanOptions options = PlanOptions.builder().steps(2000).build();
    BatchPlan plan =
        BatchPlanners.timefold()
            .plan(PlanRequest.builder(state).pending(List.of(one, other)).options(options).build());

    assertThat(plan.starts()).hasSize(2).allMatch(start -> start.nodes().size() == 2);
    assertThat(plan.starts().get(0).nodes())
        .doesNotContainAnyElementsOf(plan.starts().get(1).nodes());
  }

  @Test
  void workOfHigherPriorityStartsFirst() {
    ClusterState state = cluster(1, 4);
    JobSpec low = job("low", 4, 1, 0, 0);
    JobSpec high = job("high", 4, 1, 0, 0).toBuilder().priority(1).build();
    BatchPlan plan = planner.plan(request(state, List.of(low, high)).build());

    assertThat(plan.starts()).extracting(Placement::job).containsExactly(high.id());
    assertThat(plan.postponed()).containsExactly(low.id());
  }

  @Test
  void nothingToPlaceIsAnEmptyPlan() {
    BatchPlan plan = planner.plan(request(cluster(1, 1), List.of()).build());

    assertThat(plan.starts()).isEmpty();
    assertThat(plan.certificate().gap()).isZero();
  }

  @Test
  void aRunningJobMovesIfThatLetsAGangStart() {
    ClusterState state = cluster(2, 4);
    JobSpec small = job("small", 1, 2, 0, 0);
    state.apply(small, on(small, "n0"));
    JobSpec other = job("other", 1, 2, 0, 0);
    state.apply(other, on(other, "n1"));
    JobSpec whole = job("whole", 1, 4, 0, 0);
    BatchPlan plan =
        planner.plan(request(state, List.of(whole)).movable(small, 1).running(other).build());

    assertThat(plan.starts()).extracting(Placement::job).containsExactly(whole.id());
    assertThat(plan.migrations()).extracting(Migration::job).containsExactly(small.id());
  }

  @Test
  void aMoveThatSavesLessThanItCostsIsNotMade() {
    ClusterState state = cluster(2, 4);
    JobSpec one = job("one", 1, 2, 0, 2);
    JobSpec two = job("two", 1, 2, 0, 2);
    state.apply(one, on(one, "n0"));
    state.apply(two, new Placement(two.id(), List.of(task(two, "n0", 2))));

    assertThat(planner.plan(request(state, List.of()).movable(one, 5).running(two).build()))
        .extracting(BatchPlan::migrations)
        .isEqualTo(List.of());
    assertThat(
            planner
                .plan(request(state, List.of()).movable(one, 3).running(two).build())
                .migrations())
        .hasSize(1);
  }

  @Test
  void thePlanBeforeIsWhereTheSearchStarts() {
    ClusterState state = cluster(4, 4);
    List<JobSpec> jobs =
        IntStream.range(0, 12).mapToObj(i -> job("j" + i, 1, 1, 0, 1 + i % 4)).toList();
    BatchPlan first = planner.plan(request(state, jobs).build());
    PlanOptions one = options().steps(1).build();
    BatchPlan second = planner.plan(request(state, jobs).options(one).previous(first).build());

    assertThat(second.certificate().cost()).isLessThanOrEqualTo(first.certificate().cost());
  }

  @Test
  void theStopSignalEndsTheSearch() {
    AtomicLong asked = new AtomicLong();
    PlanOptions options =
        options().steps(Long.MAX_VALUE).stop(() -> asked.incrementAndGet() > 20).build();
    BatchPlan plan =
        planner.plan(
            request(cluster(2, 4), List.of(job("a", 2, 1, 1, 1))).options(options).build());

    assertThat(plan.starts()).hasSize(1);
    assertThat(asked).hasValueGreaterThan(20);
  }

  @Test
  void timeEndsTheSearch() {
    PlanOptions options = options().time(Duration.ofMillis(50)).build();
    List<JobSpec> jobs = List.of(job("a", 2, 1, 1, 1), job("b", 1, 1, 0, 1));

    assertThat(planner.plan(request(cluster(2, 4), jobs).options(options).build()).starts())
        .hasSize(2);
  }

  @Test
  void noMoreStepsAreTakenThanAllowed() {
    PlanOptions options = options().steps(1234).build();
    List<JobSpec> jobs = List.of(job("a", 2, 1, 1, 1), job("b", 1, 1, 0, 1));
    BatchPlan plan = planner.plan(request(cluster(2, 4), jobs).options(options).build());

    assertThat(plan.certificate().movesEvaluated()).isEqualTo(1234);
  }

  private static PlanRequest.Builder request(ClusterState state, List<JobSpec> jobs) {
    return PlanRequest.builder(state).pending(jobs).options(options().build());
  }

  private static PlanOptions.Builder options() {
    return PlanOptions.builder().steps(3000);
  }

  private static JobSpec sends(JobSpec job) {
    return job.toBuilder().communication(new Communication.AllReduce(1_000_000_000)).build();
  }

  private static Collection<Long> tasksByNode(Placement placement) {
    return placement.tasks().stream()
        .collect(Collectors.groupingBy(TaskPlacement::node, Collectors.counting()))
        .values();
  }

  private static ClusterState cluster(int nodes, int gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    cluster.domain(Domain.of("rack", "r"));
    for (int i = 0; i < nodes; i++) {
      cluster.node(
          Node.builder("n" + i)
              .domain("r")
              .gpus(gpus, GPU, Memory.ofGib(40))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(10)))
              .build());
    }
    return ClusterState.of(cluster.build());
  }

  private static JobSpec job(String id, int tasks, int gpus, long traffic, long intensity) {
    return JobSpec.builder(id)
        .role("worker", tasks, ResourceRequest.ofGpus(gpus))
        .label("traffic", Long.toString(traffic))
        .label("intensity", Long.toString(intensity))
        .build();
  }

  private static long label(JobSpec job, String name) {
    return Long.parseLong(job.labels().getOrDefault(name, "0"));
  }

  private static Placement on(JobSpec job, String node) {
    return new Placement(JobId.of(job.id().value()), List.of(task(job, node, 0)));
  }

  private static TaskPlacement task(JobSpec job, String node, int firstGpu) {
    ResourceRequest request = job.roles().get(0).request();
    List<Integer> gpus = IntStream.range(firstGpu, firstGpu + request.gpus()).boxed().toList();
    return new TaskPlacement(new TaskId("worker", 0), NodeId.of(node), gpus, request);
  }
}
