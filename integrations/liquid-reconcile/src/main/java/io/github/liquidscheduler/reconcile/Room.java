package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The GPUs of each node that nobody holds, as the manager shows: those of jobs that are ending are
 * held. Shares of GPUs are not counted. Not thread-safe.
 */
final class Room {
  private final Map<NodeId, Integer> free = new HashMap<>();

  Room(Observation seen, Function<JobId, JobNote> notes) {
    for (Node node : seen.cluster().nodes()) {
      free.put(node.id(), node.gpus().size());
    }
    seen.jobs().forEach(job -> take(job, nodes(job, notes.apply(job.id()))));
  }

  /** Of a job that was pinned it is noted how many tasks go to each node. */
  private static List<NodeId> nodes(ObservedJob job, JobNote note) {
    if (!(job.state() instanceof ObservedState.Released released)) {
      return job.on();
    }
    return note.began()
        .map(JobNote.Began::on)
        .filter(on -> on.stream().distinct().sorted().toList().equals(released.pinned()))
        .orElse(released.pinned());
  }

  private void take(ObservedJob job, List<NodeId> on) {
    if (!(job.request() instanceof ObservedRequest.Understood request) || on.isEmpty()) {
      return;
    }
    JobSpec spec = request.spec();
    Iterator<NodeId> nodes = on.iterator();
    for (TaskRole role : spec.roles()) {
      int gpus = role.request().share().isPresent() ? 0 : role.request().gpus();
      for (int task = 0; task < role.count() && nodes.hasNext(); task++) {
        free.merge(nodes.next(), -gpus, Integer::sum);
      }
    }
  }

  /** Takes what a placement needs, if it is there. */
  boolean take(Placement placement) {
    Map<NodeId, Integer> wanted = new HashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      int gpus = task.share().equals(GpuShare.WHOLE) ? task.gpus().size() : 0;
      wanted.merge(task.node(), gpus, Integer::sum);
    }
    boolean fits =
        wanted.entrySet().stream()
            .allMatch(
                each ->
                    each.getValue() == 0 || each.getValue() <= free.getOrDefault(each.getKey(), 0));
    if (fits) {
      wanted.forEach((node, gpus) -> free.merge(node, -gpus, Integer::sum));
    }
    return fits;
  }
}
