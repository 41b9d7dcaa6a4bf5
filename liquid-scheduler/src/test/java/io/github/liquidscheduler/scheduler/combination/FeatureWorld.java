package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A feature as data: what it adds to a scheduler, and what it adds to the world so that it acts.
 *
 * @param name the name for people
 * @param option what it adds to the scheduler; missing from the run without it
 * @param models the GPU models of nodes, where not all are alike
 * @param traits what it adds to a job by its role
 * @param acts whether a decision can only come from this feature; never true of some features,
 *     which only change when and where others act
 */
record FeatureWorld(
    Slot slot,
    String name,
    Consumer<Options> option,
    Map<NodeId, GpuModel> models,
    BiConsumer<Arrival, JobSpec.Builder> traits,
    Predicate<Decision> acts,
    List<Kind> shownBy) {

  /** Returns a feature that acts by its option alone. */
  static FeatureWorld of(Slot slot, String name, Consumer<Options> option) {
    return new FeatureWorld(
        slot, name, option, Map.of(), (arrival, job) -> {}, decision -> false, List.of());
  }

  FeatureWorld onModels(Map<NodeId, GpuModel> nodes) {
    return new FeatureWorld(slot, name, option, nodes, traits, acts, shownBy);
  }

  FeatureWorld giving(BiConsumer<Arrival, JobSpec.Builder> jobs) {
    return new FeatureWorld(slot, name, option, models, jobs, acts, shownBy);
  }

  FeatureWorld seenBy(Predicate<Decision> decision) {
    return new FeatureWorld(slot, name, option, models, traits, decision, shownBy);
  }

  FeatureWorld shownBy(Kind... kinds) {
    return new FeatureWorld(slot, name, option, models, traits, acts, List.of(kinds));
  }

  /** Returns true if a decision can show this feature with another. */
  boolean mayShow(Told told) {
    return shownBy.isEmpty() || shownBy.stream().anyMatch(kind -> kind.is(told));
  }

  @Override
  public String toString() {
    return name;
  }
}
