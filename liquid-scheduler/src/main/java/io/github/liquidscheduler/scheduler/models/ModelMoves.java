package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Has running jobs move to faster GPUs: first to those that are free once all have started who
 * could, who saves most first; then in {@linkplain Trade trades}, the best first. What moving costs
 * is known, and a move has to save a multiple of that, less what it {@linkplain QueueDelay delays}
 * those who wait. Waiting jobs are tried again on what was given up.
 *
 * <p>Of those who would rise, and of those who would give way, a number is looked at that does not
 * grow with the jobs. A trade stops the one that gives way and starts it again at once. Reports of
 * progress move nobody; what they tell counts from the next event on.
 */
public final class ModelMoves implements Stage {

  /** How many jobs are looked at that gain most, and that lose least. */
  private static final int MOST = 32;

  private static final Comparator<RunningOn> MOST_TO_GAIN =
      Comparator.comparingDouble(RunningOn::mostSaved)
          .reversed()
          .thenComparingLong(job -> job.entry().sequence());

  private static final Comparator<RunningOn> SHORTEST_LAST =
      Comparator.comparingDouble(RunningOn::left)
          .reversed()
          .thenComparingLong(job -> job.entry().sequence());

  /** A trade, and the seconds that it saves all who run and wait. */
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
   * @param rules what jobs stand still for
   * @param placer finds places on the models that a job asks for
   * @param start starts waiting jobs
   */
  public ModelMoves(Performance rules, Placer placer, Stage start) {
    this.rules = rules;
    this.placer = placer;
    this.start = start;
    cost = rules.pause().orElseThrow().toMillis() / 1000.0;
  }

  @Override
  public void run(Turn turn) {
    JobTable jobs = turn.jobs();
    if (turn.event() instanceof ClusterEvent.JobProgressed
        || jobs.cluster().topology().gpusByModel().size() < 2) {
      return;
    }
    JobSpeeds speeds = jobs.speeds().orElseThrow();
    if (rise(turn, speeds)) {
      start.run(turn);
    }
    if (trade(turn, speeds)) {
      start.run(turn);
    }
  }

  /** Moves jobs to faster GPUs that are free; returns whether any moved. */
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
    Optional<Placement> place =
        faster.isEmpty() ? Optional.empty() : place(turn, job.entry(), faster);
    return place.isPresent() && rise(turn, job, place.get(), waiting);
  }

  private boolean rise(Turn turn, RunningOn job, Placement to, QueueDelay waiting) {
    double time = job.time(JobSpeeds.models(to, turn.cluster().topology()).first());
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

  /** Returns where a job could be on the first of some models that has room. */
  private Optional<Placement> place(Turn turn, JobEntry job, List<GpuModel> models) {
    ClusterState cluster = turn.cluster();
    JobSpec elsewhere = job.asPlaced().toBuilder().gpuModels(models).build();
    return placer
        .place(cluster, elsewhere)
        .filter(to -> turn.jobs().stopping().blocking(to, cluster).isEmpty())
        .filter(to -> turn.jobs().quotas().admitsChange(job, to, cluster.topology()));
  }

  /** Has jobs trade places; returns whether any did. */
  private boolean trade(Turn turn, JobSpeeds speeds) {
    if (!turn.jobs().preemption().gracePeriod().isZero()) {
      return false;
    }
    MovableJobs movable = new MovableJobs(turn.jobs(), speeds, rules);
    long most = movable.all().count();
    long traded = 0;
    while (traded < most
        && trades(turn, movable.all().toList(), new QueueDelay(turn.jobs(), speeds))
            .anyMatch(offer -> carryOut(turn, offer))) {
      traded++;
    }
    return traded > 0;
  }

  /** Returns the trades that pay, the best first. */
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
        .map(trade -> new Offer(trade, waiting.isAny() ? trade.savedForGood() : trade.saved()))
        .filter(offer -> pays(offer.saved(), 2 * cost))
        .sorted(Comparator.comparingDouble(Offer::saved).reversed())
        .map(offer -> offer.less(Math.max(0, waiting.of(offer.trade().relocations()))))
        .filter(offer -> pays(offer.saved(), 2 * cost));
  }

  /** Has two jobs trade places; returns whether both find room. */
  private boolean carryOut(Turn turn, Offer offer) {
    Trade trade = offer.trade();
    JobEntry riser = trade.riser().entry();
    JobEntry giver = trade.giver().entry();
    ClusterState cluster = turn.cluster();
    riser.leave(cluster, false);
    giver.leave(cluster, false);
    Optional<Placement> up = place(turn, riser, List.of(trade.giver().model()));
    up.ifPresent(cluster::takeBack);
    Optional<Placement> down =
        up.flatMap(taken -> place(turn, giver, List.of(trade.riser().model())));
    up.ifPresent(cluster::giveUp);
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
    turn.jobs().start(giver, down);
    turn.decide(new Decision.Start(giver.id(), down, gain));
  }
}
