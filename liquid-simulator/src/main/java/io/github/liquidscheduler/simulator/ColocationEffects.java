package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The co-runners on each GPU, and the speed each job retains: that of its slowest GPU. Tasks that
 * have their GPUs to themselves, as the ledger sees to, are not entered.
 */
final class ColocationEffects {

  private static final int[] NONE = {};

  private final ClusterTopology topology;
  private final GroundTruth speed;
  private final @Nullable List<SimulatedJob>[] jobsOn;

  @SuppressWarnings({"unchecked", "rawtypes"})
  ColocationEffects(ClusterTopology topology, GroundTruth speed) {
    this.topology = topology;
    this.speed = speed;
    jobsOn = new List[topology.gpuCount()];
  }

  /** Adds the job to its GPUs, and returns its co-runners, the longest there first. */
  Set<SimulatedJob> join(SimulatedJob job, Placement placement) {
    Set<SimulatedJob> coRunners = Set.of();
    for (int gpu : sharedGpus(placement)) {
      List<SimulatedJob> there = Objects.requireNonNullElseGet(jobsOn[gpu], ArrayList::new);
      coRunners = joined(coRunners, there, job);
      jobsOn[gpu] = there;
      if (!there.contains(job)) {
        there.add(job);
      }
    }
    return coRunners;
  }

  /** Removes the job from its GPUs, and returns its co-runners, the longest there first. */
  Set<SimulatedJob> leave(SimulatedJob job, Placement placement) {
    Set<SimulatedJob> left = Set.of();
    for (int gpu : sharedGpus(placement)) {
      List<SimulatedJob> there = jobsOn[gpu];
      if (there != null && there.remove(job)) {
        left = joined(left, there, job);
      }
    }
    return left;
  }

  /** Adds all but the job to a set; most jobs are alone, and need none. */
  private static Set<SimulatedJob> joined(
      Set<SimulatedJob> jobs, List<SimulatedJob> more, SimulatedJob except) {
    Set<SimulatedJob> joined = jobs;
    for (SimulatedJob other : more) {
      if (!other.equals(except)) {
        joined = joined.isEmpty() ? new LinkedHashSet<>() : joined;
        joined.add(other);
      }
    }
    return joined;
  }

  /** Returns the retained speed of a running job. */
  double retained(SimulatedJob job, Placement placement) {
    double least = 1;
    boolean shares = false;
    for (TaskPlacement task : placement.tasks()) {
      if (task.share().isWhole()) {
        continue;
      }
      int first = firstGpu(task);
      for (int gpu : task.gpus()) {
        List<TraceJob> others = others(job, first + gpu);
        if (!others.isEmpty()) {
          double here = speed.retained(job.job(), others, model(task, gpu));
          least = shares ? Math.min(least, here) : here;
          shares = true;
        }
      }
    }
    return least;
  }

  /** Returns true if a running job and its co-runners fit into the memory of their GPUs. */
  boolean fit(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      if (task.share().isWhole()) {
        continue;
      }
      int first = firstGpu(task);
      for (int gpu : task.gpus()) {
        List<SimulatedJob> there = Objects.requireNonNull(jobsOn[first + gpu]);
        if (there.size() > 1 && !speed.fit(jobs(there), model(task, gpu))) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<TraceJob> jobs(List<SimulatedJob> there) {
    return there.stream().map(SimulatedJob::job).toList();
  }

  private List<TraceJob> others(SimulatedJob job, int gpu) {
    List<SimulatedJob> there = jobsOn[gpu];
    return there == null || there.size() < 2
        ? List.of()
        : there.stream().filter(other -> !other.equals(job)).map(SimulatedJob::job).toList();
  }

  /** Returns the positions of the GPUs that tasks have a share of. */
  private int[] sharedGpus(Placement placement) {
    int count = 0;
    for (TaskPlacement task : placement.tasks()) {
      count += task.share().isWhole() ? 0 : task.gpus().size();
    }
    if (count == 0) {
      return NONE;
    }
    int[] gpus = new int[count];
    int next = 0;
    for (TaskPlacement task : placement.tasks()) {
      if (!task.share().isWhole()) {
        int first = firstGpu(task);
        for (int gpu : task.gpus()) {
          gpus[next++] = first + gpu;
        }
      }
    }
    return gpus;
  }

  /** Returns the position of the first GPU of the task's node. */
  private int firstGpu(TaskPlacement task) {
    return topology.gpusBefore(topology.position(task.node()));
  }

  private GpuModel model(TaskPlacement task, int gpu) {
    return topology.gpu(new GpuId(task.node(), gpu)).model();
  }
}
