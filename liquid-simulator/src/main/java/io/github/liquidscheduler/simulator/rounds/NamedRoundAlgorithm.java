package io.github.liquidscheduler.simulator.rounds;

import com.google.common.base.Joiner;
import io.github.liquidscheduler.rounds.planner.LocalSearch;
import io.github.liquidscheduler.rounds.planner.RollingPlanner;
import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundPlanner;
import io.github.liquidscheduler.rounds.planner.TaskOrder;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.simulation.OnlineRounds;
import io.github.liquidscheduler.simulator.rounds.baseline.AlloxPlanner;
import io.github.liquidscheduler.simulator.rounds.baseline.GangLasPlanner;
import io.github.liquidscheduler.simulator.rounds.baseline.GangPlanner;
import io.github.liquidscheduler.simulator.rounds.relaxation.RelaxedOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The algorithms for jobs of rounds, by the names that people give. */
public enum NamedRoundAlgorithm {
  /** Jobs by their work for their weight, all times known. */
  WSPT("wspt", settings -> inOrder(TaskOrder.byWork(), settings)),
  /**
   * Least service of the fleet first, matched to GPUs, while jobs run; lengths are not known, and
   * nothing is to be chosen.
   */
  HLAS("hlas", settings -> online(RoundPolicy.scaleFreeHlas(), settings)),
  /** The same in classes between thresholds, matched by how fast the fastest GPU would be. */
  HLAS_CLASSES(
      "hlas-classes", settings -> online(RoundPolicy.hlas(thresholds(settings)), settings)),
  /** Least time on GPUs first, on the fastest, while jobs run; lengths are not known. */
  LAS("las", settings -> online(RoundPolicy.leastAttainedService(), settings)),
  /** Least work left first, on the fastest GPU, while jobs run; all times known. */
  SRPT("srpt", settings -> online(RoundPolicy.shortestRemaining(), settings)),
  /** Jobs by their work for their weight, interrupted for arriving ones, all times known. */
  FLUID("fluid", settings -> inOrder(TaskOrder.byFluid(), settings)),
  /** Rounds by a linear program, all times known. */
  LP("lp", settings -> inOrder(RelaxedOrder.create(), settings)),
  /** As fluid, planned again when jobs arrive and end, and none known before it arrives. */
  ROLLING(
      "rolling",
      settings -> new RollingPlanner(new RoundPlanner(TaskOrder.byFluid(), settings.choice()))),
  /** Gangs in the order of their arrival, on the fastest free GPUs. */
  GANG_FIFO("gang-fifo", settings -> GangPlanner.firstComeFirstServed()),
  /** Gangs, the shortest that fits first, on the fastest free GPUs. */
  GANG_SJF("gang-sjf", settings -> GangPlanner.shortestFirst()),
  /** Gangs that may be pre-empted between rounds, least wall-clock GPU time first. */
  GANG_LAS("gang-las", settings -> GangLasPlanner.of(thresholds(settings))),
  /** One GPU for each job, by the cheapest assignment. */
  ALLOX("allox", settings -> new AlloxPlanner()),
  /** Gangs, the least work for its weight that fits first, as if GPUs were equal. */
  HOMO("homo", settings -> GangPlanner.equalGpus());

  private final String name;
  private final Function<RoundSettings, RoundAlgorithm> algorithm;

  NamedRoundAlgorithm(String name, Function<RoundSettings, RoundAlgorithm> algorithm) {
    this.name = name;
    this.algorithm = algorithm;
  }

  /**
   * Returns the algorithm of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static NamedRoundAlgorithm named(String name) {
    for (NamedRoundAlgorithm algorithm : values()) {
      if (algorithm.name.equals(name)) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException(
        "an algorithm must be one of %s, but was '%s'".formatted(names(), name));
  }

  /** Returns all names, with commas between them. */
  public static String names() {
    return Arrays.stream(values())
        .map(NamedRoundAlgorithm::toString)
        .collect(Collectors.joining(", "));
  }

  /** Returns the algorithm with these settings. */
  public RoundAlgorithm with(RoundSettings settings) {
    return algorithm.apply(settings);
  }

  /** Returns true if it decides while jobs run, and so heeds how long GPUs need between tasks. */
  public boolean isOnline() {
    return this == HLAS || this == HLAS_CLASSES || this == LAS || this == SRPT;
  }

  /** Returns its name and the settings that it uses, by their names, in a fixed order. */
  public Map<String, String> report(RoundSettings settings) {
    Map<String, String> used = new LinkedHashMap<>();
    used.put("algorithm", name);
    switch (this) {
      case WSPT, FLUID, LP -> reportPlanner(settings, used);
      case ROLLING -> used.put("gpu_choice", settings.choice().toString());
      case HLAS_CLASSES, GANG_LAS ->
          used.put("thresholds", Joiner.on(',').join(settings.thresholds()));
      default -> {
        // It is told nothing.
      }
    }
    return used;
  }

  @Override
  public String toString() {
    return name;
  }

  private static RoundAlgorithm online(RoundPolicy policy, RoundSettings settings) {
    return new OnlineRounds(policy, true, settings.switching());
  }

  private static RoundAlgorithm inOrder(TaskOrder order, RoundSettings settings) {
    RoundPlanner planner = new RoundPlanner(order, settings.choice());
    return new LocalSearch(planner, settings.steps(), settings.seed());
  }

  private static void reportPlanner(RoundSettings settings, Map<String, String> used) {
    used.put("gpu_choice", settings.choice().toString());
    if (settings.steps().orElse(1) > 0) {
      used.put(
          "steps", settings.steps().isPresent() ? "" + settings.steps().getAsInt() : "by size");
      used.put("seed", Long.toString(settings.seed()));
    }
  }

  private static double[] thresholds(RoundSettings settings) {
    return settings.thresholds().stream().mapToDouble(Double::doubleValue).toArray();
  }
}
