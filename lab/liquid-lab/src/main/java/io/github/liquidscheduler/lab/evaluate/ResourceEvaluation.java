package io.github.liquidscheduler.lab.evaluate;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Sets;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.prior.ModelFamilies;
import io.github.liquidscheduler.training.resource.ResourceTrainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares estimates with measurements. */
public final class ResourceEvaluation {
  private static final int MOST_HALVED = 12;

  /** What is held out together to evaluate a model on unseen families. */
  public enum HeldOut {
    /** One family at a time. */
    FAMILY,
    /** One lineage at a time, such as all ResNets: stricter. */
    LINEAGE,
    /** One source of measurements at a time: other people, frameworks and models. */
    SOURCE
  }

  /**
   * What is learned from and what is tested on.
   *
   * @param training the samples learned from
   * @param test the samples tested on
   */
  public record Split(List<ResourceSample> training, List<ResourceSample> test) {

    /** Copies the lists. */
    public Split {
      training = List.copyOf(training);
      test = List.copyOf(test);
    }
  }

  private ResourceEvaluation() {}

  /** Returns the scores of every target that was measured. */
  public static List<TargetScore> scores(List<Outcome> outcomes) {
    return Arrays.stream(ResourceTarget.values())
        .map(target -> TargetScore.of(target, outcomes))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Estimates every task. */
  public static List<Outcome> estimate(
      LearnedResourceEstimator estimator, List<ResourceSample> samples) {
    return samples.stream()
        .map(sample -> new Outcome(sample, estimator.estimate(sample.task())))
        .toList();
  }

  /**
   * Estimates every task with a model that never saw its family, lineage or source, not even to
   * choose a learner or to calibrate. Groups of which nothing could be learned are left out.
   */
  public static List<Outcome> heldOut(List<ResourceSample> samples, HeldOut by, long seed) {
    Function<ResourceSample, String> group =
        switch (by) {
          case FAMILY -> sample -> sample.task().family();
          case LINEAGE -> sample -> ModelFamilies.lineage(sample.task().family());
          case SOURCE -> sample -> sample.task().source();
        };
    List<Outcome> outcomes = new ArrayList<>();
    Multimaps.index(samples, group::apply)
        .asMap()
        .forEach(
            (name, test) -> {
              List<ResourceSample> others =
                  samples.stream().filter(s -> !group.apply(s).equals(name)).toList();
              outcomes.addAll(split(others, List.copyOf(test), seed));
            });
    return outcomes;
  }

  /**
   * Returns every way to hold out half of the families that {@code source} measured, rounded down:
   * 70 for 8 families.
   *
   * @throws IllegalArgumentException if the source measured fewer than 2 families, or more than 12,
   *     of which there are too many halves
   */
  public static List<Split> halves(List<ResourceSample> samples, String source) {
    List<String> families =
        samples.stream()
            .filter(sample -> sample.task().source().equals(source))
            .map(sample -> sample.task().family())
            .distinct()
            .toList();
    if (families.size() < 2 || families.size() > MOST_HALVED) {
      throw new IllegalArgumentException(
          "a source must have measured 2 to %d families to hold out half of them, but '%s' measured %d"
              .formatted(MOST_HALVED, source, families.size()));
    }
    return Sets.combinations(ImmutableSet.copyOf(families), families.size() / 2).stream()
        .map(chosen -> without(samples, source, chosen))
        .toList();
  }

  private static Split without(List<ResourceSample> samples, String source, Set<String> chosen) {
    Map<Boolean, List<ResourceSample>> parts =
        samples.stream()
            .collect(
                Collectors.partitioningBy(
                    sample ->
                        sample.task().source().equals(source)
                            && chosen.contains(sample.task().family())));
    return new Split(parts.getOrDefault(false, List.of()), parts.getOrDefault(true, List.of()));
  }

  /** Trains on some samples and estimates others. */
  public static List<Outcome> split(
      List<ResourceSample> training, List<ResourceSample> test, long seed) {
    try (LearnedResourceEstimator estimator = new ResourceTrainer(seed).train(training).load()) {
      return estimate(estimator, test);
    }
  }
}
