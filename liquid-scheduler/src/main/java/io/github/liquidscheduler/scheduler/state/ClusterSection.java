package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Optional;

/**
 * The cluster on which waiting jobs are known not to fit: its number of nodes and of GPUs by model,
 * and the {@linkplain OpenChanges open changes} of the last event. On another cluster all jobs are
 * tried again; a scheduler that has yet to do so saves none. Loaded last, after the jobs.
 */
record ClusterSection() implements StateSection {

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    SnapshotSection.Builder section = SnapshotSection.builder();
    RetryState changes = state.jobs().changes();
    Optional<SnapshotSection> known = KnownToFail.save(state.jobs());
    boolean isKept = !changes.hasRelearned() || known.isPresent();
    if (!changes.isOpen() || isKept) {
      ClusterTopology topology = state.cluster().topology();
      section.put("nodes", topology.nodes().size()).texts("gpus", gpus(topology));
    }
    if (changes.isOpen() && isKept) {
      section.put("open", OpenChanges.save(state.jobs()));
    }
    known.ifPresent(failing -> section.put("known", failing));
    return section.build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    JobTable jobs = state.jobs();
    jobs.measureQueues();
    ClusterTopology topology = state.cluster().topology();
    Optional<Long> nodes = in.optional("nodes", Long.class);
    List<String> gpus = in.texts("gpus", text -> text);
    Optional<SnapshotSection> open = in.optional("open", SnapshotSection.class);
    jobs.changes().block(jobs.eligible().first());
    jobs.changes().settle();
    if (!nodes.equals(Optional.of((long) topology.nodes().size()))
        || !gpus.equals(gpus(topology))) {
      jobs.growEverywhere();
    } else {
      open.ifPresent(changes -> changes.readAll(each -> OpenChanges.load(each, jobs)));
    }
    in.optional("known", SnapshotSection.class)
        .ifPresent(known -> known.readAll(each -> KnownToFail.load(each, jobs)));
  }

  private static List<String> gpus(ClusterTopology topology) {
    return topology.gpusByModel().entrySet().stream()
        .map(gpus -> gpus.getValue() + " " + gpus.getKey())
        .toList();
  }
}
