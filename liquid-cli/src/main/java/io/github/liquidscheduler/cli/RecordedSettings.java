package io.github.liquidscheduler.cli;

import static java.util.stream.Collectors.toMap;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The policy and parameters of a scheduler, and the options of the command, as a journal or a
 * snapshot recorded them.
 *
 * @param interference what slowdowns were predicted with, if jobs share GPUs
 */
record RecordedSettings(
    String policy,
    Map<String, String> parameters,
    Map<String, String> settings,
    InterferenceOption interference) {

  /** Returns options of such a scheduler, as far as it can be made from that. */
  LiquidScheduler.Builder builder(ClusterTopology cluster) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(cluster).policy(Policies.named(policy));
    read("colocation.", RecordedColocation::new)
        .ifPresentOrElse(
            shared -> builder.colocation(shared.read(interference.predictor(), baseOfShared())),
            () -> builder.placer(placer()));
    read("backoff.", RecordedOptions::backoff).ifPresent(builder::retries);
    read("preemption.", RecordedOptions::preemption).ifPresent(builder::preemption);
    read("backfill.", RecordedOptions::backfill).ifPresent(builder::backfill);
    read("elasticity.", RecordedOptions::elasticity).ifPresent(builder::elasticity);
    read("batch.", RecordedOptions::batch).ifPresent(builder::batch);
    read("prefetching.", RecordedOptions::prefetching).ifPresent(builder::prefetch);
    Optional.ofNullable(parameters.get("startsPerEvent"))
        .map(Integer::valueOf)
        .ifPresent(builder::startsPerEvent);
    Optional.ofNullable(parameters.get("searchesPerEvent"))
        .map(Integer::valueOf)
        .ifPresent(builder::searchesPerEvent);
    return parameters.containsKey("startsReported") ? builder.startsReported() : builder;
  }

  private Placer placer() {
    long seed = Long.parseLong(settings.getOrDefault("seed", "0"));
    String named =
        Optional.ofNullable(settings.get("placer"))
            .or(() -> Algorithms.placers().stream().filter(isOf(seed)).findFirst())
            .orElse("best-fit");
    return Algorithms.placer(named, seed);
  }

  private Placer baseOfShared() {
    long seed = Long.parseLong(settings.getOrDefault("seed", "0"));
    return Algorithms.placer(settings.getOrDefault("placer", "best-fit"), seed);
  }

  private Predicate<String> isOf(long seed) {
    Map<String, String> recorded = below("placer.");
    return name -> Algorithms.placer(name, seed).parameters().equals(recorded);
  }

  private <T> Optional<T> read(String prefix, Function<Map<String, String>, T> from) {
    return Optional.of(below(prefix)).filter(values -> !values.isEmpty()).map(from);
  }

  private Map<String, String> below(String prefix) {
    return parameters.entrySet().stream()
        .filter(parameter -> parameter.getKey().startsWith(prefix))
        .collect(toMap(each -> each.getKey().substring(prefix.length()), Map.Entry::getValue));
  }
}
