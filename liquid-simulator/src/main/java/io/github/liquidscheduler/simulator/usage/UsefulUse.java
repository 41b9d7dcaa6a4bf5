package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
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

  private final TrueUsage truth;
  private final ClusterTopology topology;
  private final Map<String, TraceJob> jobs = new HashMap<>();
  private final Map<JobId, Placement> running = new HashMap<>();
  private final double[] busyOn;
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
    this.truth = Objects.requireNonNull(truth, "truth");
    this.topology = topology;
    trace.jobs().forEach(job -> jobs.put(job.id(), job));
    busyOn = new double[topology.gpuCount()];
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
    pass(event.at());
    switch (event) {
      case ClusterEvent.JobFinished finished -> leave(finished.job());
      case ClusterEvent.JobFailed failed -> leave(failed.job());
      case ClusterEvent.JobCancelled cancelled -> leave(cancelled.job());
      default -> {
        // Other events stop jobs by decisions only.
      }
    }
    decisions.forEach(this::carryOut);
    isWaiting = !scheduler.waiting().isEmpty();
  }

  private void pass(Instant now) {
    if (isWaiting && since != null) {
      double passed = Duration.between(since, now).toNanos() / 1e9;
      seconds += passed;
      busySeconds += busy * passed;
      memorySeconds += memory * passed;
    }
    since = now;
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> join(start.job(), start.placement());
      case Decision.Preempt preempt -> leave(preempt.job());
      case Decision.Migrate migrate -> move(migrate.job(), migrate.placement());
      case Decision.Reject reject -> {
        // The job never ran.
      }
      case Decision.RequestPlan request -> {
        // It moves no job.
      }
    }
  }

  private void move(JobId job, Placement placement) {
    leave(job);
    join(job, placement);
  }

  private void join(JobId job, Placement placement) {
    running.put(job, placement);
    add(job, placement, 1);
  }

  private void leave(JobId job) {
    @Nullable Placement placement = running.remove(job);
    if (placement != null) {
      add(job, placement, -1);
    }
  }

  private void add(JobId job, Placement placement, int sign) {
    Usage usage = truth.of(Objects.requireNonNull(jobs.get(job.value())));
    for (TaskPlacement task : placement.tasks()) {
      for (int gpu : task.gpus()) {
        int position = position(new GpuId(task.node(), gpu));
        busy -= Math.min(1, busyOn[position]);
        busyOn[position] += sign * usage.gpuUtilization();
        busy += Math.min(1, busyOn[position]);
        memory += sign * (double) usage.gpuMemory().bytes();
      }
    }
  }

  private int position(GpuId gpu) {
    return topology.gpusBefore(topology.position(gpu.node())) + gpu.index();
  }
}
