package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.goodput.BatchChoice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Our policy: sizes whose goodputs, together, are worth most, by an exact knapsack.
 *
 * <p>It knows what Pollux knows: of each job the steps it ran, in which a throughput model is
 * fitted, the gradient statistics it reports, and its progress. It knows neither how much is left
 * nor what the user asked for; jobs choose their batch sizes.
 *
 * <p>A size is worth the square root of the speed-up over one GPU, so that GPUs go where they help
 * most but no job starves, times a weight that falls slowly with the service that a job had, since
 * young jobs are more often short ones. A change of size costs what a restart takes of {@link
 * #HORIZON_SECONDS}. A job may grow to a few times the largest size at which it was observed: the
 * model is optimistic about what was not.
 */
final class GoodputKnapsack implements GoodputPolicy {

  private static final double SPEED_UP_EXPONENT = 0.5;
  private static final double SERVICE_EXPONENT = 0.25;
  private static final double SERVICE_OFFSET_SECONDS = 1000;

  /** How long a size is expected to last. */
  private static final double HORIZON_SECONDS = 300;

  private static final double KEPT = 1 - GoodputProgress.RESTART_SECONDS / HORIZON_SECONDS;
  private static final int GROWTH = 4;

  private final GoodputCluster cluster;
  private final int[] sizes;

  GoodputKnapsack(GoodputCluster cluster) {
    this.cluster = cluster;
    this.sizes = sizes(cluster);
  }

  /** Returns powers of two within a node, then whole nodes. */
  private static int[] sizes(GoodputCluster cluster) {
    IntStream within = IntStream.iterate(1, size -> size < cluster.gpusPerNode(), size -> 2 * size);
    IntStream whole = IntStream.rangeClosed(1, cluster.nodes()).map(n -> n * cluster.gpusPerNode());
    return IntStream.concat(within, whole).toArray();
  }

  @Override
  public boolean adaptsBatchSizes() {
    return true;
  }

  @Override
  public Map<GoodputProgress, NodeAllocation> allocate(List<GoodputProgress> jobs, long now) {
    double[][] values = jobs.stream().map(this::values).toArray(double[][]::new);
    int[] chosen = new SizeKnapsack(sizes, cluster.gpus()).best(values);
    Map<GoodputProgress, Integer> wanted = new LinkedHashMap<>();
    for (int i = 0; i < chosen.length; i++) {
      wanted.put(jobs.get(i), chosen[i]);
    }
    return MovingPlacer.place(cluster, wanted);
  }

  private double[] values(GoodputProgress job) {
    double[] values = new double[sizes.length];
    double single = goodput(job, 1, 1);
    double weight = Math.pow(job.progress() / single + SERVICE_OFFSET_SECONDS, -SERVICE_EXPONENT);
    NodeAllocation held = job.allocation();
    int most = mostGpus(job);
    for (int i = 0; i < sizes.length && sizes[i] <= most; i++) {
      boolean isHeld = held != null && held.gpus() == sizes[i];
      double speedUp = goodput(job, sizes[i], single) / single;
      values[i] = weight * Math.pow(isHeld ? speedUp : KEPT * speedUp, SPEED_UP_EXPONENT);
    }
    return values;
  }

  /** Returns the estimated goodput, in proportion to GPUs for a job that never ran. */
  private double goodput(GoodputProgress job, int gpus, double single) {
    int nodes = (gpus + cluster.gpusPerNode() - 1) / cluster.gpusPerNode();
    return job.estimate().best(nodes, gpus).map(BatchChoice::goodput).orElse(gpus * single);
  }

  private static int mostGpus(GoodputProgress job) {
    if (!job.job().application().isElastic()) {
      return 1;
    }
    BatchLimits limits = job.job().application().limits();
    int observed = job.estimate().mostObservedGpus();
    return Math.min(limits.mostGpus(limits.largest()), Math.max(1, GROWTH * observed));
  }
}
