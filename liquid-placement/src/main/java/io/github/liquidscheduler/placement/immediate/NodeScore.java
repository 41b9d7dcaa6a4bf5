package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;

/** How much a {@link TaskByTaskPlacer} likes a node for the next task of a job; more is better. */
@FunctionalInterface
interface NodeScore {

  /**
   * Returns the score.
   *
   * @param index what is free, with the tasks placed so far taken out
   * @param job the job
   * @param taskNumber the number of the task in the job
   * @param pool the pool the task's GPUs would come from
   * @param slot the node's slot in the pool
   */
  double of(CapacityIndex index, JobId job, int taskNumber, GpuPool pool, int slot);

  /** Scores by chance: for each task every node is as likely to score highest as any other. */
  static NodeScore random(long seed) {
    return (index, job, taskNumber, pool, slot) -> {
      long mixed = seed;
      for (int i = 0; i < job.value().length(); i++) {
        mixed = mix(mixed + job.value().charAt(i));
      }
      return mix(mix(mixed + taskNumber) + pool.nodeOf(slot));
    };
  }

  /** Scores nodes by how few of their GPUs are held. */
  static NodeScore fewestHeldGpus() {
    return (index, job, taskNumber, pool, slot) -> -heldGpus(index, pool, slot);
  }

  /**
   * Scores nodes by the mean free part of CPU, memory and GPUs, as Kubernetes' LeastAllocated
   * strategy does when GPUs are listed among its resources.
   */
  static NodeScore leastAllocated() {
    return (index, job, taskNumber, pool, slot) -> {
      int node = pool.nodeOf(slot);
      double cpu = part(index.freeCpu(node), index.topology().nodes().get(node).cpu().millicores());
      double memory =
          part(index.freeMemory(node), index.topology().nodes().get(node).memory().bytes());
      double gpus = part(pool.free(slot), index.gpus(node));
      return (cpu + memory + gpus) / 3;
    };
  }

  /** Scores the other way round. */
  default NodeScore reversed() {
    return (index, job, taskNumber, pool, slot) -> -of(index, job, taskNumber, pool, slot);
  }

  private static double heldGpus(CapacityIndex index, GpuPool pool, int slot) {
    return index.gpus(pool.nodeOf(slot)) - pool.free(slot);
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
