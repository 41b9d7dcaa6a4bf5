package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests profiles of running jobs at their smaller sizes, once they have kept their size for the
 * cool-down: once if their speeds are unknown, and again if reports drift from measured speeds.
 * Sizes are walked downwards, since shrinking is nearly free: all of them if few, else by halves
 * (EDL).
 */
public record Profiling(Elasticity rules) implements Stage {

  /** The size range beyond which only halves are measured. */
  private static final int FEW = 8;

  @Override
  public void run(Turn turn) {
    if (!turn.mayAdjust(Agenda.Rest.ALL)) {
      return;
    }
    if (rules.profiles()) {
      profileUnknown(turn);
    }
    if (rules.drift() < Double.POSITIVE_INFINITY) {
      turn.report().ifPresent(report -> profileAgain(turn, report));
    }
  }

  private void profileAgain(Turn turn, Agenda.Report report) {
    JobTable jobs = turn.jobs();
    @Nullable JobEntry job = jobs.find(report.job());
    if (job == null || !SpeedWatch.isWatched(job, report)) {
      return;
    }
    double reported = report.iterationsPerSecond();
    SizedJob sized = new SizedJob(job, jobs.now(), rules, jobs.cluster().topology());
    List<Integer> sizes = sizes(job);
    if (job.history().drift().hasDrifted() && sizes.size() > 1 && mayProfileAgain(jobs, job)) {
      double measured = job.history().drift().measured(job.size(), sized::expected);
      jobs.runTransitions().profile(job);
      turn.decide(
          new Decision.Profile(
              job.id(), sizes, new Reason.SpeedsDrifted(job.size(), measured, reported)));
    }
  }

  private boolean mayProfileAgain(JobTable jobs, JobEntry job) {
    @Nullable Instant last = job.history().profiledAt();
    return jobs.elastic().mayChange(job)
        && (last == null
            || Duration.between(last, jobs.now()).compareTo(rules.profileInterval()) >= 0);
  }

  private static void profileUnknown(Turn turn) {
    JobTable jobs = turn.jobs();
    List<JobEntry> inOrder = new ArrayList<>(jobs.elastic().all());
    inOrder.sort(Comparator.comparingLong(JobEntry::sequence));
    for (JobEntry job : inOrder) {
      List<Integer> sizes = job.history().speeds().sizesSeen() < 2 ? sizes(job) : List.of();
      if (sizes.size() > 1 && jobs.elastic().mayChange(job) && !job.history().wasProfiled()) {
        jobs.runTransitions().profile(job);
        turn.decide(
            new Decision.Profile(
                job.id(), sizes, new Reason.SpeedsUnknown(job.history().speeds().sizesSeen())));
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
