package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Candidates of a queue in eviction order. */
final class CandidateOrder implements QueueCandidates {

  private final Iterator<? extends EvictionSearch.Candidate> jobs;
  private final ResourceLoss losses;
  // Charges that the queue may not lose. Never iterated.
  private final Set<Charge> kept = new HashSet<>();

  CandidateOrder(Iterator<? extends EvictionSearch.Candidate> jobs, ResourceLoss losses) {
    this.jobs = jobs;
    this.losses = losses;
  }

  @Override
  public EvictionSearch.@Nullable Candidate next(
      Predicate<Charge> mayLose, Predicate<JobEntry> helps) {
    while (jobs.hasNext()) {
      EvictionSearch.Candidate job = jobs.next();
      if (mayLose(losses.charge(job), mayLose) && helps.test(ResourceLoss.job(job))) {
        return job;
      }
    }
    return null;
  }

  private boolean mayLose(Charge charge, Predicate<Charge> mayLose) {
    if (kept.contains(charge)) {
      return false;
    }
    boolean isLost = mayLose.test(charge);
    if (!isLost) {
      kept.add(charge);
    }
    return isLost;
  }
}
