package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.DefragmentationPlanner;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.PlanSource;
import io.github.liquidscheduler.testkit.Playback;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Plans of every planner, requested and unrequested, and invalid plans: tasks moved to other GPUs,
 * several to one, with other shares, and jobs moved that must not be.
 */
final class PlanStorm implements PlanSource {

  private static final PlanOptions FEW_STEPS =
      PlanOptions.builder().steps(10).boundRounds(0).build();

  private final LiquidScheduler scheduler;
  private final Colocation colocation;
  private final StalePlans stale = new StalePlans();
  private final List<PlanRequest> questions = new ArrayList<>();
  private final List<BatchPlan> answers = new ArrayList<>();
  private final List<BatchPlan> hostile = new ArrayList<>();

  /** Makes plans for what a scheduler asks for, or could ask for. */
  PlanStorm(LiquidScheduler scheduler, Colocation colocation) {
    this.scheduler = scheduler;
    this.colocation = colocation;
  }

  /** Has the scheduler take an event, if it is possible; only a hostile plan may be refused. */
  Optional<Playback.Turn> take(Optional<ClusterEvent> event) {
    Optional<Playback.Turn> turn = event.flatMap(this::take);
    turn.map(Playback.Turn::decisions).orElse(List.of()).stream()
        .filter(Decision.RequestPlan.class::isInstance)
        .forEach(asked -> ask(((Decision.RequestPlan) asked).request()));
    return turn;
  }

  private Optional<Playback.Turn> take(ClusterEvent event) {
    return event instanceof ClusterEvent.PlanProposed proposed && isHostile(proposed.plan())
        ? propose(proposed)
        : Optional.of(new Playback.Turn(event, scheduler.on(event)));
  }

  private boolean isHostile(BatchPlan plan) {
    return hostile.contains(plan);
  }

  private Optional<Playback.Turn> propose(ClusterEvent.PlanProposed proposed) {
    SchedulerSnapshot before = scheduler.snapshot();
    try {
      return Optional.of(new Playback.Turn(proposed, scheduler.on(proposed)));
    } catch (IllegalArgumentException e) {
      assertThat(scheduler.snapshot()).isEqualTo(before);
      return Optional.empty();
    }
  }

  @Override
  public void ask(PlanRequest request) {
    questions.add(request);
    stale.ask(request);
  }

  @Override
  public Optional<BatchPlan> answer(int pick) {
    boolean isUnasked = questions.isEmpty() || pick % 3 == 0;
    PlanRequest request = isUnasked ? unasked() : questions.getLast();
    BatchPlan plan = honest(isUnasked, request, pick / 3);
    if (pick % 2 == 0) {
      plan = HostilePlans.of(plan, scheduler.view(), pick);
      hostile.add(plan);
    }
    answers.add(plan);
    return Optional.of(plan);
  }

  @Override
  public List<BatchPlan> answered() {
    return answers;
  }

  @Override
  public PlanSource copy() {
    throw new UnsupportedOperationException("a storm goes one way");
  }

  /** Returns an operator's request: any waiting job may start, any running job may move. */
  private PlanRequest unasked() {
    PlanRequest.Builder request = PlanRequest.builder(ClusterState.copyOf(scheduler.view()));
    scheduler.waiting().forEach(job -> request.pending(spec(job)));
    movable().forEach(job -> request.movable(job, 0.1));
    return request.build();
  }

  private BatchPlan honest(boolean isUnasked, PlanRequest request, int how) {
    return switch (how % 50) {
      case 0 -> BatchPlanners.timefold().plan(request.withOptions(FEW_STEPS));
      case 1, 2, 3, 4, 5 -> ColocationPlanner.of(BatchPlanners.greedy(), colocation).plan(request);
      case 6, 7, 8, 9, 10, 11, 12 ->
          isUnasked ? defragmented(request) : stale.answer(how).orElseThrow();
      default -> BatchPlanners.greedy().plan(request);
    };
  }

  /** Returns a plan that moves jobs for the first that fits in no other way. */
  private BatchPlan defragmented(PlanRequest request) {
    Map<JobId, Double> costs =
        movable().stream().collect(Collectors.toMap(JobSpec::id, job -> 1.0));
    DefragmentationPlanner planner = DefragmentationPlanner.with(Placers.bestFit());
    return request.pending().stream()
        .limit(3)
        .flatMap(gang -> planner.plan(request.view(), gang, 1000, costs).stream())
        .findFirst()
        .orElseGet(() -> BatchPlanners.greedy().plan(request));
  }

  private List<JobSpec> movable() {
    return scheduler.view().runningJobs().stream()
        .map(this::spec)
        .filter(JobSpec::isPreemptible)
        .toList();
  }

  private JobSpec spec(JobId job) {
    return scheduler.job(job).orElseThrow();
  }
}
