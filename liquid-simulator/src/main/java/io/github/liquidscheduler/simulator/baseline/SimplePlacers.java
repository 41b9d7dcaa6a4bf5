package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;

/** Placers by name: those of the library, and simple ones that place task by task. */
public final class SimplePlacers {

  private SimplePlacers() {}

  /**
   * Returns the placers by name, each made with a random seed: those of {@link Placers}, {@code
   * random}, {@code even-spread} (fewest GPUs held), {@code least-allocated} (largest free part, as
   * in Kubernetes) and {@code pack} (most GPUs held).
   */
  public static Map<String, LongFunction<Placer>> byName() {
    Map<String, LongFunction<Placer>> placers = new LinkedHashMap<>();
    Placers.names().forEach(name -> placers.put(name, seed -> Placers.named(name)));
    placers.put("random", seed -> TaskByTaskPlacer.by(NodeScore.random(seed)));
    placers.put("even-spread", seed -> TaskByTaskPlacer.by(NodeScore.fewestHeldGpus()));
    placers.put("least-allocated", seed -> TaskByTaskPlacer.by(NodeScore.leastAllocated()));
    placers.put("pack", seed -> TaskByTaskPlacer.by(NodeScore.mostHeldGpus()));
    return placers;
  }
}
