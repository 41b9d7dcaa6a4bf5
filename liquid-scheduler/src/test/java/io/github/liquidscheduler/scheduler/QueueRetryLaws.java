package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What is remembered of jobs that neither fit nor may take enough from others spares searches and
 * changes no decision. Many small queues, deep trees, gangs and jobs without GPUs.
 */
class QueueRetryLaws {

  private static final int QUIET_TURNS = 1000;
  private static final int TURNS_TO_REST = 100;

  private static final List<SchedulingPolicy> LASTING =
      List.of(Policies.bestEffortFifo(), Policies.priority(), Policies.shortestJobFirst());

  @Provide
  Arbitrary<QueueLaws.Sequence> deepSequences() {
    return Combinators.combine(
            EventSequence.sequences(drafts(), LASTING), trees().list().ofMinSize(1).ofMaxSize(3))
        .as(
            (events, trees) ->
                new QueueLaws.Sequence(
                    new EventSequence(
                        events.cluster(),
                        events.policy(),
                        events.rules(),
                        Optional.empty(),
                        events.steps()),
                    trees));
  }

  private static Arbitrary<JobDraft> drafts() {
    return Combinators.combine(
            JobDraft.any(), Arbitraries.of(0, 0, 1, 1, 1, 2, 4), Arbitraries.of(1, 1, 1, 2, 4))
        .as(QueueRetryLaws::draft);
  }

  /** Makes a draft simple: so many tasks of so many GPUs; with none it asks for cores only. */
  private static JobDraft draft(JobDraft any, int gpus, int tasks) {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(gpus);
    TaskRole role =
        new TaskRole("worker", tasks, (gpus == 0 ? request.cpu(CpuCores.of(2)) : request).build());
    return new JobDraft(
        List.of(role),
        0,
        new JobDraft.Constraints(TopologyConstraint.NONE, List.of(), false),
        any.priority(),
        any.preemptible(),
        any.seconds(),
        any.sharing(),
        any.queue(),
        any.utilization());
  }

  private static Arbitrary<QueueTree> trees() {
    return Combinators.combine(
            queue("default"), queue("research"), queue("spare"), queue("lab"), queue("house"))
        .flatAs(
            (one, two, three, lab, house) ->
                Arbitraries.of(
                    QueueTree.of(house, lab.in("house"), one.in("lab"), two.in("lab"), three),
                    QueueTree.of(house, lab, one.in("lab"), two.in("house"), three.in("lab")),
                    QueueTree.of(three, two, one)));
  }

  private static Arbitrary<QueueSpec> queue(String name) {
    return Combinators.combine(
            Arbitraries.of(0, 0, 1, 2, 4),
            Arbitraries.of(0.0, 1.0, 1.0, 2.0),
            Arbitraries.of(QuotaResource.GPUS, QuotaResource.GPUS, QuotaResource.CPU))
        .as(
            (guaranteed, weight, resource) ->
                QueueSpec.named(name)
                    .with(resource, QueueQuota.guaranteed(guaranteed).withWeight(weight)));
  }

  /** Whoever knows nothing tries everybody, and finds nobody who starts. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoeverWouldStartIsTried(@ForAll("deepSequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          if (scheduler.nextWakeUp().filter(event.at()::equals).isEmpty()) {
            Scheduler forgetful = forgetful(sequence, scheduler);
            assertThat(forgetful.on(new ClusterEvent.TimePassed(event.at()))).isEmpty();
          }
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatIsRememberedChangesNoDecision(@ForAll("deepSequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          Scheduler forgetful = forgetful(sequence, scheduler);
          Scheduler copy = scheduler.copy();

          List<Decision> decisions = scheduler.on(event);

          assertThat(forgetful.on(event)).isEqualTo(decisions);
          assertThat(copy.on(event)).isEqualTo(decisions);
          assertThat(copy.nextWakeUp()).isEqualTo(scheduler.nextWakeUp());
          assertThat(forgetful.snapshot()).isEqualTo(scheduler.snapshot());
        });
  }

  /** Also where everybody is tried again now and then. */
  @Property(edgeCases = EdgeCasesMode.NONE, tries = 200)
  void queuesComeToRest(@ForAll("deepSequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    List<Instant> last = new ArrayList<>();
    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          last.add(event.at());
        });

    Instant end = last.isEmpty() ? Instant.EPOCH : last.getLast();
    LiquidScheduler quiet = scheduler;
    List<Decision> late = new ArrayList<>();
    for (int turn = 0; turn < QUIET_TURNS; turn++) {
      quiet = turn % 50 == 0 ? forgetful(sequence, quiet) : quiet;
      Instant at = end.plus(Duration.ofSeconds(10L * turn));
      List<Decision> decisions = quiet.on(new ClusterEvent.TimePassed(at));
      late.addAll(turn < TURNS_TO_REST ? List.of() : decisions);
    }

    assertThat(late).isEmpty();
  }

  /** Returns an equal scheduler that remembers nothing but what is in a snapshot. */
  private static LiquidScheduler forgetful(QueueLaws.Sequence sequence, LiquidScheduler other) {
    return sequence.events().options(other.view().topology()).restore(other.snapshot());
  }
}
