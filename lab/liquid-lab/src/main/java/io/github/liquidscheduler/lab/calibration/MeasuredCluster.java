package io.github.liquidscheduler.lab.calibration;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What was measured on one cluster.
 *
 * @param name the name of the cluster
 * @param topology what it is made of, with rates as its vendors state them
 * @param observations the measured iterations
 */
public record MeasuredCluster(
    String name, ClusterTopology topology, List<MeasuredRun> observations) {

  /** Copies the observations. */
  public MeasuredCluster {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(topology, "topology");
    observations = List.copyOf(observations);
  }

  /** Returns the names of what ran, in the order in which they come. */
  public List<String> applications() {
    return observations.stream().map(MeasuredRun::application).distinct().toList();
  }

  /** Returns the same cluster with some of the observations. */
  public MeasuredCluster where(Predicate<MeasuredRun> chosen) {
    return new MeasuredCluster(name, topology, observations.stream().filter(chosen).toList());
  }

  /** Returns the same cluster with the observations of some applications. */
  public MeasuredCluster only(List<String> applications) {
    return where(observation -> applications.contains(observation.application()));
  }

  /** Returns the same cluster without the observations of an application. */
  public MeasuredCluster without(String application) {
    return where(observation -> !observation.application().equals(application));
  }
}
