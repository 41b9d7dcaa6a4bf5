package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToWorker.LedgerUpdate;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Commits mini-batches that all members have reported, and takes the silent for lost. */
final class Training {
  private final LeaderContext context;
  private final TopologyChanges changes;
  private final StragglerDetector stragglers;

  Training(LeaderContext context, TopologyChanges changes, ScalingRequests requests) {
    this.context = context;
    this.changes = changes;
    stragglers = new StragglerDetector(context.options().stragglerCooldown());
    requests.dropWhenItPays(stragglers::dropPays);
  }

  /** Checks that a worker read what it was given. */
  void check(ToLeader.BatchEnd report) {
    JobProgress job = context.job();
    if (!context.hasEnded()
        && job.isCurrent(report.worker(), report.topology(), report.step())
        && !job.ledger()
            .nextProgress(report.worker())
            .equals(Optional.ofNullable(report.progress()))) {
      throw new IllegalArgumentException(
          "worker '%s' cannot have read up to %s in mini-batch %d"
              .formatted(report.worker(), report.progress(), report.step()));
    }
  }

  void batchEnd(Instant now, ToLeader.BatchEnd report) {
    if (context.hasEnded()) {
      context.stopAfterEnd(report.worker(), true);
    } else if (context.job().isCurrent(report.worker(), report.topology(), report.step())) {
      context.barrier().report(report);
      context.job().loaded(report.worker());
      completeIfAllAnswered(now);
    } else if (context.job().isFormed() && !context.job().has(report.worker())) {
      context.stop(report.worker(), StopReason.EVICTED);
    }
  }

  void batchFailed(Instant now, ToLeader.BatchFailed failure) {
    if (!context.hasEnded()
        && context.job().isCurrent(failure.worker(), failure.topology(), failure.step())) {
      context.barrier().fail(failure.worker());
      completeIfAllAnswered(now);
    }
  }

  void tick(Instant now) {
    if (context.hasEnded()) {
      return;
    }
    JobProgress job = context.job();
    List<WorkerId> silent = context.barrier().silent(now, job.members(), context.times().median());
    if (!silent.isEmpty() && (canSpare(silent) || isHopeless(now))) {
      changes.evict(now, silent);
    }
  }

  /**
   * Returns true if the model outlives these workers. If not they are waited for like new workers:
   * those who live may hang in an all-reduce with one who does not, and will tell.
   */
  private boolean canSpare(List<WorkerId> silent) {
    List<WorkerId> others = new ArrayList<>(context.job().members());
    others.removeAll(silent);
    return !others.isEmpty() && context.job().isHeldBy(others);
  }

  private boolean isHopeless(Instant now) {
    return context.barrier().elapsed(now).compareTo(context.options().joinTimeout()) >= 0;
  }

  private void completeIfAllAnswered(Instant now) {
    StepBarrier barrier = context.barrier();
    if (!barrier.isComplete(context.job().members())) {
      return;
    }
    if (barrier.hasFailures()) {
      changes.repeatStep(now);
    } else {
      commit(now);
    }
  }

  private void commit(Instant now) {
    JobProgress job = context.job();
    List<ToLeader.BatchEnd> reports = context.barrier().reports();
    context.times().add(context.barrier().elapsed(now));
    job.commit(reports);
    if (job.isFinished()) {
      context.end(StopReason.FINISHED);
      context.answer(new ScalingAnswer.Finished(job.step() - 1));
      return;
    }
    if (!changes.switchIfDue(now)) {
      job.refill();
      context.proceed(now, new LedgerUpdate.Changes(job.ledger().takeChanges()));
    }
    stragglers.retain(job.members());
    stragglers.observe(now, reports).ifPresent(context::answer);
  }
}
