package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes the state as events say, which were checked. Of several of one instant an earlier one may
 * have ended what a later one is about; that one then means nothing.
 */
final class RoundIntake {

  /** What a task is charged at most, so that sums stay in their range. */
  private static final Duration LONGEST = Duration.ofDays(1000);

  private final RoundState state;
  private final List<RoundDecision> decisions;

  RoundIntake(RoundState state, List<RoundDecision> decisions) {
    this.state = state;
    this.decisions = decisions;
  }

  void take(RoundEvent event) {
    switch (event) {
      case RoundEvent.JobSubmitted submitted -> submit(submitted);
      case RoundEvent.JobCancelled cancelled -> cancel(cancelled);
      case RoundEvent.TaskComputed computed -> compute(computed);
      case RoundEvent.TaskSynchronized done -> synchronize(done);
      case RoundEvent.TaskFailed failed -> fail(failed);
      case RoundEvent.GpuAdded added -> add(added);
      case RoundEvent.GpuLost lost -> lose(state.fleet().find(lost.gpu()));
      case RoundEvent.NodeLost lost -> state.fleet().of(lost.node()).forEach(this::lose);
      case RoundEvent.GpuAskedBack asked -> askBack(asked);
      case RoundEvent.PlanProposed proposed ->
          new SequenceIntake(state).take(proposed.plan().sequences());
      case RoundEvent.TimePassed passed -> {}
    }
  }

  /** Stops what runs on GPUs that have to be given back by now, and gives them back. */
  void giveBackDue() {
    for (PoolGpu gpu : state.fleet().due(state.now())) {
      for (RunningTask run : new ArrayList<>(gpu.runs.values())) {
        decisions.add(new RoundDecision.StopTask(run.run(), RoundDecision.StopCause.ASKED_BACK));
        repeat(run);
      }
      giveBackIfEmpty(gpu);
    }
  }

  private void submit(RoundEvent.JobSubmitted event) {
    JobRounds job = state.newJob(event.spec(), event.expected());
    job.openRound();
    state.addJob(job);
  }

  private void cancel(RoundEvent.JobCancelled event) {
    @Nullable JobRounds job = state.find(event.job());
    if (job == null) {
      return;
    }
    for (RunningTask run : new ArrayList<>(job.running().values())) {
      decisions.add(new RoundDecision.StopTask(run.run(), RoundDecision.StopCause.CANCELLED));
      state.end(run);
      settle(run.gpu());
    }
    state.removeJob(job);
  }

  private void compute(RoundEvent.TaskComputed event) {
    @Nullable RunningTask run = state.find(event.run().number());
    if (run != null) {
      compute(run, event.computed());
    }
  }

  private void compute(RunningTask run, Optional<Duration> measured) {
    if (!run.isComputing()) {
      return;
    }
    long nanos = nanos(measured.orElseGet(() -> since(run)));
    run.job().computed(run, nanos);
    run.gpu().computing = null;
    if (nanos > 0) {
      run.job().times().observe(run.gpu().model(), nanos / 1e9);
    }
    state.file(run.job());
    settle(run.gpu());
  }

  private void synchronize(RoundEvent.TaskSynchronized event) {
    @Nullable RunningTask run = state.find(event.run().number());
    if (run == null) {
      return;
    }
    compute(run, Optional.empty());
    state.end(run);
    JobRounds job = run.job();
    if (job.synchronizeTask(run)) {
      endRound(job);
    }
    settle(run.gpu());
  }

  private void endRound(JobRounds job) {
    if (job.isComplete()) {
      decisions.add(new RoundDecision.Complete(job.id()));
      state.removeJob(job);
    } else {
      state.file(job);
      state.wakeBehindBarrier(job);
    }
  }

  private void fail(RoundEvent.TaskFailed event) {
    @Nullable RunningTask run = state.find(event.run().number());
    if (run == null) {
      return;
    }
    repeat(run);
    PoolGpu gpu = run.gpu();
    if (!gpu.sequence.isEmpty()) {
      run.job().plan(run.run().task());
      gpu.sequence.addFirst(run.run().task());
      state.file(run.job());
    }
    settle(gpu);
  }

  private void repeat(RunningTask run) {
    if (run.isComputing()) {
      run.job().computed(run, nanos(since(run)));
    }
    state.end(run);
    run.job().repeat(run);
    state.file(run.job());
    state.breakSequences();
  }

  private static long nanos(Duration time) {
    return time.compareTo(LONGEST) < 0 ? time.toNanos() : LONGEST.toNanos();
  }

  private Duration since(RunningTask run) {
    return Duration.between(run.since(), state.now());
  }

  private void add(RoundEvent.GpuAdded event) {
    @Nullable PoolGpu there = state.fleet().find(event.gpu());
    if (there == null) {
      state.addGpu(state.newGpu(event.gpu(), event.model()));
    } else if (!there.isOpen()) {
      state.fleet().keep(there);
      settle(there);
    }
  }

  private void lose(@Nullable PoolGpu gpu) {
    if (gpu == null) {
      return;
    }
    for (RunningTask run : new ArrayList<>(gpu.runs.values())) {
      repeat(run);
    }
    abandonSequence(gpu);
    state.fleet().remove(gpu);
  }

  private void askBack(RoundEvent.GpuAskedBack event) {
    @Nullable PoolGpu gpu = state.fleet().find(event.gpu());
    if (gpu == null) {
      return;
    }
    state.fleet().askBack(gpu, event.until());
    abandonSequence(gpu);
    giveBackIfEmpty(gpu);
  }

  private void abandonSequence(PoolGpu gpu) {
    if (!gpu.sequence.isEmpty()) {
      state.dropSequence(gpu);
      state.breakSequences();
    }
  }

  private void settle(PoolGpu gpu) {
    state.settle(gpu);
    giveBackIfEmpty(gpu);
  }

  private void giveBackIfEmpty(PoolGpu gpu) {
    boolean isThere = state.fleet().find(gpu.id()) == gpu;
    if (isThere && !gpu.isOpen() && gpu.runs.isEmpty()) {
      state.fleet().remove(gpu);
      decisions.add(new RoundDecision.GiveBack(gpu.id()));
    }
  }
}
