package io.github.liquidscheduler.scheduler;

import static java.util.Comparator.naturalOrder;

import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.deadline.PromisedShare;
import io.github.liquidscheduler.scheduler.explain.Explainer;
import io.github.liquidscheduler.scheduler.explain.UnmetConstraints;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.start.Start;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.window.WindowTimes;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Questions about a state between turns. Nothing changes. */
record Questions(Pipeline pipeline, SchedulerState state) {

  private JobTable jobs() {
    return state.jobs();
  }

  /** Returns the number of waiting jobs before this one; empty if it does not wait. */
  OptionalInt queuePosition(JobId job) {
    @Nullable JobEntry entry = jobs().find(job);
    return entry == null || entry.isRunning()
        ? OptionalInt.empty()
        : OptionalInt.of(jobs().waiting().position(entry));
  }

  /** Returns why a live job is held; empty if it is not. */
  Optional<String> held(JobId job) {
    return Optional.ofNullable(jobs().find(job)).flatMap(entry -> entry.history().hold());
  }

  /** Returns the advance reservations that have not ended, in the order of announcement. */
  List<ReservationStatus> advanceReservations() {
    return state.backfill().map(plan -> plan.advance().statuses()).orElse(List.of());
  }

  /** Returns the status of a job; empty if it is not known. */
  Optional<JobStatus> status(JobId job) {
    @Nullable JobEntry entry = jobs().find(job);
    if (entry == null) {
      return jobs()
          .ended()
          .ending(job)
          .map(how -> new JobStatus.Ended(how, jobs().ended().why(job)));
    }
    return Optional.of(
        switch (entry.phase()) {
          case JobPhase.Waiting waiting -> new JobStatus.Waiting(entry.since());
          case JobPhase.Stopping stopping ->
              new JobStatus.Stopping(entry.since(), stopping.until(), stopping.remaining());
          case JobPhase.Starting starting ->
              new JobStatus.Starting(entry.since(), starting.placement(), starting.after());
          case JobPhase.Launching launching ->
              new JobStatus.Launching(entry.since(), launching.placement());
          case JobPhase.Moving moving ->
              new JobStatus.Moving(entry.since(), moving.running(), moving.to(), moving.after());
          case JobPhase.Running running ->
              new JobStatus.Running(entry.since(), running.placement());
          case JobPhase.Resizing resizing ->
              new JobStatus.Resizing(
                  entry.since(),
                  resizing.running(),
                  resizing.to(),
                  entry.history().resizes(),
                  resizing.after());
        });
  }

  /**
   * Explains why a job waits.
   *
   * @throws IllegalArgumentException if it does not wait
   */
  Explanation explain(JobId job) {
    @Nullable JobEntry entry = jobs().find(job);
    if (entry == null || entry.isRunning()) {
      boolean isOver = jobs().ended().ending(job).isPresent();
      String why = jobs().ended().why(job).map(reason -> ": " + reason).orElse("");
      throw new IllegalArgumentException(
          "only a waiting job can be explained, but job '%s' is %s%s"
              .formatted(job, entry != null ? "running" : isOver ? "over" : "not known", why));
    }
    Optional<PromisedShare> promised =
        Optional.ofNullable(pipeline.elasticity())
            .flatMap(rules -> PromisedShare.of(entry, jobs(), rules));
    Optional<UnmetConstraint> parked =
        promised
            .map(PromisedShare::unmet)
            .orElseGet(() -> UnmetConstraints.backOff(entry, jobs().now()))
            .or(() -> beyondQuota(entry))
            .or(() -> window().flatMap(window -> window.unmetConstraint(entry)))
            .or(() -> jobs().quotas().admission().excess(entry).map(UnmetConstraints::of));
    return new Explainer(state, pipeline.placer(jobs()))
        .explain(
            entry,
            parked,
            promised.flatMap(PromisedShare::estimate),
            window().flatMap(WindowTimes::nextWakeUp));
  }

  /** Returns the quota that a job exceeds which is in no plan for that reason. */
  private Optional<UnmetConstraint> beyondQuota(JobEntry job) {
    return jobs().batched().stage(job) == BatchedJobs.Membership.BEYOND_QUOTA
        ? jobs().quotas().admission().excess(job).map(UnmetConstraints::of)
        : Optional.empty();
  }

  /** Returns the next wake-up; empty if it would be later than any event may be. */
  Optional<Instant> nextWakeUp() {
    return earliestWakeUp().filter(at -> !at.isAfter(GpuTime.LATEST));
  }

  private Optional<Instant> earliestWakeUp() {
    if (!state.failures().left().isEmpty()) {
      return Optional.of(jobs().now());
    }
    Optional<Instant> announced =
        state.backfill().flatMap(plan -> plan.advance().nextChange(jobs().now()));
    Optional<Instant> draining =
        Stream.of(
                state.failures().nextDeadline(),
                pipeline.evacuation(pipeline.placer(jobs())).nextNotice(state))
            .flatMap(Optional::stream)
            .min(naturalOrder());
    if (jobs().waiting().isEmpty()
        && jobs().delayed().isEmpty()
        && jobs().elastic().all().isEmpty()) {
      return Stream.of(announced, draining).flatMap(Optional::stream).min(naturalOrder());
    }
    if (jobs().agenda().isOpen()) {
      return Optional.of(jobs().now());
    }
    Optional<Instant> reserved = state.backfill().flatMap(BackfillPlan::nextWakeUp);
    Optional<Instant> planning = window().flatMap(WindowTimes::nextWakeUp);
    Optional<Instant> spared = jobs().agenda().nextTry();
    Optional<Instant> prefetch = state.data().flatMap(DataBooks::lookAgain);
    return jobs()
        .reviews()
        .nextReview(
            List.of(
                announced,
                draining,
                reserved,
                planning,
                prefetch,
                spared,
                Start.nextMoves(jobs())));
  }

  private Optional<WindowTimes> window() {
    return Optional.ofNullable(pipeline.batch())
        .map(batch -> new WindowTimes(state.window(), batch));
  }
}
