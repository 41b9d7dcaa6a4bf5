package io.github.liquidscheduler.planner.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.colocation.search.RandomCluster;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.problem.AdmissionWeight;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ColocationPlannerTest {

  private static final PlanOptions BRIEFLY = PlanOptions.builder().steps(1).boundRounds(1).build();

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Sharing OPPORTUNISTIC = new Sharing.Opportunistic();
  private static final Sharing EXCLUSIVE = new Sharing.Exclusive();
  private static final PlanOptions SHORT = PlanOptions.builder().steps(200).boundRounds(20).build();

  private final Colocation colocation =
      Colocation.builder(PredictedSlowdownRule.of(KnownLoads.sure()))
          .profiles(KnownLoads::profile)
          .build();
  private final ColocationPlacer placer = new ColocationPlacer(colocation);

  @Test
  void whoHasRoomStaysAloneAndLetsOthersJoinLater() {
    Outcome outcome = plan(2, job("a", 10, OPPORTUNISTIC), job("b", 10, OPPORTUNISTIC));

    assertThat(outcome.gpus).containsExactly(List.of("a"), List.of("b"));
    assertThat(outcome.plan.starts())
        .allSatisfy(
            start -> assertThat(start.tasks().get(0).share()).isEqualTo(GpuShare.ofPercent(50)));
  }

  /** One after the other, c would go to a, and d would have to go to b. */
  @Test
  void whoWaitsIsBroughtToTheMateThatSuitsAllTogether() {
    Outcome outcome =
        plan(
            2,
            job("a", 10, OPPORTUNISTIC),
            job("b", 50, OPPORTUNISTIC),
            job("c", 20, OPPORTUNISTIC),
            job("d", 90, OPPORTUNISTIC));

    assertThat(outcome.gpus).containsExactly(List.of("a", "d"), List.of("b", "c"));
    assertThat(outcome.plan.postponed()).isEmpty();
  }

  @Test
  void twoThatWouldStartAloneMakeRoomForOneThatDoesNotShare() {
    Outcome outcome =
        plan(2, job("a", 20, OPPORTUNISTIC), job("b", 20, OPPORTUNISTIC), job("c", 90, EXCLUSIVE));

    assertThat(outcome.gpus).containsExactlyInAnyOrder(List.of("a", "b"), List.of("c"));
  }

  @Test
  void nobodyIsMovedTogetherForAJobThatDoesNotFitAllTheSame() {
    Outcome outcome =
        plan(
            2,
            job("a", 20, OPPORTUNISTIC),
            job("b", 20, OPPORTUNISTIC),
            gang(job("c", 90, EXCLUSIVE), 2));

    assertThat(outcome.gpus).containsExactly(List.of("a"), List.of("b"));
    assertThat(outcome.plan.postponed()).containsExactly(JobId.of("c"));
  }

  @Test
  void aFloorThatMightNotHoldKeepsAJobWaiting() {
    Outcome outcome =
        plan(1, job("a", 60, new Sharing.Guaranteed(0.9)), job("b", 60, OPPORTUNISTIC));

    assertThat(outcome.gpus).containsExactly(List.of("a"));
    assertThat(outcome.plan.postponed()).containsExactly(JobId.of("b"));
  }

  @Test
  void aGangThatWaitsIsPlacedGpuByGpuBesideThoseThatStart() {
    Outcome outcome =
        plan(
            2,
            job("a", 20, OPPORTUNISTIC),
            job("b", 20, OPPORTUNISTIC),
            gang(job("c", 30, OPPORTUNISTIC), 2));

    assertThat(outcome.gpus).containsExactly(List.of("a", "c"), List.of("b", "c"));
  }

  /** One after the other, b would go to the first GPU, and c find no co-runners on the second. */
  @Test
  void whoWaitsIsBroughtToTheMateThatSuitsAllTogetherAmongThoseThatRun() {
    ClusterState state = running(resident("r0", 30), resident("r1", 80));

    Outcome outcome =
        plan(state, Set.of(), job("b", 20, OPPORTUNISTIC), job("c", 70, OPPORTUNISTIC));

    assertThat(outcome.gpus).containsExactly(List.of("c", "r0"), List.of("b", "r1"));
  }

  @Test
  void aPatientJobWaitsForOneBehindItThatIsBetterCompany() {
    JobSpec[] waiting = {job("b", 50, OPPORTUNISTIC), job("c", 20, OPPORTUNISTIC)};

    Outcome inTurn = plan(running(resident("r0", 80)), Set.of(), waiting);
    Outcome deferrable = plan(running(resident("r0", 80)), Set.of(JobId.of("b")), waiting);

    assertThat(inTurn.gpus).containsExactly(List.of("b", "r0"));
    assertThat(deferrable.gpus).containsExactly(List.of("c", "r0"));
    assertThat(deferrable.plan.postponed()).containsExactly(JobId.of("b"));
  }

  @Test
  void aPatientJobStartsAllTheSameIfThereIsRoomForIt() {
    ClusterState state = running(resident("r0", 80), resident("r1", 80));

    Outcome outcome =
        plan(
            state,
            Set.of(JobId.of("b"), JobId.of("c")),
            job("b", 50, OPPORTUNISTIC),
            job("c", 20, OPPORTUNISTIC));

    assertThat(outcome.plan.postponed()).isEmpty();
  }

  @Property(tries = 500)
  void noPlanStartsLessThanImmediateModeOrThanJobsAlone(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster town = new RandomCluster(choices.random());
    List<JobSpec> jobs = town.candidateJobs(12);
    PlanRequest request = PlanRequest.builder(town.state).pending(jobs).options(BRIEFLY).build();
    List<JobSpec> whole = jobs.stream().map(job -> town.placer.alone(town.state, job)).toList();
    PlanRequest alone = PlanRequest.builder(town.state).pending(whole).options(BRIEFLY).build();

    AdmissionWeight weight = new AdmissionWeight(jobs, Set.of());

    assertThat(weight.of(started(planner(town).plan(request))))
        .isGreaterThanOrEqualTo(weight.of(started(BatchPlanners.greedy().plan(alone))))
        .isGreaterThanOrEqualTo(weight.of(immediately(town, jobs)));
  }

  @Property(tries = 100)
  void theSameRequestGivesTheSamePlan(@ForAll(supplier = Choices.Any.class) Choices choices) {
    assertThat(planOf(new RandomCluster(choices.random())))
        .isEqualTo(planOf(new RandomCluster(choices.random())));
  }

  private static List<JobId> immediately(RandomCluster town, List<JobSpec> jobs) {
    return jobs.stream().filter(job -> town.start(job).isPresent()).map(JobSpec::id).toList();
  }

  private static BatchPlan planOf(RandomCluster town) {
    return planner(town)
        .plan(
            PlanRequest.builder(town.state)
                .pending(town.candidateJobs(8))
                .options(BRIEFLY)
                .build());
  }

  private static List<JobId> started(BatchPlan plan) {
    return plan.starts().stream().map(Placement::job).toList();
  }

  /** What came of a plan: the jobs on each GPU. */
  private record Outcome(BatchPlan plan, List<List<String>> gpus) {}

  private Outcome plan(int gpus, JobSpec... jobs) {
    return plan(cluster(gpus), Set.of(), jobs);
  }

  private static ClusterState cluster(int gpus) {
    return ClusterState.of(
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(gpus, V100, Memory.ofGib(16)).build())
            .build());
  }

  /** Returns a node where each of these jobs runs on a GPU of its own. */
  private ClusterState running(JobSpec... residents) {
    ClusterState state = cluster(residents.length);
    for (JobSpec resident : residents) {
      state.apply(resident, placer.place(state, resident).orElseThrow());
    }
    return state;
  }

  private Outcome plan(ClusterState state, Set<JobId> deferrable, JobSpec... jobs) {
    PlanRequest request =
        PlanRequest.builder(state)
            .pending(List.of(jobs))
            .deferrable(deferrable)
            .options(SHORT)
            .build();
    BatchPlan plan = ColocationPlanner.of(BatchPlanners.timefold(), colocation).plan(request);
    plan.starts().forEach(state::apply);
    List<List<String>> residents = new ArrayList<>();
    for (int gpu = 0; gpu < state.topology().gpuCount(); gpu++) {
      residents.add(
          state.residents(GpuId.of("n0", gpu)).stream()
              .map(Resident::job)
              .map(JobId::value)
              .sorted()
              .toList());
    }
    return new Outcome(plan, residents);
  }

  private static JobSpec resident(String id, int utilization) {
    return job(id, utilization, OPPORTUNISTIC);
  }

  private static JobSpec job(String id, int utilization, Sharing sharing) {
    return JobSpec.builder(id)
        .gpus(1)
        .sharing(sharing)
        .workload(Workload.builder("u" + utilization).build())
        .build();
  }

  private static JobSpec gang(JobSpec job, int gpus) {
    return job.toBuilder().roles(List.of()).gpus(gpus).build();
  }

  /** Returns a planner that co-locates as the placer of the cluster does. */
  private static ColocationPlanner planner(RandomCluster cluster) {
    return ColocationPlanner.of(BatchPlanners.greedy(), cluster.placer.colocation());
  }
}
