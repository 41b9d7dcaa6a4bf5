package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A scheduler in batch mode carries out plans in which jobs share GPUs. */
class SharedBatchTest {

  private final Colocation colocation = Colocation.of(new Friendly());
  private final BatchPlanner planner = ColocationPlanner.of(BatchPlanners.timefold(), colocation);
  private final Session session = session(2, BatchWindow.of(Duration.ofSeconds(10)));

  private Session session(int gpus, BatchWindow window) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpus))
            .policy(Policies.bestEffortFifo())
            .placer(Placers.colocating(colocation))
            .batch(window)
            .build());
  }

  @Test
  void moreJobsStartThanThereAreGpus() {
    for (String id : List.of("a", "b", "c", "d")) {
      session.submit(job(id, new Sharing.Opportunistic()).gpus(1));
    }
    session.at(10).pass();

    assertThat(session.on(proposed())).containsExactly("start a", "start b", "start c", "start d");
    assertThat(on(0)).hasSize(2);
    assertThat(on(1)).hasSize(2);
  }

  @Test
  void sharesThatAreAskedForAreGrantedOrMore() {
    Memory memory = Memory.ofGib(2);
    for (String id : List.of("a", "b")) {
      session.submit(
          job(id, new Sharing.Opportunistic())
              .role("worker", 2, ResourceRequest.builder().share(GpuShare.ofPercent(10)).build()));
    }
    session.submit(
        job("c", new Sharing.Exclusive())
            .role(
                "worker",
                1,
                ResourceRequest.builder().share(GpuShare.ofPercent(10)).gpuMemory(memory).build()));
    session.at(10).pass();

    assertThat(session.on(proposed())).containsExactly("start a", "start b");
    assertThat(on(0)).containsExactly("a", "b");
  }

  @Test
  void aPlanThatGivesAnExclusiveJobLessThanItAsksIsRefused() {
    session.submit(job("a", new Sharing.Exclusive()).gpus(1));
    session.at(10).pass();
    Placement whole = proposed().plan().starts().get(0);
    TaskPlacement task = whole.tasks().get(0);
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();
    Placement less =
        new Placement(
            whole.job(), List.of(new TaskPlacement(task.task(), task.node(), task.gpus(), half)));
    BatchPlan plan = proposed().plan();
    BatchPlan wrong =
        new BatchPlan(plan.number(), List.of(less), List.of(), List.of(), plan.certificate());

    assertThatThrownBy(
            () -> session.on(new ClusterEvent.PlanProposed(Instant.ofEpochSecond(10), wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its tasks are not those of the job, each with what it requests");
  }

  @Test
  void aPlanCannotCoLocateJobsThatThePolicyRejects() {
    session.submit(job("a", new Sharing.Guaranteed(0.95)).gpus(1));
    session.submit(job("b", new Sharing.Opportunistic()).gpus(1));
    session.at(10).pass();
    BatchPlan plan = proposed().plan();
    List<Placement> together =
        plan.starts().stream()
            .map(start -> new Placement(start.job(), List.of(onTheFirst(start.tasks().get(0)))))
            .toList();
    BatchPlan careless =
        new BatchPlan(plan.number(), together, List.of(), List.of(), plan.certificate());

    session.on(new ClusterEvent.PlanProposed(Instant.ofEpochSecond(10), careless));

    assertThat(on(0)).containsExactly("a");
    assertThat(on(1)).containsExactly("b");
  }

  /** The planned co-runners is refused, since g would be below its floor: so x waits in vain. */
  @Test
  void aJobWithAnInvalidPlannedPlaceStartsInFreeCapacity() {
    Session deferrable = session(1, BatchWindow.of(Duration.ofSeconds(10)).bypassLimit(5));
    deferrable.submit(job("a", new Sharing.Opportunistic()).gpus(1));
    deferrable.submit(job("x", new Sharing.Opportunistic()).gpus(1));
    deferrable.submit(job("g", new Sharing.Guaranteed(0.95)).gpus(1));
    deferrable.at(10).pass();

    assertThat(deferrable.on(planned("a", "g"))).containsExactly("start a", "start x");
    assertThat(deferrable.waiting()).containsExactly("g");
  }

  /** Returns a plan that starts jobs on halves of the first GPU. */
  private static ClusterEvent.PlanProposed planned(String... jobs) {
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();
    List<Placement> starts =
        Stream.of(jobs)
            .map(
                job ->
                    new Placement(
                        JobId.of(job),
                        List.of(
                            new TaskPlacement(
                                new TaskId("worker", 0), NodeId.of("n0"), List.of(0), half))))
            .toList();
    PlanCertificate certificate = new PlanCertificate(0, 0, 0, 0, List.of());
    return new ClusterEvent.PlanProposed(
        Instant.ofEpochSecond(10), new BatchPlan(1, starts, List.of(), List.of(), certificate));
  }

  private static TaskPlacement onTheFirst(TaskPlacement task) {
    return new TaskPlacement(task.task(), task.node(), List.of(0), task.request());
  }

  private ClusterEvent.PlanProposed proposed() {
    List<JobSpec> waiting =
        session.scheduler.waiting().stream()
            .map(session.scheduler::job)
            .flatMap(Optional::stream)
            .toList();
    PlanRequest request =
        PlanRequest.builder(session.scheduler.view())
            .number(1)
            .pending(waiting)
            .options(PlanOptions.builder().steps(100).build())
            .build();
    return new ClusterEvent.PlanProposed(Instant.ofEpochSecond(10), planner.plan(request));
  }

  private List<String> on(int gpu) {
    return session.scheduler.view().residents(GpuId.of("n0", gpu)).stream()
        .map(Resident::job)
        .map(JobId::value)
        .toList();
  }

  private static JobSpec.Builder job(String id, Sharing sharing) {
    return JobSpec.builder(id).sharing(sharing);
  }

  /** Expects that each job keeps nine tenths of its speed. */
  private static final class Friendly implements InterferencePredictor {
    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      return Prediction.certain(colocation.coRunners().isEmpty() ? 1 : 0.9, Provenance.PRIOR);
    }
  }
}
