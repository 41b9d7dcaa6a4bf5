package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.job.Ranking;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.speed.SeenSpeeds;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What time, reports of progress and copies of data change: ranks, and the ends of delays. */
public record Reviews(JobTable table, Savepoints savepoints, PhaseChanges phases) {

  /** Advances the clock to the time of an event; never backwards. */
  public void advance(Instant now) {
    boolean isLater = now.isAfter(table.now());
    table.advance(now);
    table.quotas().advance(now);
    if (isLater) {
      table.agenda().takeLater(now).forEach(this::tryAgain);
    }
  }

  /** Makes a class ready that jobs spared until now may help. */
  private void tryAgain(PlacementClass placementClass) {
    if (table.eligible().byClass().wake(placementClass)) {
      table.agenda().parkHead(null);
    }
  }

  /**
   * Notes that copies of data sets have come or gone. Where they are decides where jobs go that
   * move for another, and so whether all find a place. Returns true if a waiting job is to be tried
   * again.
   */
  public boolean noteCopies() {
    boolean mayHelp = table.preemption().mostMoves() > 0 && !table.eligible().isEmpty();
    if (mayHelp) {
      table.eligible().byClass().firsts().forEach(job -> tryAgain(job.placementClass()));
    }
    return mayHelp;
  }

  /** Applies a progress report of a running job, and ranks the job again. */
  public void progress(JobEntry job, Progress progress) {
    savepoints.saveBefore(job);
    table.runTransitions().begin(job, job.since());
    long before = phases.lastRank(job);
    phases.at(job).progress(progress);
    if (!job.job().parallelism().isElastic()) {
      table.speeds().ifPresent(speeds -> job.own().gpuSpeeds(seen(speeds, job, progress)));
    }
    phases.reconsider(job, before);
  }

  private SeenSpeeds seen(JobSpeeds speeds, JobEntry job, Progress progress) {
    Placement placement = job.placement().orElseThrow();
    ClusterTopology topology = table.cluster().topology();
    return speeds.seen(job.history().gpuSpeeds(), progress, placement, topology);
  }

  /** Ranks every job whose review is due. */
  public void review() {
    Ranking ranking = table.ranking();
    for (JobEntry job = ranking.due(table.now()); job != null; job = ranking.due(table.now())) {
      phases.reconsider(job, phases.lastRank(job));
    }
  }

  /** Ends the delays and grace periods that are over. */
  public void releaseDelayed() {
    DelayedJobs delayed = table.delayed();
    for (JobEntry job = delayed.due(table.now()); job != null; job = delayed.due(table.now())) {
      if (job.isStopping()) {
        table.runTransitions().stopped(job);
      } else {
        table.waitingTransitions().endDelay(job);
      }
    }
  }

  /** Ends the protection of jobs that have run long enough. */
  public void endProtection() {
    RunningJobs running = table.running();
    running.endProtectionAt(table.now());
    for (JobEntry job = running.unprotected(); job != null; job = running.unprotected()) {
      savepoints.saveBefore(job);
      running.dequeue(job);
      running.enqueue(job);
      table.quotas().reorder();
      phases.growWhereItRuns(job);
    }
  }

  /** Ends the cool-downs that are over. */
  public void endCoolDowns() {
    table.elastic().coolAt(table.now());
    for (JobEntry job = table.elastic().cooled(); job != null; job = table.elastic().cooled()) {
      savepoints.saveBefore(job);
      phases.growWhereItRuns(job);
    }
  }

  /**
   * Returns true if more than {@code limit} jobs wait. Counted only when an event released capacity
   * or added a waiting job; at the transition elastic jobs count as grown, since they may give up
   * more.
   */
  public boolean judgeWaiting(int limit) {
    if (table.agenda().hasGrown() || table.agenda().hasArrivals()) {
      boolean many = table.waiting().size() > limit;
      if (many && !table.elastic().manyWait()) {
        table.elastic().all().forEach(phases::growWhereItRuns);
      }
      table.elastic().noteManyWait(many);
    }
    return table.elastic().manyWait();
  }

  /** Returns the earliest of the next review and other times. */
  public Optional<Instant> nextReview(List<Optional<Instant>> others) {
    return Stream.concat(
            Stream.of(
                table.ranking().next(),
                table.delayed().next(),
                table.running().nextUnprotected(),
                table.elastic().next()),
            others.stream())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }
}
