package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job in both worlds.
 *
 * @param own its id in the scheduler
 * @param seen what the manager shows of it
 * @param status what the scheduler believes; null if it does not know it
 */
record SeenJob(JobId own, ObservedJob seen, JobNote note, @Nullable JobStatus status) {

  boolean hasNewAttempt() {
    return !note.hasBegun(seen.attempt());
  }

  /** Returns true if it is on the nodes of a placement, or it is not shown where. */
  boolean isOn(Placement placement) {
    return seen.on().isEmpty() || began(seen.on()).isOn(nodes(placement));
  }

  JobNote.Began began(List<NodeId> on) {
    return new JobNote.Began(seen.attempt(), on, "");
  }

  /** Returns why it is not wanted as it asks to be. */
  Optional<Sight.Refusal> refusal(Sight sight) {
    return sight
        .refusals()
        .apply(seen.id())
        .filter(why -> why.of().isEmpty() || why.of().get().equals(seen.request()));
  }

  static List<NodeId> nodes(Placement placement) {
    return placement.tasks().stream().map(TaskPlacement::node).toList();
  }
}
