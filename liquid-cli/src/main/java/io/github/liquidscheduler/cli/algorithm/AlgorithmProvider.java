package io.github.liquidscheduler.cli.algorithm;

import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Algorithms that commands accept by name beside those of the library. Providers are found by
 * {@link java.util.ServiceLoader} on the class path; iteration order is the order in help texts.
 */
public interface AlgorithmProvider {

  /** Returns placers by name; each is made with a random seed. */
  Map<String, LongFunction<Placer>> placers();

  /** Returns the co-location policies of placers, by the name of the placer. */
  Map<String, ColocationPolicy> colocationPolicies();

  /** Returns batch planners by name; each is made for a cost of plans. */
  Map<String, Function<PlanCost, BatchPlanner>> planners();
}
