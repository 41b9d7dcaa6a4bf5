package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Objects;

/**
 * One job on a GPU, seen as the victim of the others there.
 *
 * @param gpu the model of the GPU
 * @param victim the job whose speed is asked for
 * @param coRunners the others on the GPU; empty if the victim is alone
 */
public record ColocationQuery(
    GpuModel gpu, ColocationProfile victim, List<ColocationProfile> coRunners) {

  /** Checks and copies the parts. */
  public ColocationQuery {
    Objects.requireNonNull(gpu, "gpu");
    Objects.requireNonNull(victim, "victim");
    coRunners = List.copyOf(coRunners);
  }
}
