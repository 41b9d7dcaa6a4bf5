package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.Placers;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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

  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private static final List<String> NAMES = List.of("house", "lab", "default", "research", "spare");

  private static final List<QuotaResource> COUNTED =
      List.of(
          QuotaResource.GPUS,
          QuotaResource.GPUS,
          QuotaResource.GPUS,
          QuotaResource.CPU,
          QuotaResource.gpus(JobDraft.MODELS.getFirst()));

  private static final List<SchedulingPolicy> LASTING =
      List.of(
          Policies.bestEffortFifo(),
          Policies.priority(),
          Policies.shortestJobFirst(),
          Policies.fifo(),
          Policies.fairShare(),
          Policies.fairShare(Policies.fifo(), Map.of(QueueName.of("lab"), 2.5)));

  @Provide
  Arbitrary<QueueLaws.Sequence> deepSequences() {
    return deep();
  }

  /** Returns sequences on deep trees, whose shares may change while time passes. */
  static Arbitrary<QueueLaws.Sequence> deep() {
    return Arbitraries.oneOf(
        sequences(drafts(), QueueLaws.withHistories(trees(openQueue()))),
        sequences(drafts(), QueueLaws.withHistories(trees(anyQueue()))),
        sequences(JobDraft.any(), QueueLaws.withHistories(trees(anyQueue()))));
  }

  /** The same, but that shares do not change while time passes. */
  @Provide
  Arbitrary<QueueLaws.Sequence> withoutHistories() {
    return Arbitraries.oneOf(
        sequences(drafts(), trees(openQueue())),
        sequences(drafts(), trees(anyQueue())),
        sequences(JobDraft.any(), trees(anyQueue())));
  }

  private static Arbitrary<QueueLaws.Sequence> sequences(
      Arbitrary<JobDraft> drafts, Arbitrary<QueueTree> trees) {
    return Combinators.combine(
            EventSequence.sequences(drafts, LASTING), trees.list().ofMinSize(1).ofMaxSize(3))
        .as((events, many) -> new QueueLaws.Sequence(events.immediate(), many));
  }

  private static Arbitrary<JobDraft> drafts() {
    return Combinators.combine(
            JobDraft.any(), Arbitraries.of(0, 0, 1, 1, 1, 2, 4), Arbitraries.of(1, 1, 1, 2, 4))
        .as(QueueRetryLaws::draft);
  }

  /** Simplifies a draft to a number of equal tasks; without GPUs it requests cores only. */
  private static JobDraft draft(JobDraft any, int gpus, int tasks) {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(gpus);
    return any.plain(
        new TaskRole("worker", tasks, (gpus == 0 ? request.cpu(CpuCores.of(2)) : request).build()));
  }

  private static Arbitrary<QueueTree> trees(Arbitrary<QueueSpec> queues) {
    return queues
        .list()
        .ofSize(NAMES.size())
        .map(QueueRetryLaws::named)
        .flatMap(
            of ->
                Arbitraries.of(
                    QueueTree.of(
                        of.get(0),
                        of.get(1).in("house"),
                        of.get(2).in("lab"),
                        of.get(3).in("lab"),
                        of.get(4)),
                    QueueTree.of(
                        of.get(0),
                        of.get(1),
                        of.get(2).in("lab"),
                        of.get(3).in("house"),
                        of.get(4).in("lab")),
                    QueueTree.of(of.get(4), of.get(3), of.get(2))));
  }

  private static List<QueueSpec> named(List<QueueSpec> queues) {
    List<QueueSpec> named = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      QueueSpec any = queues.get(i);
      named.add(
          new QueueSpec(
              QueueName.of(NAMES.get(i)),
              Optional.empty(),
              any.priority(),
              any.quotas(),
              any.preemption(),
              any.bypass()));
    }
    return named;
  }

  /** Queues without limits, which lend all that is guaranteed to them. */
  private static Arbitrary<QueueSpec> openQueue() {
    return Combinators.combine(
            guarantees(), Arbitraries.of(QuotaResource.GPUS, QuotaResource.GPUS, QuotaResource.CPU))
        .as((quota, resource) -> QueueSpec.named("any").with(resource, quota));
  }

  private static Arbitrary<QueueSpec> anyQueue() {
    return Combinators.combine(
            guarantees(),
            Arbitraries.of(0.0, 1.0, 4.0, NO_LIMIT, NO_LIMIT),
            Arbitraries.of(0.0, 1.0, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT),
            Arbitraries.of(COUNTED),
            Arbitraries.of(0, 0, 1),
            Arbitraries.of(true, true, true, true, false))
        .as(
            (quota, more, lending, resource, priority, bypass) -> {
              QueueSpec queue =
                  QueueSpec.named("any")
                      .withPriority(priority)
                      .with(
                          resource,
                          quota.withLimit(quota.guaranteed() + more).withLendingLimit(lending));
              return bypass ? queue : queue.withoutBypass();
            });
  }

  private static Arbitrary<QueueQuota> guarantees() {
    return Combinators.combine(Arbitraries.of(0, 0, 1, 2, 4), Arbitraries.of(0.0, 1.0, 1.0, 2.0))
        .as((guaranteed, weight) -> QueueQuota.guaranteed(guaranteed).withWeight(weight));
  }

  /** A scheduler without memory tries every job, and starts none. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyJobThatWouldStartIsTried(@ForAll("deepSequences") QueueLaws.Sequence sequence) {
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
  void knownFailuresChangeNoDecision(@ForAll("deepSequences") QueueLaws.Sequence sequence) {
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

  /** Nor does the count of free capacity by node: a scheduler without it tries every job. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyJobKnownToFailWouldFail(@ForAll("deepSequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    LiquidScheduler asksAll =
        sequence.events().options().placer(new Uncounted(Placers.bestFit())).build();
    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          List<Decision> decisions = scheduler.on(event);

          assertThat(decisions).as("after %s", event).isEqualTo(asksAll.on(event));
        });
  }

  /**
   * Also where every job is tried again now and then. At rest means after the deadlines of draining
   * nodes, at which jobs are stopped, and after the delays of failed jobs, at whose end they
   * restart: both happen independently of queues.
   */
  @Property(edgeCases = EdgeCasesMode.NONE, tries = 200)
  void retriesEnd(@ForAll("withoutHistories") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    List<Instant> last = new ArrayList<>();
    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          last.add(event.at());
          due(event).ifPresent(last::add);
        });

    Instant end = last.stream().max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
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

  /** Returns the later times at which an event lets jobs be stopped or start again. */
  private static Optional<Instant> due(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.NodeDraining drain -> drain.deadline();
      case ClusterEvent.JobFailed failed -> Optional.of(event.at().plus(failed.retry().after()));
      default -> Optional.empty();
    };
  }

  /** Returns an equal scheduler that remembers nothing but what is in a snapshot. */
  private static LiquidScheduler forgetful(QueueLaws.Sequence sequence, LiquidScheduler other) {
    return sequence.events().options(other.view().topology()).restore(other.snapshot());
  }
}
