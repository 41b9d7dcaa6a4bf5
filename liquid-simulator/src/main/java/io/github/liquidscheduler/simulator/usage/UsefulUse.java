package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures the utilisation of GPUs while jobs wait: busy time and memory in use, each as a fraction
 * of the total. While no job waits, idle GPUs say nothing about how they are granted.
 */
public final class UsefulUse implements SimulationListener {
  private final ClusterTopology topology;
  private final Map<JobId, Usage> usages = new HashMap<>();
  private final double deviceMemory;
  private double busy;
  private double memory;
  private @Nullable Instant since;
  private boolean isWaiting;
  private double seconds;
  private double busySeconds;
  private double memorySeconds;

  /** Measures the jobs of a trace on a cluster. */
  public UsefulUse(TrueUsage truth, ClusterTopology topology, Trace trace) {
    this.topology = topology;
    trace.jobs().forEach(job -> usages.put(JobId.of(job.id()), truth.of(job)));
    deviceMemory =
        topology.nodes().stream()
            .flatMap(node -> node.gpus().stream())
            .mapToDouble(gpu -> gpu.memory().bytes())
            .sum();
  }

  /** Returns the fraction of the GPU time, while jobs waited, in which GPUs were busy. */
  public double gpuTime() {
    return seconds == 0 ? 0 : busySeconds / seconds / topology.gpuCount();
  }

  /** Returns the mean fraction of the device memory in use while jobs waited. */
  public double gpuMemory() {
    return seconds == 0 ? 0 : memorySeconds / seconds / deviceMemory;
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (isWaiting && since != null) {
      double passed = Duration.between(since, event.at()).toNanos() / 1e9;
      seconds += passed;
      busySeconds += busy * passed;
      memorySeconds += memory * passed;
    }
    since = event.at();
    isWaiting = !scheduler.waiting().isEmpty();
    if (isWaiting) {
      measure(scheduler.view());
    }
  }

  private void measure(ClusterView view) {
    double[] busyOn = new double[topology.gpuCount()];
    memory = 0;
    for (JobId job : view.runningJobs()) {
      Usage usage = Objects.requireNonNull(usages.get(job));
      for (TaskPlacement task : view.placement(job).orElseThrow().tasks()) {
        int before = topology.gpusBefore(topology.position(task.node()));
        task.gpus().forEach(gpu -> busyOn[before + gpu] += usage.gpuUtilization());
        memory += (double) usage.gpuMemory().bytes() * task.gpus().size();
      }
    }
    busy = Arrays.stream(busyOn).map(use -> Math.min(1, use)).sum();
  }
}
