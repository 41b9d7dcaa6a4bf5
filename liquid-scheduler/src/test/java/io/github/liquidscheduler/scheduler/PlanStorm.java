package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.DefragmentationPlanner;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.PlanSource;
import io.github.liquidscheduler.testkit.Playback;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Plans of every planner, requested and unrequested, and invalid plans: tasks moved to other GPUs,
 * several to one, with other shares, and jobs moved that must not be.
 */
final class PlanStorm implements PlanSource {

  private static final PlanOptions FEW_STEPS =
      PlanOptions.builder().steps(10).boundRounds(0).build();
  private static final List<Integer> PERCENTS = List.of(10, 25, 50, 100);

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
      plan = mutated(plan, new Random(pick));
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

  private BatchPlan mutated(BatchPlan plan, Random random) {
    List<Migration> moves = new ArrayList<>(plan.migrations());
    List<JobId> running = new ArrayList<>(scheduler.view().runningJobs());
    Collections.shuffle(running, random);
    plan.migrations().forEach(move -> running.remove(move.job()));
    plan.starts().forEach(start -> running.remove(start.job()));
    running.removeAll(plan.postponed());
    for (JobId job : running.subList(0, Math.min(3, running.size()))) {
      Placement to = mutated(scheduler.view().placement(job).orElseThrow(), random);
      moves.add(new Migration(job, to, 1, 2));
    }
    List<Placement> starts = new ArrayList<>();
    for (Placement start : plan.starts()) {
      starts.add(random.nextBoolean() ? mutated(start, random) : start);
    }
    long number = random.nextInt(5) == 0 ? 0 : plan.number();
    return new BatchPlan(number, starts, moves, plan.postponed(), plan.certificate());
  }

  private Placement mutated(Placement place, Random random) {
    boolean isTogether = random.nextInt(3) == 0;
    int percent = PERCENTS.get(random.nextInt(PERCENTS.size()));
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskPlacement task : place.tasks()) {
      TaskPlacement on = isTogether && !tasks.isEmpty() ? tasks.getFirst() : moved(task, random);
      boolean isAlike = on.gpus().size() == task.gpus().size();
      ResourceRequest request = random.nextInt(4) > 0 ? withShare(task, percent) : task.request();
      tasks.add(
          new TaskPlacement(
              task.task(),
              isAlike ? on.node() : task.node(),
              isAlike ? on.gpus() : task.gpus(),
              request));
    }
    return new Placement(place.job(), tasks);
  }

  /** Returns the task on other GPUs of any node that has enough of them. */
  private TaskPlacement moved(TaskPlacement task, Random random) {
    ClusterTopology topology = scheduler.view().topology();
    Node node = topology.nodes().get(random.nextInt(topology.nodes().size()));
    List<Integer> gpus =
        IntStream.range(0, node.gpus().size()).boxed().collect(Collectors.toList());
    Collections.shuffle(gpus, random);
    return gpus.size() < task.gpus().size()
        ? task
        : new TaskPlacement(
            task.task(),
            node.id(),
            gpus.stream().limit(task.gpus().size()).sorted().toList(),
            task.request());
  }

  private static ResourceRequest withShare(TaskPlacement task, int percent) {
    return task.gpus().size() == 1
        ? task.request().toBuilder().share(GpuShare.ofPercent(percent)).build()
        : task.request();
  }
}
