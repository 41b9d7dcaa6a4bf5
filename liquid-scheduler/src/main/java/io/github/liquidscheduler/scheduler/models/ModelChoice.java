package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns GPU models to jobs that can all start now, by comparative advantage: the job with the
 * largest regret, the ratio of its best to its second best speed, chooses first and takes its best
 * model (Vogel's approximation method for transportation problems). A job without a second choice
 * precedes all others; ties go by queue order.
 *
 * <p>O(jobs² x models).
 */
final class ModelChoice {

  private final Map<GpuModel, Integer> free;
  private final List<Claim> left;

  /**
   * A job that can start.
   *
   * @param gpus its number of GPUs, at least 1
   * @param speeds its speed by GPU model, fastest first
   */
  record Claim(int gpus, Map<GpuModel, Double> speeds) {}

  /** A job's best remaining model, and its speed relative to the second best. */
  private record Best(GpuModel model, double regret) {}

  private ModelChoice(Map<GpuModel, Integer> free, List<Claim> claims) {
    this.free = new TreeMap<>(free);
    left = new ArrayList<>(claims);
  }

  /**
   * Returns the GPU model assigned to the first job; empty if no model has enough GPUs, or none is
   * left when it chooses.
   *
   * @param free the free GPUs by model
   * @param claims the jobs in queue order, at least one
   */
  static Optional<GpuModel> ofFirst(Map<GpuModel, Integer> free, List<Claim> claims) {
    return new ModelChoice(free, claims).choose(claims.getFirst());
  }

  @SuppressWarnings("ReferenceEquality") // Claims of two jobs may be equal.
  private Optional<GpuModel> choose(Claim first) {
    while (true) {
      @Nullable Claim next = null;
      @Nullable Best chosen = null;
      for (Claim claim : left) {
        @Nullable Best best = best(claim);
        if (best != null && (chosen == null || best.regret() > chosen.regret())) {
          next = claim;
          chosen = best;
        }
      }
      if (next == null || chosen == null) {
        return Optional.empty();
      }
      if (next == first) {
        return Optional.of(chosen.model());
      }
      free.merge(chosen.model(), -next.gpus(), Integer::sum);
      left.remove(next);
    }
  }

  private @Nullable Best best(Claim claim) {
    @Nullable GpuModel best = null;
    double fastest = 0;
    for (Map.Entry<GpuModel, Double> speed : claim.speeds().entrySet()) {
      if (free.getOrDefault(speed.getKey(), 0) >= claim.gpus()) {
        if (best != null) {
          return new Best(best, fastest / speed.getValue());
        }
        best = speed.getKey();
        fastest = speed.getValue();
      }
    }
    return best == null ? null : new Best(best, Double.POSITIVE_INFINITY);
  }
}
