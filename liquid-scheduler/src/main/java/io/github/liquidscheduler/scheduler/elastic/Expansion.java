package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.gang.GangResize;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.ElasticJobs;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.PlacementCheck;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Hands the GPUs that no waiting job could take to running jobs of several sizes, one size after
 * the other to the one that gains most, and has those get larger who find room beside where they
 * are and for whom it pays (EDL's expansion).
 */
public final class Expansion implements Stage {

  private final Elasticity rules;
  private final Placer placer;

  /** Makes the stage; jobs get larger where {@code placer} allows it only. */
  public Expansion(Elasticity rules, Placer placer) {
    this.rules = rules;
    this.placer = placer;
  }

  /** A job's next larger size, and what it is worth for each GPU. */
  private record Step(SizedJob job, int to, double gain) {

    static final Comparator<Step> BEST_FIRST =
        Comparator.comparingDouble(Step::gain)
            .reversed()
            .thenComparingLong(step -> step.job().entry().sequence());
  }

  @Override
  public void run(Turn turn) {
    ElasticJobs elastic = turn.jobs().elastic();
    long nextGrowth = turn.jobs().changes().nextGrowth();
    Set<JobId> roomless = new LinkedHashSet<>(elastic.roomless(nextGrowth));
    Set<JobId> passedOver = new HashSet<>(roomless);
    Map<SizedJob, Integer> sizes = sizes(turn.jobs(), passedOver);
    while (!sizes.isEmpty()) {
      sizes.forEach(
          (job, most) -> {
            passedOver.add(job.entry().id());
            if (!enlarge(turn, job, most)) {
              roomless.add(job.entry().id());
            }
          });
      sizes = sizes(turn.jobs(), passedOver);
    }
    elastic.noteRoomless(roomless, nextGrowth);
  }

  /** Returns how large jobs should get, by the number of free GPUs alone. */
  private Map<SizedJob, Integer> sizes(JobTable jobs, Set<JobId> passedOver) {
    int free = jobs.cluster().freeGpus();
    Map<SizedJob, Integer> sizes = new LinkedHashMap<>();
    PriorityQueue<Step> steps = new PriorityQueue<>(Step.BEST_FIRST);
    for (JobEntry job : free == 0 ? List.<JobEntry>of() : jobs.elastic().all()) {
      if (jobs.elastic().mayChange(job) && !passedOver.contains(job.id())) {
        SizedJob sized = SizedJob.of(job, jobs.now(), rules, jobs.cluster().topology());
        next(sized, sized.tasks()).ifPresent(steps::add);
      }
    }
    while (free > 0 && !steps.isEmpty()) {
      Step step = steps.poll();
      SizedJob job = step.job();
      int gpus = (step.to() - sizes.getOrDefault(job, job.tasks())) * job.gpusPerTask();
      if (gpus <= free) {
        free -= gpus;
        sizes.put(job, step.to());
        next(job, step.to()).ifPresent(steps::add);
      }
    }
    return sizes;
  }

  private Optional<Step> next(SizedJob job, int from) {
    return job.job().parallelism().allowedSizes().stream()
        .filter(size -> size > from)
        .findFirst()
        .map(to -> new Step(job, to, rules.sizing().gain(job, from, to) / job.gpusPerTask()))
        .filter(step -> step.gain() > 0);
  }

  /**
   * Has a job get as large as there is room for and pays, at most so large; returns whether there
   * is room.
   */
  private boolean enlarge(Turn turn, SizedJob job, int most) {
    List<Integer> larger =
        job.job().parallelism().allowedSizes().stream()
            .filter(size -> size > job.tasks() && size <= most)
            .toList();
    List<Integer> paying = larger.stream().filter(size -> gain(job, size).isPresent()).toList();
    for (int size : paying.reversed()) {
      Optional<Placement> to = placement(turn, job.entry(), size);
      if (to.isPresent()) {
        turn.resize(job.entry(), to.get(), gain(job, size).orElseThrow());
        return true;
      }
    }
    return paying.isEmpty();
  }

  private Optional<Placement> placement(Turn turn, JobEntry job, int size) {
    Placement has = job.placement().orElseThrow();
    return new GangResize(turn.cluster(), job.job(), has)
        .larger(size)
        .filter(to -> new PlacementCheck(turn.cluster(), placer).mayMove(job.job(), to));
  }

  /** Returns what a larger size saves and costs; empty if it does not pay. */
  private Optional<Reason> gain(SizedJob job, int size) {
    double left = seconds(job.remaining().orElse(job.executed()));
    double cost = seconds(rules.cost().pause(job.job(), size));
    double saved = left * (1 - job.speed(job.tasks()) / job.speed(size));
    return saved > cost && left >= rules.worthwhile() * cost
        ? Optional.of(new Reason.NetGain(saved, cost))
        : Optional.empty();
  }

  private static double seconds(Duration time) {
    return time.toSeconds() + time.getNano() / 1e9;
  }
}
