package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs parked in a batch window, in policy order. */
record Parked(JobTable table) {

  List<JobEntry> all() {
    return table.waiting().inOrder().stream().filter(table.batched()::contains).toList();
  }

  List<JobEntry> in(Membership stage) {
    return table.waiting().inOrder().stream()
        .filter(job -> table.batched().stage(job) == stage)
        .toList();
  }

  /** Returns the parked jobs up to {@code last}; none if null. */
  List<JobEntry> upTo(@Nullable JobEntry last) {
    return last == null
        ? List.of()
        : table.waiting().inOrder().stream()
            .takeWhile(job -> JobEntry.TURN.compare(job, last) <= 0)
            .filter(table.batched()::contains)
            .toList();
  }

  /**
   * Returns the last eligible job, those of the plan excepted, if the policy allows no bypass; else
   * null.
   */
  @Nullable JobEntry lastEligible(Map<JobEntry, Membership> planned) {
    if (table.policy().allowsBypass() || (table.batched().isEmpty() && planned.isEmpty())) {
      return null;
    }
    return table.eligible().inOrder().reversed().stream()
        .filter(job -> !planned.containsKey(job))
        .findFirst()
        .orElse(null);
  }
}
