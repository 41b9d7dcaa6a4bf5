package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a queue that leave as a whole, last in turn first. Of jobs with equal charges none is
 * visited once the queue may not lose that charge.
 */
final class WholeJobs implements QueueCandidates {

  private final List<Alike> all = new ArrayList<>();

  /** Jobs of equal charge, and the number already visited. */
  private static final class Alike {
    private final Charge charge;
    private final List<JobEntry> lastFirst;
    private int done;

    Alike(Charge charge, List<JobEntry> lastFirst) {
      this.charge = charge;
      this.lastFirst = lastFirst;
    }

    boolean isEmpty() {
      return done == lastFirst.size();
    }

    JobEntry last() {
      return lastFirst.get(done);
    }

    JobEntry takeLast() {
      return lastFirst.get(done++);
    }
  }

  /** Makes the candidates from jobs by charge, each list last in turn first. */
  WholeJobs(Map<Charge, List<JobEntry>> byCharge) {
    byCharge.forEach((charge, jobs) -> all.add(new Alike(charge, jobs)));
  }

  @Override
  public @Nullable JobEntry next(Predicate<Charge> mayLose, Predicate<JobEntry> helps) {
    @Nullable Alike allowed = null;
    for (@Nullable Alike alike = last(); alike != null; alike = last()) {
      if (!alike.equals(allowed) && !mayLose.test(alike.charge)) {
        all.remove(alike);
        continue;
      }
      allowed = alike;
      JobEntry job = alike.takeLast();
      if (alike.isEmpty()) {
        all.remove(alike);
      }
      if (helps.test(job)) {
        return job;
      }
    }
    return null;
  }

  private @Nullable Alike last() {
    @Nullable Alike last = null;
    for (Alike alike : all) {
      if (last == null || JobEntry.RANK.compare(alike.last(), last.last()) > 0) {
        last = alike;
      }
    }
    return last;
  }
}
