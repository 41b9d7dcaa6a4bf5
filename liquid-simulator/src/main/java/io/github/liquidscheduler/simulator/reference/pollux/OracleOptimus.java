package io.github.liquidscheduler.simulator.reference.pollux;

import io.github.liquidscheduler.simulator.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.simulator.reference.pollux.application.GpuLayout;
import io.github.liquidscheduler.simulator.reference.pollux.application.LocalBatch;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Optimus as the artefact runs it: it knows each job's steps left and true step times. Every job
 * gets a GPU; the others go one by one to the job that saves most time by one more. Batch sizes are
 * as submitted. A job whose number of GPUs stays keeps its place.
 */
final class OracleOptimus implements GoodputPolicy {

  private final GoodputCluster cluster;
  private Map<JobProgress, NodeAllocation> running = Map.of();

  OracleOptimus(GoodputCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Map<JobProgress, NodeAllocation> allocate(List<JobProgress> jobs, long now) {
    running = place(sizes(jobs));
    return running;
  }

  private Map<JobProgress, Integer> sizes(List<JobProgress> jobs) {
    Map<JobProgress, Integer> sizes = new LinkedHashMap<>();
    Map<JobProgress, Double> gains = new LinkedHashMap<>();
    int free = cluster.gpus();
    for (JobProgress job : jobs) {
      int size = Math.min(1, free);
      free -= size;
      sizes.put(job, size);
      gains.put(job, size == 0 ? 0 : gain(job, size, free));
    }
    while (free > 0) {
      JobProgress job = largest(gains);
      if (gains.get(job) <= 0) {
        return sizes;
      }
      int size = sizes.merge(job, 1, Integer::sum);
      gains.put(job, gain(job, size, free));
      free--;
    }
    return sizes;
  }

  private static JobProgress largest(Map<JobProgress, Double> gains) {
    return gains.entrySet().stream()
        .reduce((one, other) -> other.getValue() > one.getValue() ? other : one)
        .orElseThrow()
        .getKey();
  }

  private double gain(JobProgress job, int size, int free) {
    if (size + 1 > mostGpus(job.job()) || free < 1) {
      return 0;
    }
    double left = job.job().application().iterationsLeft(job.job().batch(), job.epoch());
    return (stepSeconds(job.job(), size) - stepSeconds(job.job(), size + 1)) * left;
  }

  private static int mostGpus(GoodputJob job) {
    return job.application().isElastic() ? job.application().limits().mostGpus(job.batch()) : 1;
  }

  private double stepSeconds(GoodputJob job, int gpus) {
    BatchLimits limits = job.application().limits();
    int local = BatchLimits.roundedUp((double) job.batch() / gpus);
    int accumulations = BatchLimits.roundedUp((double) local / limits.largestLocal()) - 1;
    if (gpus == 1) {
      accumulations = Math.max(1, accumulations);
    }
    LocalBatch batch = limits.capped(local, accumulations, gpus);
    return job.application()
        .stepTime(GpuLayout.packed(gpus, cluster.gpusPerNode()), batch.size())
        .accumulating(batch.accumulations());
  }

  private Map<JobProgress, NodeAllocation> place(Map<JobProgress, Integer> sizes) {
    Map<JobProgress, NodeAllocation> placed = new LinkedHashMap<>(running);
    placed.entrySet().removeIf(held -> !isSize(sizes.get(held.getKey()), held.getValue()));
    NodePool pool = new NodePool(cluster.nodes(), cluster.gpusPerNode(), placed.values());
    List<JobProgress> smallestFirst =
        sizes.keySet().stream()
            .filter(job -> sizes.get(job) > 0)
            .sorted(Comparator.comparing(sizes::get))
            .toList();
    smallestFirst.forEach(
        job -> placed.computeIfAbsent(job, moved -> pool.takeFromEmptiest(sizes.get(moved))));
    return placed;
  }

  private static boolean isSize(Integer size, NodeAllocation held) {
    return size != null && size == held.gpus();
  }
}
