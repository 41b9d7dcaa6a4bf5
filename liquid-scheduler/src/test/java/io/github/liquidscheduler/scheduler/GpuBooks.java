package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The holder of each whole GPU and the requests of waiting jobs: books simple enough for a million
 * events in each build.
 */
final class GpuBooks {

  private final Map<JobId, Integer> requested = new HashMap<>();
  private final Map<GpuId, JobId> owners = new HashMap<>();
  private final Map<JobId, List<GpuId>> held = new HashMap<>();
  private final Set<NodeId> nodesDown = new HashSet<>();
  private final Set<GpuId> gpusLost = new HashSet<>();
  private final Set<JobId> waiting = new LinkedHashSet<>();

  Set<JobId> waiting() {
    return waiting;
  }

  Set<JobId> running() {
    return held.keySet();
  }

  boolean isDown(NodeId node) {
    return nodesDown.contains(node);
  }

  boolean isLost(GpuId gpu) {
    return gpusLost.contains(gpu);
  }

  /** Enters an event and what was decided about it, all of which must be possible. */
  void enter(ClusterEvent event, List<Decision> decisions) {
    note(event);
    decisions.forEach(this::carryOut);
    if (event instanceof ClusterEvent.NodeLost || event instanceof ClusterEvent.GpuLost) {
      owners.forEach((gpu, job) -> assertThat(isThere(gpu)).as("%s runs on %s", job, gpu).isTrue());
    }
  }

  private boolean isThere(GpuId gpu) {
    return !isDown(gpu.node()) && !isLost(gpu);
  }

  private void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted e -> {
        requested.put(e.job(), e.spec().roles().getFirst().count());
        waiting.add(e.job());
      }
      case ClusterEvent.JobFinished e -> free(e.job());
      case ClusterEvent.JobCancelled e -> {
        if (!waiting.remove(e.job())) {
          free(e.job());
        }
      }
      case ClusterEvent.JobFailed e -> stop(e.job());
      case ClusterEvent.NodeLost e -> nodesDown.add(e.node());
      case ClusterEvent.NodeReturned e -> nodesDown.remove(e.node());
      case ClusterEvent.GpuLost e -> gpusLost.add(e.gpu());
      case ClusterEvent.GpuReturned e -> gpusLost.remove(e.gpu());
      default -> {}
    }
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> start(start);
      case Decision.Preempt preempt -> stop(preempt.job());
      case Decision.Reject reject -> assertThat(waiting.remove(reject.job())).isTrue();
      default -> throw new AssertionError("nobody asked for " + decision);
    }
  }

  private void start(Decision.Start start) {
    assertThat(waiting.remove(start.job())).as("%s waited", start.job()).isTrue();
    List<GpuId> gpus = new ArrayList<>();
    for (TaskPlacement task : start.placement().tasks()) {
      for (int index : task.gpus()) {
        GpuId gpu = new GpuId(task.node(), index);
        assertThat(isThere(gpu)).as("%s is there", gpu).isTrue();
        assertThat(owners.put(gpu, start.job())).as("who is on %s already", gpu).isNull();
        gpus.add(gpu);
      }
    }
    assertThat(gpus).hasSize(requested.getOrDefault(start.job(), 0));
    held.put(start.job(), gpus);
  }

  private void stop(JobId job) {
    free(job);
    waiting.add(job);
  }

  private void free(JobId job) {
    List<GpuId> gpus = held.remove(job);
    assertThat(gpus).as("%s ran", job).isNotNull();
    owners.keySet().removeAll(gpus);
  }
}
