package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.scheduling.StaleEventException;
import io.github.liquidscheduler.text.Count;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses events that cannot be, before anything changes. */
final class RoundEventChecks {

  private final RoundState state;
  private final Set<JobId> submitted = new HashSet<>();
  private final Set<GpuId> added = new HashSet<>();

  private RoundEventChecks(RoundState state) {
    this.state = state;
  }

  /**
   * Checks events of one instant, each against the state before them all.
   *
   * @throws StaleEventException if one is about a job or a run that is over
   * @throws IllegalArgumentException if there is none, one is early or of another instant, or
   *     contradicts the state
   */
  static void require(List<RoundEvent> events, RoundState state) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("something must have happened, but there was no event");
    }
    Instant at = events.getFirst().at();
    if (at.isBefore(state.now())) {
      throw new IllegalArgumentException(
          "events must come in the order of their times, but %s came after %s"
              .formatted(at, state.now()));
    }
    RoundEventChecks checks = new RoundEventChecks(state);
    for (RoundEvent event : events) {
      if (!event.at().equals(at)) {
        throw new IllegalArgumentException(
            "events decided on together must be of one instant, but were of %s and %s"
                .formatted(at, event.at()));
      }
      checks.require(event);
    }
  }

  private void require(RoundEvent event) {
    switch (event) {
      case RoundEvent.JobSubmitted submission -> requireNew(submission.spec());
      case RoundEvent.JobCancelled cancelled -> requireKnown(cancelled.job());
      case RoundEvent.TaskComputed computed -> requireComputing(computed.run());
      case RoundEvent.AboutRun about -> requireRunning(about.run());
      case RoundEvent.GpuAdded addition -> requireAbsent(addition);
      case RoundEvent.GpuLost lost -> requirePresent(lost.gpu());
      case RoundEvent.GpuAskedBack asked -> requirePresent(asked.gpu());
      case RoundEvent.NodeLost lost -> {}
      case RoundEvent.PlanProposed proposed -> {}
      case RoundEvent.TimePassed passed -> {}
    }
  }

  private void requireNew(JobSpec job) {
    if (state.find(job.id()) != null || !submitted.add(job.id())) {
      throw new IllegalArgumentException(
          "a job must be submitted once, but '%s' is there already".formatted(job.id()));
    }
    requireRounds(job);
  }

  /**
   * Checks that a job may run in a pool.
   *
   * @throws IllegalArgumentException if it is a gang, or of other roles than a round
   */
  static void requireRounds(JobSpec job) {
    if (!(job.synchronization() instanceof Synchronization.RelaxedRounds rounds)) {
      throw new IllegalArgumentException(
          "a job of a round pool must synchronize in relaxed rounds, but is a gang, for job '%s'"
              .formatted(job.id()));
    }
    TaskRole role = job.roles().getFirst();
    boolean isOnePerTask = role.request().gpus() == 1 && role.request().share().isEmpty();
    if (job.roles().size() != 1 || !isOnePerTask || role.count() != rounds.tasksPerRound()) {
      throw new IllegalArgumentException(
          "a job of rounds must have one role of %s of 1 whole GPU each, as many as a round, but has %s, for job '%s'"
              .formatted(Count.of(rounds.tasksPerRound(), "task"), job.roles(), job.id()));
    }
  }

  private void requireKnown(JobId job) {
    if (state.find(job) == null) {
      throw gone(job);
    }
  }

  static StaleEventException gone(JobId job) {
    return new StaleEventException(
        job, "a job of rounds must be there, but '%s' is over, or was never".formatted(job));
  }

  private void requireComputing(TaskRun run) {
    if (!requireRunning(run).isComputing()) {
      throw new IllegalArgumentException("a task computes once in a run, but did twice: " + run);
    }
  }

  private RunningTask requireRunning(TaskRun run) {
    @Nullable RunningTask running = state.find(run.number());
    if (running != null && running.run().equals(run)) {
      return running;
    }
    if (running == null && run.number() <= state.runs()) {
      throw new StaleEventException(
          run.task().job(), "a run must be under way to be reported, but is over: " + run);
    }
    throw new IllegalArgumentException(
        "a report must name a run as it was decided, but there was no " + run);
  }

  private void requireAbsent(RoundEvent.GpuAdded event) {
    @Nullable PoolGpu there = state.fleet().find(event.gpu());
    boolean mayStay = there != null && !there.isOpen() && there.model().equals(event.model());
    if (!added.add(event.gpu()) || (there != null && !mayStay)) {
      throw new IllegalArgumentException(
          "a GPU must be added once, under one model, but %s is there already"
              .formatted(event.gpu()));
    }
  }

  private void requirePresent(GpuId gpu) {
    if (state.fleet().find(gpu) == null) {
      throw new IllegalArgumentException("the pool must have the GPU, but has no " + gpu);
    }
  }
}
