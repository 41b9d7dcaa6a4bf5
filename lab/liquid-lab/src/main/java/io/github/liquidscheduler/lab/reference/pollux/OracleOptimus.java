package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.application.GpuLayout;
import io.github.liquidscheduler.lab.reference.pollux.application.LocalBatch;
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
  private Map<GoodputProgress, NodeAllocation> running = Map.of();

  OracleOptimus(GoodputCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Map<GoodputProgress, NodeAllocation> allocate(List<GoodputProgress> jobs, long now) {
    running = place(sizes(jobs));
    return running;
  }

  private Map<GoodputProgress, Integer> sizes(List<GoodputProgress> jobs) {
    Map<GoodputProgress, Integer> sizes = new LinkedHashMap<>();
    Map<GoodputProgress, Double> gains = new LinkedHashMap<>();
    int free = cluster.gpus();
    for (GoodputProgress job : jobs) {
      int size = Math.min(1, free);
      free -= size;
      sizes.put(job, size);
      gains.put(job, size == 0 ? 0 : gain(job, size, free));
    }
    while (free > 0 && !gains.isEmpty()) {
      Map.Entry<GoodputProgress, Double> largest = largest(gains);
      if (largest.getValue() <= 0) {
        return sizes;
      }
      GoodputProgress job = largest.getKey();
      int size = sizes.merge(job, 1, Integer::sum);
      gains.put(job, gain(job, size, free));
      free--;
    }
    return sizes;
  }

  private static Map.Entry<GoodputProgress, Double> largest(Map<GoodputProgress, Double> gains) {
    return gains.entrySet().stream()
        .reduce((one, other) -> other.getValue() > one.getValue() ? other : one)
        .orElseThrow();
  }

  private double gain(GoodputProgress job, int size, int free) {
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

  private Map<GoodputProgress, NodeAllocation> place(Map<GoodputProgress, Integer> sizes) {
    Map<GoodputProgress, NodeAllocation> placed = new LinkedHashMap<>(running);
    placed
        .entrySet()
        .removeIf(held -> sizes.getOrDefault(held.getKey(), 0) != held.getValue().gpus());
    NodePool pool = new NodePool(cluster.nodes(), cluster.gpusPerNode(), placed.values());
    sizes.entrySet().stream()
        .filter(sized -> sized.getValue() > 0)
        .sorted(Map.Entry.comparingByValue())
        .forEach(
            sized ->
                placed.computeIfAbsent(
                    sized.getKey(), moved -> pool.takeFromEmptiest(sized.getValue())));
    return placed;
  }
}
