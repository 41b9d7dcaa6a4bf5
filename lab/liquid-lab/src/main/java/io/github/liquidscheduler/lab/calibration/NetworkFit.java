package io.github.liquidscheduler.lab.calibration;

import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.NetworkModel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Fits the parameters of networks to measured iterations. Each cluster gets its own efficiencies
 * and latencies; pair penalty, overlap and skew are one for all.
 *
 * <p>Minimises the squared logarithm of predicted over measured time, every application counting
 * the same however often it was measured. Large residuals count by their size and not its square
 * (the smooth form of the absolute value, from {@value #OUTLIER} on), and a weak pull towards the
 * start settles what the data leave open. Deterministic.
 */
public final class NetworkFit {

  /** Steps so wide that times rounded to nanoseconds still differ. */
  static final LeastSquares LEAST_SQUARES = new LeastSquares(0.01, 200);

  private static final double OUTLIER = 0.1;
  private static final double PULL = 0.05;
  private static final int OF_CLUSTER = 4;
  private static final int SHARED = 3;

  /** Half of what vendors state, and 100 microseconds; as logarithms, of odds for the parts. */
  private static final double[] CLUSTER_START = {0, 0, Math.log(1e-4), Math.log(1e-4)};

  /** Pair penalty, overlap above 1 and skew, as logarithms. */
  private static final double[] SHARED_START = {Math.log(0.3), Math.log(1), Math.log(0.02)};

  private final List<MeasuredCluster> clusters;
  private final Map<String, Long> counts;
  private final double[] start;

  private NetworkFit(List<MeasuredCluster> clusters) {
    this.clusters = List.copyOf(clusters);
    counts =
        clusters.stream()
            .flatMap(cluster -> cluster.observations().stream().map(one -> key(cluster, one)))
            .collect(Collectors.groupingBy(key -> key, LinkedHashMap::new, Collectors.counting()));
    start = new double[OF_CLUSTER * clusters.size() + SHARED];
    for (int cluster = 0; cluster < clusters.size(); cluster++) {
      System.arraycopy(CLUSTER_START, 0, start, OF_CLUSTER * cluster, OF_CLUSTER);
    }
    System.arraycopy(SHARED_START, 0, start, OF_CLUSTER * clusters.size(), SHARED);
  }

  /**
   * Returns the parameters of each cluster by its name.
   *
   * @throws IllegalArgumentException if a cluster has no observation
   */
  public static Map<String, NetworkParameters> of(List<MeasuredCluster> clusters) {
    for (MeasuredCluster cluster : clusters) {
      if (cluster.observations().isEmpty()) {
        throw new IllegalArgumentException(
            "a fit needs at least one observation of cluster '" + cluster.name() + "'");
      }
    }
    NetworkFit fit = new NetworkFit(clusters);
    return fit.named(LEAST_SQUARES.minimum(fit::residuals, fit.start));
  }

  private static String key(MeasuredCluster cluster, MeasuredRun observation) {
    return cluster.name() + '\n' + observation.application();
  }

  private Map<String, NetworkParameters> named(double[] point) {
    Map<String, NetworkParameters> named = new LinkedHashMap<>();
    for (int cluster = 0; cluster < clusters.size(); cluster++) {
      named.put(clusters.get(cluster).name(), parameters(point, cluster));
    }
    return named;
  }

  private NetworkParameters parameters(double[] point, int cluster) {
    int own = OF_CLUSTER * cluster;
    int shared = OF_CLUSTER * clusters.size();
    return NetworkParameters.builder()
        .fabricEfficiency(part(point[own]))
        .linkEfficiency(part(point[own + 1]))
        .fabricLatency(seconds(Math.exp(point[own + 2])))
        .linkLatency(seconds(Math.exp(point[own + 3])))
        .pairPenalty(Math.exp(point[shared]))
        .overlap(1 + Math.exp(point[shared + 1]))
        .skew(Math.exp(point[shared + 2]))
        .build();
  }

  private static double part(double logarithmOfOdds) {
    return 1 / (1 + Math.exp(-logarithmOfOdds));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private double[] residuals(double[] point) {
    int observations = clusters.stream().mapToInt(cluster -> cluster.observations().size()).sum();
    double[] residuals = new double[observations + point.length];
    int next = 0;
    for (int i = 0; i < clusters.size(); i++) {
      MeasuredCluster cluster = clusters.get(i);
      NetworkModel model = NetworkModel.of(cluster.topology(), parameters(point, i));
      for (MeasuredRun one : cluster.observations()) {
        double mean = (double) observations / counts.size();
        double weight = Math.sqrt(mean / counts.getOrDefault(key(cluster, one), 1L));
        residuals[next++] = weight * tamed(logarithmOfError(model, one));
      }
    }
    for (int i = 0; i < point.length; i++) {
      residuals[next++] = PULL * (point[i] - start[i]);
    }
    return residuals;
  }

  /** Returns the logarithm of predicted over measured time. */
  static double logarithmOfError(NetworkModel model, MeasuredRun one) {
    return Math.log(model.iterationSeconds(one.traffic(), one.counts()) / one.seconds());
  }

  /** Returns a residual whose square grows like the absolute value once it is large. */
  private static double tamed(double residual) {
    double scaled = residual / OUTLIER;
    double squared = 2 * (Math.sqrt(1 + scaled * scaled) - 1);
    return Math.copySign(OUTLIER * Math.sqrt(squared), residual);
  }
}
