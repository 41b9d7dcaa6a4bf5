package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides free GPUs among jobs that can all start now, by comparative advantage: who loses most by
 * the second best GPU model for it chooses first, and takes the best one that is left (Vogel's
 * approximation method for transportation problems; regret is the ratio of the two speeds). Who has
 * no second choice chooses before all others. Of equal ones, the first in turn.
 *
 * <p>O(jobs² x models).
 */
final class ModelChoice {

  private final Map<GpuModel, Integer> free;
  private final List<Claim> left;

  /**
   * A job that can start.
   *
   * @param gpus how many it needs, at least 1
   * @param speeds how fast it is on each GPU model, the fastest first
   */
  record Claim(int gpus, Map<GpuModel, Double> speeds) {}

  /** What a job would take now, and how many times as fast it is there as on the second best. */
  private record Best(GpuModel model, double regret) {}

  private ModelChoice(Map<GpuModel, Integer> free, List<Claim> claims) {
    this.free = new TreeMap<>(free);
    left = new ArrayList<>(claims);
  }

  /**
   * Returns the GPU model that falls to the first of these jobs; empty if no model has enough GPUs
   * for it, or none is left when it chooses.
   *
   * @param free the free GPUs by model
   * @param claims the jobs in the order of their turns, at least one
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
