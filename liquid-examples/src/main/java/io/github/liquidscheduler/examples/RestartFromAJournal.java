package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Restores a scheduler from its journals, and begins a new one with a snapshot. */
public final class RestartFromAJournal {

  private RestartFromAJournal() {}

  // @start region="restart"
  /** Returns the scheduler as it was when the last event was journaled. */
  static LiquidScheduler restart(
      JournalDirectory journals, ClusterTopology cluster, Consumer<String> operator) {
    LiquidScheduler scheduler =
        journals
            .recover(header -> builder(header.cluster()).restore(header.start().orElseThrow()))
            .map(
                recovered -> {
                  recovered.notes().forEach(operator);
                  return recovered.scheduler();
                })
            .orElseGet(() -> builder(cluster).build());
    journals.rotate(scheduler);
    journals.prune(3);
    return scheduler;
  }

  // @end

  static LiquidScheduler.Builder builder(ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo());
  }

  /** Prints what waits according to a directory of journals. */
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments.length > 0 ? arguments[0] : "journals");
    try (JournalDirectory journals = JournalDirectory.lock(folder)) {
      LiquidScheduler scheduler = restart(journals, FirstScheduler.cluster(), System.err::println);
      System.out.println(scheduler.waiting());
    }
  }
}
