package io.github.liquidscheduler.placement.capacity;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs that jobs hold shares of, grouped by who is on them, so that whoever looks for company
 * looks at each kind of company once. GPUs are named by their position in the cluster. Not
 * thread-safe.
 */
public final class SharedGpus {

  private final Map<Crowd, NavigableSet<Integer>> gpusOf = new LinkedHashMap<>();
  private final Map<Integer, Crowd> crowdOf = new LinkedHashMap<>();

  SharedGpus() {}

  SharedGpus copy() {
    SharedGpus copy = new SharedGpus();
    gpusOf.forEach((crowd, gpus) -> copy.gpusOf.put(crowd, new TreeSet<>(gpus)));
    copy.crowdOf.putAll(crowdOf);
    return copy;
  }

  /**
   * Returns the GPUs of each crowd, ascending. The order of the crowds depends on what happened
   * before, so no decision may depend on it.
   */
  public Map<Crowd, NavigableSet<Integer>> byCrowd() {
    return Collections.unmodifiableMap(gpusOf);
  }

  /** Returns the number of GPUs in all crowds. */
  public int size() {
    return crowdOf.size();
  }

  /** Notes who is on a GPU; null if nobody is, or if company is not possible. */
  void set(int gpu, @Nullable Crowd crowd) {
    @Nullable Crowd before = crowdOf.remove(gpu);
    if (before != null) {
      NavigableSet<Integer> gpus = Objects.requireNonNull(gpusOf.get(before));
      gpus.remove(gpu);
      if (gpus.isEmpty()) {
        gpusOf.remove(before);
      }
    }
    if (crowd != null) {
      crowdOf.put(gpu, crowd);
      gpusOf.computeIfAbsent(crowd, key -> new TreeSet<>()).add(gpu);
    }
  }
}
