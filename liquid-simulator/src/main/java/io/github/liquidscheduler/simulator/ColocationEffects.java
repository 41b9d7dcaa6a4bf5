package io.github.liquidscheduler.simulator;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Sets;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The co-runners on each GPU, and the speed each job retains: that of its slowest GPU. Tasks that
 * have their GPUs to themselves, as the ledger sees to, are not entered.
 */
final class ColocationEffects {

  private final ClusterTopology topology;
  private final GroundTruth speed;
  private final SetMultimap<GpuId, SimulatedJob> jobsOn = LinkedHashMultimap.create();

  ColocationEffects(ClusterTopology topology, GroundTruth speed) {
    this.topology = topology;
    this.speed = speed;
  }

  /** Adds the job to its GPUs, and returns its co-runners, the longest there first. */
  Set<SimulatedJob> join(SimulatedJob job, Placement placement) {
    Set<SimulatedJob> coRunners = new LinkedHashSet<>();
    for (GpuId gpu : sharedGpus(placement)) {
      coRunners.addAll(jobsOn.get(gpu));
      jobsOn.put(gpu, job);
    }
    coRunners.remove(job);
    return coRunners;
  }

  /** Removes the job from its GPUs, and returns its co-runners, the longest there first. */
  Set<SimulatedJob> leave(SimulatedJob job, Placement placement) {
    Set<SimulatedJob> left = new LinkedHashSet<>();
    for (GpuId gpu : sharedGpus(placement)) {
      if (jobsOn.remove(gpu, job)) {
        left.addAll(jobsOn.get(gpu));
      }
    }
    return left;
  }

  /** Returns the retained speed of a running job. */
  double retained(SimulatedJob job, Placement placement) {
    return sharedGpus(placement).stream()
        .filter(gpu -> jobsOn.get(gpu).size() > 1)
        .mapToDouble(gpu -> speed.retained(job.job(), others(job, gpu), model(gpu)))
        .min()
        .orElse(1);
  }

  /** Returns true if a running job and its co-runners fit into the memory of their GPUs. */
  boolean fit(Placement placement) {
    return sharedGpus(placement).stream()
        .filter(gpu -> jobsOn.get(gpu).size() > 1)
        .allMatch(gpu -> speed.fit(jobs(jobsOn.get(gpu)), model(gpu)));
  }

  private List<TraceJob> others(SimulatedJob job, GpuId gpu) {
    return jobs(Sets.filter(jobsOn.get(gpu), other -> !other.equals(job)));
  }

  private static List<TraceJob> jobs(Set<SimulatedJob> there) {
    return there.stream().map(SimulatedJob::job).toList();
  }

  /** Returns the GPUs that tasks have a share of. */
  private static List<GpuId> sharedGpus(Placement placement) {
    return placement.tasks().stream()
        .filter(task -> !task.share().isWhole())
        .flatMap(TaskPlacement::gpuIds)
        .toList();
  }

  private GpuModel model(GpuId gpu) {
    return topology.gpu(gpu).model();
  }
}
