package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A placer that answers as another one does, but for what it overrides: to restrict, to order or to
 * watch what another placer answers. A placer that refuses what the other one allows overrides
 * {@link #allows} as well as {@link #place}, and {@link #parameters} if settings of its own decide.
 */
public interface ForwardingPlacer extends Placer {

  /** Returns the placer that is asked. */
  Placer placer();

  @Override
  default Optional<Placement> place(ClusterView view, JobSpec job) {
    return placer().place(view, job);
  }

  @Override
  default boolean allows(ClusterView view, JobSpec job, Placement place) {
    return placer().allows(view, job, place);
  }

  @Override
  default boolean isCapacityBound() {
    return placer().isCapacityBound();
  }

  @Override
  default boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
    return placer().mayUse(view, job, gpus);
  }

  @Override
  default boolean isInfeasible(ClusterView idle, JobSpec job) {
    return placer().isInfeasible(idle, job);
  }

  /**
   * {@inheritDoc} By default the name of the class, and what the other placer answers, each name of
   * it after {@code placer.}
   */
  @Override
  default Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("type", getClass().getName());
    placer().parameters().forEach((name, value) -> parameters.put("placer." + name, value));
    return parameters;
  }

  @Override
  default List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer().unmetConstraints(view, job);
  }
}
