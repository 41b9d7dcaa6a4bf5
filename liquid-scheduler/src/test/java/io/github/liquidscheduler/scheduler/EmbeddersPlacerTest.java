package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static io.github.liquidscheduler.scheduler.Session.place;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A scheduler with a placer that says no more than it must, or that answers wrongly. */
class EmbeddersPlacerTest {

  /** Finds placements and never says what is missing. */
  private record Minimal(Function<JobSpec, Optional<Placement>> answer, Placer fallback)
      implements Placer {

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      return answer.apply(job).or(() -> fallback.place(view, job));
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  /** Keeps all jobs waiting while one runs, wherever that is. */
  private record Alone(JobId first) implements Placer {

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      return view.placement(first).isPresent()
          ? Optional.empty()
          : Placers.bestFit().place(view, job);
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  private final Session silent = session(job -> Optional.empty());

  @Test
  void aJobThatDoesNotFitReportsTheAvailableCapacity() {
    silent.submit(aJobOf("first", 3, 60));
    silent.submit("second", 2);

    Explanation why = silent.scheduler.explain(JobId.of("second"));
    assertThat(why.unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .containsExactly("GPUS (the job): requested 2 GPUs, available 1 GPU");
    assertThat(why.remedies())
        .containsExactly(
            new Counterfactual.FewerTasks(1, 1),
            new Counterfactual.AfterJobsEnd(
                List.of(JobId.of("first")), Optional.of(Instant.ofEpochSecond(60))));
  }

  @Test
  void aJobThatFitsNoNodeSaysHowManyOfItsGpusDo() {
    silent.submit("first", 1);
    silent.submit("second", 1);
    silent.submit("third", 1);
    silent.finish("second");
    silent.submit(aJob("gang", 2).topology(TopologyConstraint.required("node")));

    Explanation why = silent.scheduler.explain(JobId.of("gang"));
    assertThat(why.unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "TOPOLOGY (all tasks in one node): requested 2 GPUs, available 1 GPU, closest fit node"
                + " 'n0' with 1 GPU");
    assertThat(why.remedies()).contains(new Counterfactual.WiderLevel("cluster"));
  }

  @Test
  void aJobThatNeverFitsIsRejectedWithAReason() {
    assertThat(silent.submit("huge", 5)).containsExactly("reject huge");
    assertThat(silent.last().get(0).why().describe())
        .isEqualTo("can never run here: GPUS (the job): requested 5 GPUs, available 4 GPUs");
  }

  @Test
  void aJobIsRetriedThoughTheFreedCapacityIsTooSmall() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(1, 2))
                .policy(Policies.bestEffortFifo())
                .placer(new Alone(JobId.of("small")))
                .build());
    session.submit("small", 1);
    assertThat(session.nodesOf("small")).containsExactly("n0");
    assertThat(
            session.submit(JobSpec.builder("large").role("worker", 1, ResourceRequest.ofGpus(2))))
        .isEmpty();

    assertThat(session.finish("small")).containsExactly("start large");
    assertThat(session.nodesOf("large")).containsExactly("n1");
  }

  @Test
  void aRunningJobMovesToAFasterGpuThatThePlacerFinds() {
    Session session = onTwoModels();
    session.submit(ofFamily("a", 1000));
    session.submit(ofFamily("b", 1000));
    assertThat(session.nodesOf("b")).containsExactly("slow");

    assertThat(session.at(500).finish("a")).containsExactly("migrate b");
  }

  @Test
  void runningJobsTradeTheGpusThatThePlacerFinds() {
    Session session = onTwoModels();
    session.submit(ofFamily("long", 10_000));
    session.submit(ofFamily("short", 1000));

    assertThat(session.at(20).pass())
        .containsExactly("preempt long", "migrate short", "start long");
  }

  @Test
  void aPlacementOfAnotherJobIsNotBelieved() {
    wrong(aJob("a", 1), "b on n0 0", "it is of job 'b'");
  }

  @Test
  void aPlacementOfPartOfAGangIsNotBelieved() {
    wrong(
        aJob("a", 2),
        "a on n0 0",
        "its tasks are not those of the job, each with what it requests");
  }

  @Test
  void aPlacementOutsideTheClusterIsNotBelieved() {
    wrong(aJob("a", 1), "a on n9 0", "a node or GPU is not in the cluster");
  }

  @Test
  void aPlacementOnWhatIsTakenIsNotBelieved() {
    Session session =
        session(
            job ->
                job.id().value().equals("b") ? Optional.of(place("b on n0 0")) : Optional.empty());
    assertThat(session.submit("a", 1)).containsExactly("start a");

    assertThatExceptionOfType(PluginFailedException.class)
        .isThrownBy(() -> session.submit("b", 1))
        .withCauseInstanceOf(IllegalStateException.class)
        .withMessageContaining("but it does not fit what is free, for job 'b': b: [");
  }

  /** Returns a session on a slow and a fast GPU. */
  private static Session onTwoModels() {
    GpuModel slow = GpuModel.of("slow");
    GpuModel fast = GpuModel.of("fast");
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("slow").gpus(1, slow, Memory.ofGib(16)).build())
            .node(Node.builder("fast").gpus(1, fast, Memory.ofGib(16)).build())
            .build();
    GpuSpeedTable speeds =
        GpuSpeedTable.builder().speed("any", slow, 1).speed("any", fast, 2).build();
    return new Session(
        LiquidScheduler.builder(cluster)
            .policy(Policies.fifo())
            .performance(Performance.by(speeds).moving(Duration.ofSeconds(1)))
            .placer(new Minimal(job -> Optional.empty(), Placers.bestFit()))
            .build());
  }

  private static JobSpec.Builder ofFamily(String id, long seconds) {
    return aJobOf(id, 1, seconds).workload(Workload.builder("any").build());
  }

  private static void wrong(JobSpec.Builder job, String answer, String rule) {
    assertThatExceptionOfType(PluginFailedException.class)
        .isThrownBy(() -> session(any -> Optional.of(place(answer))).submit(job))
        .withMessageContaining("placer " + Minimal.class.getName() + " must answer")
        .withMessageContaining("but " + rule + ", for job 'a'");
  }

  private static Session session(Function<JobSpec, Optional<Placement>> answer) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(2, 2))
            .policy(Policies.bestEffortFifo())
            .placer(new Minimal(answer, Placers.bestFit()))
            .build());
  }
}
