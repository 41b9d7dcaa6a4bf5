package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cli.algorithm.AlgorithmProvider;
import io.github.liquidscheduler.lab.baseline.grouping.GroupingPlanner;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.SimplePlacers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/** The placers and planners of other systems, for the options of commands. */
public final class LabAlgorithms implements AlgorithmProvider {

  @Override
  public Map<String, LongFunction<Placer>> placers() {
    Map<String, LongFunction<Placer>> placers = new LinkedHashMap<>();
    BaselinePlacers.names().stream()
        .filter(name -> !SimplePlacers.byName().containsKey(name))
        .forEach(name -> placers.put(name, seed -> BaselinePlacers.named(name, seed)));
    return placers;
  }

  @Override
  public Map<String, ColocationPolicy> colocationPolicies() {
    Map<String, ColocationPolicy> policies = new LinkedHashMap<>();
    for (String name : BaselinePlacers.names()) {
      BaselinePlacers.colocationPolicy(name).ifPresent(policy -> policies.put(name, policy));
    }
    return policies;
  }

  @Override
  public Map<String, Function<PlanCost, BatchPlanner>> planners() {
    return Map.of("gga", GroupingPlanner::new);
  }
}
