package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.ElasticJobs;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks running jobs how fast they are at their smaller sizes after they have kept their size for
 * the cool-down: each once of which that is not known, and again those whose reports have left what
 * was measured. Sizes are walked downwards, since getting smaller costs next to nothing: each if
 * there are few, else every half (EDL).
 */
public final class Profiling implements Stage {

  /** Beyond so many sizes every half is measured. */
  private static final int FEW = 8;

  private final Elasticity rules;

  /** Makes the stage. */
  public Profiling(Elasticity rules) {
    this.rules = rules;
  }

  @Override
  public void run(Turn turn) {
    if (rules.profiles()) {
      askOfWhomNothingIsKnown(turn);
    }
    if (rules.drift() < Double.POSITIVE_INFINITY
        && turn.event() instanceof ClusterEvent.JobProgressed event
        && event.progress().iterationsPerSecond() > 0) {
      watch(turn, event);
    }
  }

  private void watch(Turn turn, ClusterEvent.JobProgressed event) {
    JobTable jobs = turn.jobs();
    @Nullable JobEntry job = jobs.find(event.job());
    if (job == null
        || !job.isRunning()
        || job.isProfiling()
        || job.resizing().isPresent()
        || !ElasticJobs.isResizable(job.job())) {
      return;
    }
    double reported = event.progress().iterationsPerSecond();
    SizedJob sized = new SizedJob(job, jobs.now(), rules, jobs.cluster().topology());
    jobs.watchSpeed(job, reported, rules.drift(), sized::expected);
    List<Integer> sizes = sizes(job);
    if (job.drift().hasDrifted() && sizes.size() > 1 && mayBeAskedAgain(jobs, job)) {
      double measured = job.drift().measured(job.size(), sized::expected);
      jobs.profile(job);
      turn.decide(
          new Decision.Profile(
              job.id(), sizes, new Reason.SpeedsDrifted(job.size(), measured, reported)));
    }
  }

  private boolean mayBeAskedAgain(JobTable jobs, JobEntry job) {
    @Nullable Instant last = job.profiledAt();
    return jobs.elastic().mayChange(job)
        && (last == null
            || Duration.between(last, jobs.now()).compareTo(rules.profileInterval()) >= 0);
  }

  private static void askOfWhomNothingIsKnown(Turn turn) {
    JobTable jobs = turn.jobs();
    List<JobEntry> inOrder = new ArrayList<>(jobs.elastic().all());
    inOrder.sort(Comparator.comparingLong(JobEntry::sequence));
    for (JobEntry job : inOrder) {
      List<Integer> sizes = job.speeds().sizesSeen() < 2 ? sizes(job) : List.of();
      if (sizes.size() > 1 && jobs.elastic().mayChange(job) && !job.wasProfiled()) {
        jobs.profile(job);
        turn.decide(
            new Decision.Profile(
                job.id(), sizes, new Reason.SpeedsUnknown(job.speeds().sizesSeen())));
      }
    }
  }

  private static List<Integer> sizes(JobEntry job) {
    List<Integer> smaller =
        job.job().parallelism().allowedSizes().stream().filter(size -> size <= job.size()).toList();
    if (smaller.isEmpty() || smaller.getLast() - smaller.getFirst() <= FEW) {
      return smaller.reversed();
    }
    List<Integer> halves = new ArrayList<>();
    for (int size : smaller.reversed()) {
      if (halves.isEmpty()
          || 2 * size <= halves.getLast()
          || size == smaller.getFirst().intValue()) {
        halves.add(size);
      }
    }
    return halves;
  }
}
