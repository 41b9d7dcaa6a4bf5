package io.github.liquidscheduler.lab.calibration;

import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.NetworkModel;
import java.util.ArrayList;
import java.util.List;

/**
 * What a few measured placements of an application say about it on a network that is known: how
 * much more or less it sends than its parameters' bytes, and how much its GPUs wait for each other.
 *
 * @param volume the bytes it sends in parts of what its description says
 * @param skew its {@link NetworkParameters#skew()}
 */
public record ApplicationFit(double volume, double skew) {

  private static final double PULL = 0.05;
  private static final double LEAST_SKEW = 1e-3;

  /**
   * Returns the fit to a few observations of one application.
   *
   * @param network the parameters of the network, fitted on other applications
   * @param observed the observations
   * @throws IllegalArgumentException if there is none
   */
  public static ApplicationFit of(NetworkParameters network, MeasuredCluster observed) {
    if (observed.observations().isEmpty()) {
      throw new IllegalArgumentException("a fit needs at least one observation");
    }
    double[] start = {0, Math.log(Math.max(LEAST_SKEW, network.skew()))};
    double[] point =
        NetworkFit.LEAST_SQUARES.minimum(
            at ->
                residuals(
                    new ApplicationFit(Math.exp(at[0]), Math.exp(at[1])),
                    network,
                    observed,
                    at,
                    start),
            start);
    return new ApplicationFit(Math.exp(point[0]), Math.exp(point[1]));
  }

  private static double[] residuals(
      ApplicationFit fit,
      NetworkParameters network,
      MeasuredCluster observed,
      double[] at,
      double[] start) {
    List<Double> residuals = new ArrayList<>(fit.logarithmsOfError(network, observed));
    for (int i = 0; i < at.length; i++) {
      residuals.add(PULL * (at[i] - start[i]));
    }
    return residuals.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the logarithm of predicted over measured time of each observation. */
  List<Double> logarithmsOfError(NetworkParameters network, MeasuredCluster observed) {
    NetworkModel model =
        NetworkModel.of(observed.topology(), network.toBuilder().skew(skew).build());
    return observed.observations().stream()
        .map(
            one ->
                NetworkFit.logarithmOfError(
                    model,
                    new MeasuredRun(
                        one.application(),
                        one.placement(),
                        one.traffic().times(volume),
                        one.counts(),
                        one.seconds())))
        .toList();
  }
}
