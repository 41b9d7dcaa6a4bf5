package io.github.liquidscheduler.lab.calibration;

import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.NetworkModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How well a network fitted on some applications predicts others.
 *
 * <p>For an application on which the network was not fitted there are two predictions: one from its
 * parameters' bytes and its iterations on one GPU alone, and one after {@value #PROFILED_ON_ONE}
 * and {@value #PROFILED_ON_TWO} were measured too: two GPUs of one node, and two GPUs of two nodes.
 * Those two placements are not counted in the second error.
 *
 * @param parameters the parameters of each cluster, fitted on all applications to fit on
 * @param rows one for each application
 */
public record AccuracyReport(Map<String, NetworkParameters> parameters, List<Row> rows) {

  private static final String PROFILED_ON_ONE = "2";
  private static final String PROFILED_ON_TWO = "11";

  /** Copies the parameters and the rows. */
  public AccuracyReport {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    rows = List.copyOf(rows);
  }

  /** What an application is to the fit. */
  public enum Use {
    /** The network is fitted on it; its own errors come from a fit without it. */
    FITTED,
    /** The network is never fitted on it. */
    TESTED
  }

  /**
   * What was found for one application.
   *
   * @param cluster where it was measured
   * @param application what it is
   * @param use what it is to the fit
   * @param silent the error if the network is not thought of: an iteration takes as long as on one
   *     GPU
   * @param fitted the error of the network fitted on all applications to fit on
   * @param unseen the error of a network that was not fitted on it
   * @param profiled the same after two placements of it were measured
   */
  public record Row(
      String cluster,
      String application,
      Use use,
      PredictionError silent,
      PredictionError fitted,
      PredictionError unseen,
      List<PredictionError> profiled) {

    /** Copies the errors. */
    public Row {
      profiled = List.copyOf(profiled);
    }
  }

  /**
   * Returns the report.
   *
   * @param clusters what was measured
   * @param tested the applications not to fit on
   */
  public static AccuracyReport of(List<MeasuredCluster> clusters, List<String> tested) {
    List<MeasuredCluster> toFit =
        clusters.stream()
            .map(cluster -> cluster.where(one -> !tested.contains(one.application())))
            .toList();
    Map<String, NetworkParameters> parameters = NetworkFit.of(toFit);
    List<Row> rows = new ArrayList<>();
    for (MeasuredCluster cluster : clusters) {
      for (String application : cluster.applications()) {
        rows.add(row(cluster.only(List.of(application)), toFit, parameters));
      }
    }
    return new AccuracyReport(parameters, rows);
  }

  private static Row row(
      MeasuredCluster own, List<MeasuredCluster> toFit, Map<String, NetworkParameters> parameters) {
    String application = own.applications().getFirst();
    boolean isFitted =
        toFit.stream()
            .anyMatch(
                cluster ->
                    cluster.name().equals(own.name())
                        && cluster.applications().contains(application));
    NetworkParameters all = parameter(parameters, own.name());
    NetworkParameters others =
        isFitted ? parameter(fitWithout(toFit, own.name(), application), own.name()) : all;
    return new Row(
        own.name(),
        application,
        isFitted ? Use.FITTED : Use.TESTED,
        PredictionError.of(silent(own)),
        error(all, own),
        error(others, own),
        profiled(others, own));
  }

  private static NetworkParameters parameter(Map<String, NetworkParameters> all, String cluster) {
    return Objects.requireNonNull(all.get(cluster), cluster);
  }

  private static Map<String, NetworkParameters> fitWithout(
      List<MeasuredCluster> toFit, String cluster, String application) {
    return NetworkFit.of(
        toFit.stream()
            .map(one -> one.name().equals(cluster) ? one.without(application) : one)
            .toList());
  }

  private static List<Double> silent(MeasuredCluster own) {
    return own.observations().stream()
        .map(one -> Math.log(one.traffic().compute().toNanos() / 1e9 / one.seconds()))
        .toList();
  }

  private static PredictionError error(NetworkParameters parameters, MeasuredCluster own) {
    NetworkModel model = NetworkModel.of(own.topology(), parameters);
    return PredictionError.of(
        own.observations().stream().map(one -> NetworkFit.logarithmOfError(model, one)).toList());
  }

  private static List<PredictionError> profiled(NetworkParameters parameters, MeasuredCluster own) {
    MeasuredCluster profile = own.where(AccuracyReport::isProfiled);
    MeasuredCluster rest = own.where(one -> !isProfiled(one));
    return profile.observations().isEmpty()
        ? List.of()
        : List.of(
            PredictionError.of(
                ApplicationFit.of(parameters, profile).logarithmsOfError(parameters, rest)));
  }

  private static boolean isProfiled(MeasuredRun one) {
    return one.placement().equals(PROFILED_ON_ONE) || one.placement().equals(PROFILED_ON_TWO);
  }
}
