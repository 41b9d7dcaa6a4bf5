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
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has running jobs move to faster GPUs: first to those that are free once all have started who
 * could, who saves most first, unless they take what a waiting job waits for that must not be
 * bypassed; then in {@linkplain Trade trades}, the best first. What moving costs is known, and a
 * move has to save a multiple of that. Waiting jobs are tried again on what was given up.
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
    for (RunningOn job :
        new MovableJobs(turn.jobs(), speeds, rules).all().sorted(MOST_TO_GAIN).toList()) {
      hasMoved |= job.mostSaved() > 0 && rise(turn, job);
    }
    return hasMoved;
  }

  private boolean rise(Turn turn, RunningOn job) {
    List<GpuModel> faster =
        job.speeds().keySet().stream()
            .filter(model -> pays(job.time() - job.time(model), cost))
            .toList();
    Optional<Placement> place =
        faster.isEmpty()
            ? Optional.empty()
            : place(turn, job.entry(), faster).filter(to -> leavesRoom(turn, job, to));
    place.ifPresent(
        to -> {
          GpuModel model = JobSpeeds.models(to, turn.cluster().topology()).first();
          turn.move(job.entry(), to, new Reason.NetGain(job.time() - job.time(model), cost));
        });
    return place.isPresent();
  }

  /**
   * Returns whether a job that must not be bypassed, if one waits, has as many free GPUs of one
   * model after a move as before.
   */
  private static boolean leavesRoom(Turn turn, RunningOn job, Placement to) {
    JobTable jobs = turn.jobs();
    @Nullable JobEntry head = jobs.policy().allowsBypass() ? null : jobs.eligible().first();
    if (head == null) {
      return true;
    }
    Map<GpuModel, Integer> free = ModelPlacer.freeGpus(turn.cluster());
    List<GpuModel> allowed = head.job().gpuModels();
    free.keySet().removeIf(model -> !allowed.isEmpty() && !allowed.contains(model));
    int before = most(free);
    JobSpeeds.models(to, turn.cluster().topology())
        .forEach(model -> free.computeIfPresent(model, (each, gpus) -> gpus - job.gpus()));
    free.computeIfPresent(job.model(), (each, gpus) -> gpus + job.gpus());
    return most(free) >= before;
  }

  private static int most(Map<GpuModel, Integer> free) {
    return free.values().stream().mapToInt(Integer::intValue).max().orElse(0);
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
        .filter(to -> turn.jobs().quotas().admitsInstead(job, to, cluster.topology()));
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
        && trades(turn, movable.all().toList()).anyMatch(trade -> carryOut(turn, trade))) {
      traded++;
    }
    return traded > 0;
  }

  /** Returns the trades that pay, the best first. */
  private Stream<Trade> trades(Turn turn, List<RunningOn> movable) {
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
        .filter(trade -> trade.isPossible() && pays(trade.saved(), 2 * cost))
        .sorted(Comparator.comparingDouble(Trade::saved).reversed());
  }

  /** Has two jobs trade places; returns whether both find room. */
  private boolean carryOut(Turn turn, Trade trade) {
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
      carryOut(turn, trade, up.orElseThrow(), down.get());
    }
    return down.isPresent();
  }

  private void carryOut(Turn turn, Trade trade, Placement up, Placement down) {
    JobEntry giver = trade.giver().entry();
    Reason gain = new Reason.NetGain(trade.saved(), 2 * cost);
    turn.preempt(giver, new Reason.MadeWay(trade.riser().entry().id()));
    turn.move(trade.riser().entry(), up, gain);
    turn.jobs().start(giver, down);
    turn.decide(new Decision.Start(giver.id(), down, gain));
  }
}
