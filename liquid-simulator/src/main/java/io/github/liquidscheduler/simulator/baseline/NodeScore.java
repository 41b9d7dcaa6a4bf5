package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.List;

/** How good a node is for the next task that a {@link TaskByTaskPlacer} places; more is better. */
@FunctionalInterface
public interface NodeScore {

  /** Returns the score; {@link Double#NEGATIVE_INFINITY} rules the node out. */
  double of(Candidate candidate);

  /**
   * A node for a task.
   *
   * @param index what is free, with the tasks placed so far taken out
   * @param job the job
   * @param placed the tasks of the job that have been placed
   * @param taskNumber the number of the task in the job
   * @param task what the task asks
   * @param pool the pool the task's GPUs would come from
   * @param slot the node's slot in the pool
   */
  record Candidate(
      CapacityIndex index,
      JobSpec job,
      List<Picks.Pick> placed,
      int taskNumber,
      TaskShape task,
      GpuPool pool,
      int slot) {

    /** Returns the position of the node. */
    public int node() {
      return pool.nodeOf(slot);
    }

    /** Returns the number of GPUs held on the node. */
    public int heldGpus() {
      return index.gpus(node()) - pool.free(slot);
    }
  }

  /** Scores by chance: for each task every node is as likely to score highest as any other. */
  static NodeScore random(long seed) {
    return candidate -> {
      long mixed = seed;
      String job = candidate.job().id().value();
      for (int i = 0; i < job.length(); i++) {
        mixed = mix(mixed + job.charAt(i));
      }
      return mix(mix(mixed + candidate.taskNumber()) + candidate.node());
    };
  }

  /** Scores nodes by how few of their GPUs are held. */
  static NodeScore fewestHeldGpus() {
    return candidate -> -candidate.heldGpus();
  }

  /** Scores nodes by how many of their GPUs are held. */
  static NodeScore mostHeldGpus() {
    return Candidate::heldGpus;
  }

  /**
   * Scores nodes by the mean free part of CPU, memory and GPUs, as Kubernetes' LeastAllocated
   * strategy does when GPUs are listed among its resources.
   */
  static NodeScore leastAllocated() {
    return candidate -> {
      CapacityIndex index = candidate.index();
      int position = candidate.node();
      Node node = index.topology().nodes().get(position);
      double cpu = part(index.freeCpu(position), node.cpu().millicores());
      double memory = part(index.freeMemory(position), node.memory().bytes());
      double gpus = part(candidate.pool().free(candidate.slot()), index.gpus(position));
      return (cpu + memory + gpus) / 3;
    };
  }

  private static double part(long free, long capacity) {
    return capacity == 0 ? 0 : (double) free / capacity;
  }

  /** Scrambles a number (the finaliser of SplitMix64, Steele et al., OOPSLA 2014). */
  private static long mix(long number) {
    long z = number + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
