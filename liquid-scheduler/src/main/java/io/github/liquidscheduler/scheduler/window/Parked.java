package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs parked in a batch window, in the order of the policy. */
record Parked(JobTable table) {

  List<JobEntry> all() {
    return table.waiting().inOrder().stream().filter(table.batched()::contains).toList();
  }

  List<JobEntry> in(Membership stage) {
    return table.waiting().inOrder().stream()
        .filter(job -> table.batched().stage(job) == stage)
        .toList();
  }

  /** Returns those up to {@code last}; none if it is null. */
  List<JobEntry> upTo(@Nullable JobEntry last) {
    return last == null
        ? List.of()
        : table.waiting().inOrder().stream()
            .takeWhile(job -> JobEntry.TURN.compare(job, last) <= 0)
            .filter(table.batched()::contains)
            .toList();
  }

  /**
   * Returns the last eligible job, apart from those of the plan, if the policy wants all before it
   * to be eligible too: if it allows no bypass.
   */
  @Nullable JobEntry lastEligible(Map<JobEntry, Membership> ofThePlan) {
    if (table.policy().allowsBypass() || (table.batched().isEmpty() && ofThePlan.isEmpty())) {
      return null;
    }
    return table.eligible().inOrder().reversed().stream()
        .filter(job -> !ofThePlan.containsKey(job))
        .findFirst()
        .orElse(null);
  }
}
