package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which tasks begin: first those of sequences, then those that the policy chooses. */
final class RoundDispatch {

  private final RoundState state;
  private final String policy;
  private final List<RoundDecision> decisions;

  RoundDispatch(RoundState state, RoundPolicy policy, List<RoundDecision> decisions) {
    this.state = state;
    this.policy = policy.name();
    this.decisions = decisions;
  }

  void run() {
    if (state.wereSequencesBroken()) {
      new SequenceIntake(state).takeAgain();
    }
    for (PoolGpu gpu = state.pollReady(); gpu != null; gpu = state.pollReady()) {
      runNextOf(gpu);
    }
    state.fileAll(false);
    RoundQueue.@Nullable Match match = state.queue().next();
    while (match != null) {
      run(match);
      match = state.queue().next();
    }
  }

  private void runNextOf(PoolGpu gpu) {
    while (!gpu.sequence.isEmpty()) {
      RoundTask next = gpu.sequence.getFirst();
      @Nullable JobRounds job = state.find(next.job());
      if (job != null && next.round() > job.round()) {
        job.gpusBehindBarrier.add(gpu.position());
        return;
      }
      gpu.sequence.removeFirst();
      if (job != null) {
        RunningTask run = state.start(job, next, gpu);
        state.file(job);
        decisions.add(new RoundDecision.RunTask(run.run(), new RoundDecision.Why.Planned()));
        return;
      }
    }
    state.settle(gpu);
  }

  private void run(RoundQueue.Match match) {
    JobRounds job = match.job();
    double fastest = state.fleet().fastestSeconds(job.times());
    double affinity = fastest / job.times().seconds(match.gpu().model());
    RunningTask run = state.start(job, job.firstWaiting(), match.gpu());
    state.file(job);
    decisions.add(
        new RoundDecision.RunTask(
            run.run(), new RoundDecision.Why.Ranked(policy, match.rank(), affinity)));
  }
}
