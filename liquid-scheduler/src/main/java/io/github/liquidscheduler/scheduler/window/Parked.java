package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs parked in a batch window, in turn order: in a queue tree that of a {@link QuotaWalk},
 * else the policy's.
 */
record Parked(JobTable table) {

  List<JobEntry> all() {
    return table.waiting().inOrder().stream().filter(table.batched()::contains).toList();
  }

  List<JobEntry> in(Membership stage) {
    return table.waiting().inOrder().stream()
        .filter(job -> table.batched().stage(job) == stage)
        .toList();
  }

  /** Returns the parked jobs in turn order. */
  List<JobEntry> inTurn() {
    return table.quotas().hasQueueTree()
        ? QuotaWalk.over(table, all(), Integer.MAX_VALUE).stream().map(QuotaWalk.Step::job).toList()
        : all();
  }

  /** Returns the jobs of a list in turn order up to the last of some of them; none if none is. */
  static List<JobEntry> upToLast(List<JobEntry> inTurn, Set<JobId> some) {
    int last = inTurn.size() - 1;
    while (last >= 0 && !some.contains(inTurn.get(last).id())) {
      last--;
    }
    return inTurn.subList(0, last + 1);
  }

  /**
   * Returns the parked jobs that eligible ones, those of the plan excepted, would bypass though
   * they must not.
   */
  List<JobEntry> notToBeBypassed(Map<JobEntry, Membership> planned) {
    Limits limits = limits(planned);
    return limits.areAny() ? all().stream().filter(limits::mustGoOn).toList() : List.of();
  }

  /** Returns the jobs that eligible ones must not bypass, as a test of a waiting job. */
  Limits limits(Map<JobEntry, Membership> planned) {
    Map<QueueName, JobEntry> last = new HashMap<>();
    boolean isByQueue = table.quotas().hasQueueTree();
    if ((table.policy().allowsBypass() && !isByQueue)
        || (table.batched().isEmpty() && planned.isEmpty())) {
      return new Limits(isByQueue, null, last);
    }
    List<JobEntry> eligible = new ArrayList<>(table.eligible().inOrder());
    eligible.removeIf(planned::containsKey);
    if (!isByQueue) {
      return new Limits(false, eligible.isEmpty() ? null : eligible.getLast(), last);
    }
    eligible.removeIf(job -> !job.queue().isStrict());
    eligible.forEach(job -> last.put(job.job().queue(), job));
    return new Limits(true, null, last);
  }

  /**
   * The last eligible jobs, before which no job must be parked.
   *
   * @param isByQueue whether each queue has one of its own
   * @param last the last job of all; null if there is none
   * @param lastOf the last job of each queue
   */
  record Limits(boolean isByQueue, @Nullable JobEntry last, Map<QueueName, JobEntry> lastOf) {

    private boolean areAny() {
      return last != null || !lastOf.isEmpty();
    }

    /** Returns true if a job must be eligible, since a later one is. */
    boolean mustGoOn(JobEntry job) {
      @Nullable JobEntry later = isByQueue ? lastOf.get(job.job().queue()) : last;
      return later != null && JobOrders.TURN.compare(job, later) <= 0;
    }
  }
}
