package io.github.liquidscheduler.scheduler.performance;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A fixed table of speeds by model family and GPU model. Other combinations are unknown. Immutable.
 *
 * <pre>{@code
 * GpuSpeedTable.builder()
 *     .speed("ResNet-50", GpuModel.of("V100"), 6.9)
 *     .speed("ResNet-50", GpuModel.of("K80"), 1)
 *     .build();
 * }</pre>
 */
public final class GpuSpeedTable implements PerformancePredictor {

  private static final Prediction UNKNOWN =
      new Prediction(0, 0, Double.POSITIVE_INFINITY, Provenance.DEFAULT);

  /** A model family on a GPU model. */
  private record Key(String family, GpuModel gpu) {}

  // Never iterated.
  private final Map<Key, Prediction> speeds;

  private GpuSpeedTable(Builder builder) {
    speeds = new LinkedHashMap<>(builder.speeds);
  }

  /** Returns a builder of an empty table. */
  public static Builder builder() {
    return new Builder();
  }

  /** {@inheritDoc} The same for any number of GPUs: only ratios between GPU models matter. */
  @Override
  public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
    return speeds.getOrDefault(new Key(job.workload().family(), gpu), UNKNOWN);
  }

  @Override
  public void observe(
      JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
    // A table stays as it is.
  }

  /** Builds a {@link GpuSpeedTable}. Not thread-safe. */
  public static final class Builder {
    private final Map<Key, Prediction> speeds = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Sets the speed of a model family on a GPU model; a later value replaces an earlier one.
     *
     * @param family the model family of their {@linkplain JobSpec#workload workload}
     * @param speed in iterations per second, or in any unit common to all GPU models
     * @throws IllegalArgumentException if {@code speed} is not positive and finite
     */
    public Builder speed(String family, GpuModel gpu, double speed) {
      Objects.requireNonNull(gpu, "gpu");
      if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a speed must be positive and finite, but was %s, for '%s' on %s"
                .formatted(speed, family, gpu));
      }
      speeds.put(
          new Key(Objects.requireNonNull(family, "family"), gpu),
          Prediction.certain(speed, Provenance.MEASURED));
      return this;
    }

    /** Returns the table. */
    public GpuSpeedTable build() {
      return new GpuSpeedTable(this);
    }
  }
}
