package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.QueuePosition;
import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import io.github.liquidscheduler.scheduling.WindowTrigger;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any decision, reason and explanation, of every kind. */
public final class DecisionArbitraries {

  private DecisionArbitraries() {}

  /** Returns decisions of every kind. */
  public static Arbitrary<Decision> decisions() {
    return Combinators.combine(JobArbitraries.ids(), reasons(), ofAJob())
        .as((job, why, decision) -> decision.apply(job, why))
        .withoutEdgeCases();
  }

  /** Returns where jobs may run: up to 4 tasks. */
  public static Arbitrary<Placement> placements() {
    return Combinators.combine(JobArbitraries.ids(), taskLists()).as(Placement::new);
  }

  private static Arbitrary<List<TaskPlacement>> taskLists() {
    return taskPlacements().list().ofMinSize(1).ofMaxSize(4);
  }

  /** Returns reasons of every kind. */
  public static Arbitrary<Reason> reasons() {
    Arbitrary<String> names = QuantityArbitraries.names();
    Arbitrary<Double> seconds = Arbitraries.doubles();
    Arbitrary<Double> parts = Arbitraries.doubles().between(0, false, 1, true);
    return Arbitraries.oneOf(
        Combinators.combine(names, Arbitraries.integers().between(0, Integer.MAX_VALUE))
            .as(Reason.Scheduled::new),
        Combinators.combine(
                names,
                QuantityArbitraries.counts(),
                models(),
                Arbitraries.doubles().between(0, false, 100, true),
                models())
            .as(Reason.ScheduledOn::new),
        Combinators.combine(names, JobArbitraries.ids()).as(Reason.PreemptedByPriority::new),
        Combinators.combine(
                QueueArbitraries.names(),
                QueueArbitraries.names(),
                JobArbitraries.ids(),
                Arbitraries.of(ReclaimRule.class))
            .as(Reason.Reclaimed::new),
        JobArbitraries.ids().map(Reason.MadeSmaller::new),
        JobArbitraries.ids().map(Reason.MadeWay::new),
        EventArbitraries.reservationIds().map(Reason.ReservationBegan::new),
        QuantityArbitraries.counts().map(Reason.SpeedsUnknown::new),
        Combinators.combine(Arbitraries.integers().between(1, 64), parts, parts)
            .as(Reason.SpeedsDrifted::new),
        ClusterArbitraries.nodeIds().map(Reason.NodeGone::new),
        ClusterArbitraries.gpuIds().map(Reason.GpuGone::new),
        JobArbitraries.ids().map(Reason.TakenByAdopted::new),
        unmetConstraints().list().ofMinSize(1).ofMaxSize(3).map(Reason.Infeasible::new),
        Combinators.combine(JobArbitraries.ids(), parts, parts)
            .as(Reason.InterferenceViolation::new),
        Combinators.combine(parts, parts).as(Reason.ExpectedRead::new),
        Combinators.combine(seconds, seconds).as(Reason.NetGain::new),
        Combinators.combine(
                Arbitraries.of(WindowTrigger.class),
                Arbitraries.integers().between(1, Integer.MAX_VALUE))
            .as(Reason.WindowClosed::new),
        positive().map(Reason.Planned::new),
        Arbitraries.just(new Reason.Restored()));
  }

  private static Arbitrary<GpuModel> models() {
    return QuantityArbitraries.names().map(GpuModel::of);
  }

  /** Returns explanations with and without remedies. */
  public static Arbitrary<Explanation> explanations() {
    return Combinators.combine(
            JobArbitraries.ids(),
            QuantityArbitraries.instants(),
            positions(),
            unmetConstraints().list().ofMinSize(1).ofMaxSize(3),
            retryConditions().list().ofMinSize(1).ofMaxSize(3),
            counterfactuals().list().ofMaxSize(3))
        .as(Explanation::new)
        .withoutEdgeCases();
  }

  /** Returns positions in the queue, with every kind of estimate and without. */
  private static Arbitrary<QueuePosition> positions() {
    Arbitrary<StartEstimate> estimates =
        Arbitraries.oneOf(
            QuantityArbitraries.instants().map(StartEstimate.ExpectedAt::new),
            QuantityArbitraries.instants().map(StartEstimate.NotBefore::new));
    return Combinators.combine(
            JobArbitraries.ids().list().ofMaxSize(3),
            Arbitraries.integers().between(0, 1000),
            estimates.optional())
        .as(
            (next, more, estimate) ->
                new QueuePosition(next.isEmpty() ? 0 : next.size() + more, next, estimate));
  }

  /** Returns conditions of every kind. */
  private static Arbitrary<RetryCondition> retryConditions() {
    return Arbitraries.oneOf(
        QuantityArbitraries.instants().map(RetryCondition.AtTime::new),
        JobArbitraries.ids().map(RetryCondition.HeadChanged::new),
        QueueArbitraries.names()
            .map(queue -> new RetryCondition.QuotaReleased(queue, QuotaResource.GPUS)),
        Arbitraries.of(
            new RetryCondition.AfterPlan(),
            new RetryCondition.CapacityReleased(),
            new RetryCondition.VictimsChanged(),
            new RetryCondition.CoRunnerAccepted(),
            new RetryCondition.JobUpdated(),
            new RetryCondition.AnyChange()));
  }

  /** Returns unmet constraints in every constraint. */
  public static Arbitrary<UnmetConstraint> unmetConstraints() {
    Arbitrary<Long> amounts = QuantityArbitraries.amounts();
    return Combinators.combine(
            Arbitraries.of(Constraint.class),
            QuantityArbitraries.names(),
            amounts,
            amounts,
            Combinators.combine(QuantityArbitraries.names(), amounts)
                .as(UnmetConstraint.ClosestFit::new)
                .optional())
        .as(UnmetConstraint::new);
  }

  /** Returns counterfactuals of every kind. */
  public static Arbitrary<Counterfactual> counterfactuals() {
    Arbitrary<Integer> counts = QuantityArbitraries.counts();
    return Arbitraries.oneOf(
        Combinators.combine(counts, counts).as(Counterfactual.FewerTasks::new),
        QuantityArbitraries.names().map(Counterfactual.WiderLevel::new),
        QuantityArbitraries.models().map(Counterfactual.OtherModel::new),
        Combinators.combine(QuantityArbitraries.names(), JobArbitraries.requests())
            .as(Counterfactual.SmallerRequest::new),
        Arbitraries.maps(QuantityArbitraries.names(), QuantityArbitraries.names())
            .ofMinSize(1)
            .ofMaxSize(2)
            .map(Counterfactual.WithoutLabels::new),
        Combinators.combine(
                ClusterArbitraries.nodeIds().list().ofMinSize(1).ofMaxSize(2),
                ClusterArbitraries.gpuIds().list().ofMaxSize(2))
            .as(Counterfactual.AfterReturn::new),
        Combinators.combine(
                JobArbitraries.ids().list().ofMinSize(1).ofMaxSize(3),
                QuantityArbitraries.instants().optional())
            .as(Counterfactual.AfterJobsEnd::new),
        Combinators.combine(
                givenBack().list().ofMinSize(1).ofMaxSize(2),
                JobArbitraries.ids().list().ofMinSize(1).ofMaxSize(3),
                Arbitraries.of(Counterfactual.Kept.class).optional())
            .as(Counterfactual.AfterGivingBack::new),
        Combinators.combine(
                QueueArbitraries.names(),
                quotaResources(),
                Arbitraries.of(true, false),
                Arbitraries.integers().between(0, 64_000).map(n -> n / 1000.0))
            .as(Counterfactual.WithinQuotas::new),
        Arbitraries.just(new Counterfactual.IfPreemptible()));
  }

  private static Arbitrary<QuotaResource> quotaResources() {
    return Arbitraries.oneOf(
        QuantityArbitraries.models().map(QuotaResource::gpus),
        Arbitraries.of(QuotaResource.GPUS, QuotaResource.CPU, QuotaResource.MEMORY));
  }

  private static Arbitrary<Counterfactual.GivenBack> givenBack() {
    Arbitrary<Double> amounts = Arbitraries.integers().between(1, 64_000).map(n -> n / 1000.0);
    return Combinators.combine(QueueArbitraries.names(), quotaResources(), amounts, amounts)
        .as(Counterfactual.GivenBack::new);
  }

  private static Arbitrary<BiFunction<JobId, Reason, Decision>> ofAJob() {
    return Arbitraries.oneOf(
        taskLists()
            .map(tasks -> (job, why) -> new Decision.Start(job, new Placement(job, tasks), why)),
        Arbitraries.just(Decision.Preempt::new),
        Combinators.combine(taskLists(), JobArbitraries.ids().list().ofMaxSize(3))
            .as(
                (tasks, after) ->
                    (job, why) -> new Decision.Migrate(job, new Placement(job, tasks), why, after)),
        Combinators.combine(taskLists(), positive(), JobArbitraries.ids().list().ofMaxSize(3))
            .as(
                (tasks, number, after) ->
                    (job, why) ->
                        new Decision.Resize(job, new Placement(job, tasks), number, why, after)),
        Arbitraries.integers()
            .between(1, 100)
            .map(size -> (job, why) -> new Decision.Profile(job, List.of(2 * size, size), why)),
        Arbitraries.just(Decision.Reject::new),
        Combinators.combine(
                ClusterArbitraries.nodeIds(),
                JobArbitraries.datasets(),
                QuantityArbitraries.instants(),
                QuantityArbitraries.names().list().ofMaxSize(2))
            .as(
                (node, dataset, at, evict) ->
                    (job, why) ->
                        new Decision.Prefetch(
                            job,
                            node,
                            dataset,
                            at,
                            evict.stream().filter(name -> !name.equals(dataset.name())).toList(),
                            why)),
        Combinators.combine(ClusterArbitraries.nodeIds(), QuantityArbitraries.names())
            .as((node, dataset) -> (job, why) -> new Decision.CancelPrefetch(node, dataset, why)),
        Combinators.combine(
                positive(),
                JobArbitraries.ids().list().uniqueElements().ofMinSize(1).ofMaxSize(4),
                Arbitraries.integers().between(0, 4))
            .as(
                (number, jobs, deferrable) ->
                    (job, why) ->
                        Decision.RequestPlan.recorded(
                            number,
                            jobs,
                            jobs.subList(0, Math.min(deferrable, jobs.size())),
                            why)));
  }

  private static Arbitrary<Long> positive() {
    return Arbitraries.longs().between(1, Long.MAX_VALUE);
  }

  private static Arbitrary<TaskPlacement> taskPlacements() {
    Arbitrary<TaskId> tasks =
        Combinators.combine(
                QuantityArbitraries.names(), Arbitraries.integers().between(0, Integer.MAX_VALUE))
            .as(TaskId::new);
    return Combinators.combine(
            tasks,
            ClusterArbitraries.nodeIds(),
            JobArbitraries.requests().filter(request -> request.gpus() <= 8),
            Arbitraries.integers().between(0, 8))
        .as(
            (task, node, request, first) ->
                new TaskPlacement(task, node, from(first, request), request));
  }

  private static List<Integer> from(int first, ResourceRequest request) {
    return IntStream.range(first, first + request.gpus()).boxed().toList();
  }
}
