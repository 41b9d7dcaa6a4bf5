package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Optional;

/**
 * The cluster on which parked jobs are known not to fit: its number of nodes and of GPUs by model;
 * and the {@linkplain SavedAgenda agenda}. On another cluster all jobs are tried again. Loaded
 * last, after the jobs.
 *
 * @param countsSearches whether searches for victims are bounded, so that all that is known of jobs
 *     that fail is saved
 */
record ClusterSection(boolean countsSearches) implements StateSection {

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    ClusterTopology topology = state.cluster().topology();
    return SnapshotSection.builder()
        .put("nodes", topology.nodes().size())
        .texts("gpus", gpus(topology))
        .put("agenda", SavedAgenda.save(state.jobs(), countsSearches))
        .build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    JobTable jobs = state.jobs();
    jobs.queues().measure();
    ClusterTopology topology = state.cluster().topology();
    Optional<Long> nodes = in.optional("nodes", Long.class);
    List<String> gpus = in.texts("gpus", text -> text);
    Optional<SnapshotSection> agenda = in.optional("agenda", SnapshotSection.class);
    agenda.ifPresent(saved -> saved.readAll(each -> SavedAgenda.load(each, jobs)));
    if (agenda.isEmpty()
        || !nodes.equals(Optional.of((long) topology.nodes().size()))
        || !gpus.equals(gpus(topology))) {
      jobs.agenda().growEverywhere(jobs.cluster().topology());
    }
  }

  private static List<String> gpus(ClusterTopology topology) {
    return topology.gpusByModel().entrySet().stream()
        .map(gpus -> gpus.getValue() + " " + gpus.getKey())
        .toList();
  }
}
