package io.github.liquidscheduler.benchmarks.batch;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.List;
import java.util.Map;

/**
 * A problem to plan: what runs on a cluster, and what waits.
 *
 * @param name its name, such as {@code S-92-7}
 * @param cluster the cluster
 * @param running the jobs that run
 * @param placements where they run, in the same order
 * @param pending the jobs to place
 */
record Instance(
    String name,
    ClusterTopology cluster,
    List<JobSpec> running,
    List<Placement> placements,
    List<JobSpec> pending) {

  static final String TRAFFIC = "traffic";
  static final String INTENSITY = "intensity";

  Instance {
    running = List.copyOf(running);
    placements = List.copyOf(placements);
    pending = List.copyOf(pending);
  }

  /** Returns the cluster with what runs on it. */
  ClusterView view() {
    ClusterState state = ClusterState.of(cluster);
    for (int i = 0; i < running.size(); i++) {
      state.apply(running.get(i), placements.get(i));
    }
    return state;
  }

  /** Returns the GPUs that the jobs to place request. */
  int request() {
    return pending.stream().mapToInt(JobSpec::gpus).sum();
  }

  /** Returns what a pair of tasks of the job sends. */
  static long traffic(JobSpec job) {
    return number(job, TRAFFIC);
  }

  /** Returns how much a task of the job disturbs its neighbours. */
  static long intensity(JobSpec job) {
    return number(job, INTENSITY);
  }

  private static long number(JobSpec job, String label) {
    Map<String, String> labels = job.labels();
    return Long.parseLong(labels.getOrDefault(label, "0"));
  }
}
