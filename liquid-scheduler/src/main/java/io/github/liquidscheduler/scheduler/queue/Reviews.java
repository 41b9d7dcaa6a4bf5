package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.job.Ranking;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the passing of time and reports of progress change: ranks, and the ends of delays. */
public final class Reviews {

  private final JobTable table;
  private final Savepoints savepoints;
  private final PhaseChanges phases;
  private final WaitingTransitions waits;
  private final RunTransitions runs;
  private final DelayedJobs delayed;
  private final RunningJobs running;
  private final ElasticJobs elastic;
  private final Agenda agenda;
  private final @Nullable JobSpeeds speeds;

  Reviews(JobTable table, Savepoints savepoints, PhaseChanges phases) {
    this.table = table;
    this.savepoints = savepoints;
    this.phases = phases;
    waits = table.waitingTransitions();
    runs = table.runTransitions();
    delayed = table.delayed();
    running = table.running();
    elastic = table.elastic();
    agenda = table.agenda();
    speeds = table.speeds().orElse(null);
  }

  /** Advances the clock to the time of an event; never backwards. */
  public void advance(Instant now) {
    boolean isLater = now.isAfter(table.now());
    table.advance(now);
    table.quotas().advance(now);
    if (isLater) {
      agenda.takeLater(now).forEach(this::tryAgain);
    }
  }

  /** Makes a class ready that jobs spared until now may help. */
  private void tryAgain(PlacementClass placementClass) {
    if (table.eligible().byClass().wake(placementClass)) {
      agenda.parkHead(null);
    }
  }

  /** Applies a progress report of a running job, and ranks the job again. */
  public void progress(JobEntry job, Progress progress) {
    savepoints.saveBefore(job);
    long before = phases.lastRank(job);
    phases.at(job).progress(progress);
    if (speeds != null && !job.job().parallelism().isElastic()) {
      Placement placement = job.placement().orElseThrow();
      job.own()
          .gpuSpeeds(
              speeds.seen(
                  job.history().gpuSpeeds(), progress, placement, table.cluster().topology()));
    }
    phases.reconsider(job, before);
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
    for (JobEntry job = delayed.due(table.now()); job != null; job = delayed.due(table.now())) {
      if (job.isStopping()) {
        runs.stopped(job);
      } else {
        waits.endDelay(job);
      }
    }
  }

  /** Ends the protection of jobs that have run long enough. */
  public void endProtection() {
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
    elastic.coolAt(table.now());
    for (JobEntry job = elastic.cooled(); job != null; job = elastic.cooled()) {
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
    if (agenda.hasGrown() || agenda.hasArrivals()) {
      boolean many = table.waiting().size() > limit;
      if (many && !elastic.manyWait()) {
        elastic.all().forEach(phases::growWhereItRuns);
      }
      elastic.noteManyWait(many);
    }
    return elastic.manyWait();
  }

  /** Returns the earliest of the next review and other times. */
  public Optional<Instant> nextReview(List<Optional<Instant>> others) {
    return Stream.concat(
            Stream.of(
                table.ranking().next(), delayed.next(), running.nextUnprotected(), elastic.next()),
            others.stream())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }
}
