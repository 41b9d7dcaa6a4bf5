package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/*
 * Idea: after waiting jobs had their turn, running jobs move to faster free GPUs, largest saving
 *   first; then pairs of jobs trade GPU models where the sum of their completion times falls.
 * Invariants: a move or trade saves at least worthwhile() times its pauses, after the delay it
 *   causes to waiting jobs; a job stays long enough that pauses are a bounded fraction of its
 *   time (HeterogeneityLaws); freed GPUs are offered to waiting jobs in the same turn.
 * Cost: O(running jobs) to rate them, a placement per job that gains and may rise, at most 32 x 32
 *   trades rated per round and at most one round per movable job; progress reports cost nothing.
 * Source: Trade (Gonzalez, 1977) and QueueDelay state the rules.
 */
/**
 * Moves running jobs to faster GPUs: first to free ones once all waiting jobs that could have
 * started, largest saving first; then in {@linkplain Trade trades}, best first. A move must save a
 * multiple of its cost, less the {@linkplain QueueDelay delay} of waiting jobs. Waiting jobs are
 * then tried again on the freed GPUs. Jobs that may share GPUs move to those where nobody is.
 *
 * <p>The number of jobs considered for trades is bounded. A trade stops the giving job and restarts
 * it at once. Progress reports move no job; their information counts from the next event on.
 */
public final class ModelMoves implements Stage {

  /** The number of jobs considered as risers, and as givers. */
  private static final int MOST = 32;

  private static final Comparator<RunningOn> MOST_TO_GAIN =
      Comparator.comparingDouble(RunningOn::mostSaved)
          .reversed()
          .thenComparingLong(job -> job.entry().sequence());

  private static final Comparator<RunningOn> SHORTEST_LAST =
      Comparator.comparingDouble(RunningOn::left)
          .reversed()
          .thenComparingLong(job -> job.entry().sequence());

  /** A trade, and the seconds it saves running and waiting jobs. */
  private record Offer(Trade trade, double saved) {

    Offer less(double delay) {
      return new Offer(trade, saved - delay);
    }
  }

  private final Performance rules;
  private final Placer placer;
  private final Stage start;
  private final double cost;

  /**
   * Makes the stage.
   *
   * @param rules the cost and worth of moves
   * @param placer places a job on a given list of models
   * @param start the stage that starts waiting jobs
   */
  public ModelMoves(Performance rules, Placer placer, Stage start) {
    this.rules = rules;
    this.placer = placer;
    this.start = start;
    cost = GpuTime.seconds(rules.pause().orElseThrow());
  }

  @Override
  public void run(Turn turn) {
    JobTable jobs = turn.jobs();
    if (turn.report().isPresent() || jobs.cluster().topology().gpusByModel().size() < 2) {
      return;
    }
    JobSpeeds speeds = jobs.speeds().orElseThrow();
    if (turn.mayAdjust(Agenda.Rest.ALL) && rise(turn, speeds)) {
      startWaiting(turn, Agenda.Rest.TRADES);
    }
    if (turn.mayAdjust(Agenda.Rest.TRADES) && trade(turn, speeds)) {
      startWaiting(turn, Agenda.Rest.NOTHING);
    }
  }

  /** Tries waiting jobs on what moves have freed; what is left comes afterwards. */
  private void startWaiting(Turn turn, Agenda.Rest left) {
    turn.leave(left);
    start.run(turn);
  }

  /** Moves jobs to faster free GPUs; returns true if any moved. */
  private boolean rise(Turn turn, JobSpeeds speeds) {
    if (turn.cluster().freeGpus() == 0) {
      return false;
    }
    boolean hasMoved = false;
    QueueDelay waiting = new QueueDelay(turn.jobs(), speeds);
    for (RunningOn job :
        new MovableJobs(turn.jobs(), speeds, rules).all().sorted(MOST_TO_GAIN).toList()) {
      if (job.mostSaved() > 0 && rise(turn, job, waiting)) {
        hasMoved = true;
        waiting = new QueueDelay(turn.jobs(), speeds);
      }
    }
    return hasMoved;
  }

  private boolean rise(Turn turn, RunningOn job, QueueDelay waiting) {
    List<GpuModel> faster =
        job.speeds().keySet().stream()
            .filter(model -> pays(job.time() - job.time(model), cost))
            .toList();
    if (faster.isEmpty()) {
      return false;
    }
    job.entry().leave(turn.cluster(), false);
    Optional<Placement> place = place(turn, job.entry(), faster);
    job.entry().comeBack(turn.cluster(), false);
    return place.isPresent() && rise(turn, job, place.get(), waiting);
  }

  private boolean rise(Turn turn, RunningOn job, Placement to, QueueDelay waiting) {
    double time = job.time(turn.cluster().topology().models(to).first());
    double saved =
        job.time()
            - time
            - Math.max(0, waiting.of(List.of(new QueueDelay.Relocation(job.entry(), to, time))));
    if (!pays(saved, cost)) {
      return false;
    }
    turn.move(job.entry(), to, new Reason.NetGain(saved, cost));
    return true;
  }

  private boolean pays(double saved, double paid) {
    return saved > 0 && saved >= rules.worthwhile() * paid;
  }

  /**
   * Returns a placement of a job that has left its own, on the first of the models with enough free
   * capacity.
   */
  private Optional<Placement> place(Turn turn, JobEntry job, List<GpuModel> models) {
    ClusterState cluster = turn.cluster();
    JobSpec elsewhere = job.asPlaced().toBuilder().gpuModels(models).build();
    return QuotaPlacer.moving(placer, turn.jobs().quotas(), job)
        .place(cluster, elsewhere)
        // Speeds are those of a job that shares no GPU.
        .filter(to -> to.gpuIds().allMatch(gpu -> cluster.residents(gpu).isEmpty()))
        .filter(to -> turn.jobs().stopping().leaveFree(to, cluster))
        .filter(to -> turn.delaysNobody(job, to));
  }

  /** Trades pairs of jobs; returns true if any traded. */
  private boolean trade(Turn turn, JobSpeeds speeds) {
    if (!turn.jobs().preemption().gracePeriod().isZero()) {
      return false;
    }
    MovableJobs movable = new MovableJobs(turn.jobs(), speeds, rules);
    long most = movable.all().count();
    long traded = 0;
    while (traded < most
        && trades(turn, movable.unpromised(), new QueueDelay(turn.jobs(), speeds))
            .anyMatch(offer -> carryOut(turn, offer))) {
      traded++;
    }
    return traded > 0;
  }

  /** Returns the trades that pay, best first. */
  private Stream<Offer> trades(Turn turn, List<RunningOn> movable, QueueDelay waiting) {
    List<RunningOn> risers =
        movable.stream()
            .filter(job -> job.mostSaved() > 0)
            .sorted(MOST_TO_GAIN)
            .limit(MOST)
            .toList();
    int mostPreemptions = turn.jobs().preemption().mostPreemptions();
    List<RunningOn> givers =
        movable.stream()
            .filter(job -> job.entry().at(turn.jobs().now()).preemptions() < mostPreemptions)
            .sorted(SHORTEST_LAST)
            .limit(MOST)
            .toList();
    return risers.stream()
        .flatMap(riser -> givers.stream().map(giver -> new Trade(riser, giver)))
        .filter(Trade::isPossible)
        .map(
            trade ->
                new Offer(trade, waiting.isAny() ? trade.savedWhileOthersWait() : trade.saved()))
        .filter(offer -> pays(offer.saved(), 2 * cost))
        .sorted(Comparator.comparingDouble(Offer::saved).reversed())
        .map(offer -> offer.less(Math.max(0, waiting.of(offer.trade().relocations()))))
        .filter(offer -> pays(offer.saved(), 2 * cost));
  }

  /** Trades two jobs; returns true if both fit. */
  private boolean carryOut(Turn turn, Offer offer) {
    Trade trade = offer.trade();
    JobEntry riser = trade.riser().entry();
    JobEntry giver = trade.giver().entry();
    ClusterState cluster = turn.cluster();
    riser.leave(cluster, false);
    giver.leave(cluster, false);
    Optional<Placement> up = place(turn, riser, List.of(trade.giver().model()));
    up.ifPresent(to -> cluster.trials().applyTentatively(riser.asPlaced(), to));
    Optional<Placement> down =
        up.flatMap(taken -> place(turn, giver, List.of(trade.riser().model())));
    up.ifPresent(to -> cluster.trials().withdraw(to.job()));
    giver.comeBack(cluster, false);
    riser.comeBack(cluster, false);
    if (down.isPresent()) {
      carryOut(turn, offer, up.orElseThrow(), down.get());
    }
    return down.isPresent();
  }

  private void carryOut(Turn turn, Offer offer, Placement up, Placement down) {
    Trade trade = offer.trade();
    JobEntry giver = trade.giver().entry();
    Reason gain = new Reason.NetGain(offer.saved(), 2 * cost);
    turn.preempt(giver, new Reason.MadeWay(trade.riser().entry().id()));
    turn.move(trade.riser().entry(), up, gain);
    turn.start(giver, down, gain);
  }
}
