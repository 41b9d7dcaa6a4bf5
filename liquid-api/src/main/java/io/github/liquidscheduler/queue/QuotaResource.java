package io.github.liquidscheduler.queue;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The resource of a {@link QueueQuota}: all GPUs, those of one model, CPU cores or host memory.
 * Ordered in that way, and models by name.
 *
 * @param kind GPUs, CPU or memory
 * @param model the model of GPUs that is counted; empty for all models together
 */
public record QuotaResource(Kind kind, Optional<GpuModel> model)
    implements Comparable<QuotaResource> {

  /** The kinds of resources, and their units. */
  public enum Kind {
    /** GPUs; a fraction of one counts as that. */
    GPU(1000),
    /** CPU cores. */
    CPU(1000),
    /** Host memory, in bytes. */
    MEMORY(1);

    private final int perUnit;

    Kind(int perUnit) {
      this.perUnit = perUnit;
    }
  }

  /** All GPUs, of whatever model. */
  public static final QuotaResource GPUS = new QuotaResource(Kind.GPU, Optional.empty());

  /** CPU cores. */
  public static final QuotaResource CPU = new QuotaResource(Kind.CPU, Optional.empty());

  /** Host memory in bytes. */
  public static final QuotaResource MEMORY = new QuotaResource(Kind.MEMORY, Optional.empty());

  /**
   * Checks the resource.
   *
   * @throws IllegalArgumentException if something else than GPUs has a model
   */
  public QuotaResource {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(model, "model");
    if (kind != Kind.GPU && model.isPresent()) {
      throw new IllegalArgumentException(
          "only GPUs have a model, but %s was given '%s'".formatted(kind, model.get()));
    }
  }

  /** Returns the GPUs of one model. */
  public static QuotaResource gpus(GpuModel model) {
    return new QuotaResource(Kind.GPU, Optional.of(model));
  }

  /** Returns the number of smallest counted amounts in one GPU, core or byte. */
  public int perUnit() {
    return kind.perUnit;
  }

  /**
   * Returns an amount of GPUs, cores or bytes in the smallest amounts that are counted: thousandths
   * of a GPU or a core, or bytes; {@link Long#MAX_VALUE} if there is no end to it.
   */
  public long smallest(double units) {
    return Math.round(units * kind.perUnit);
  }

  @Override
  public int compareTo(QuotaResource other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : nameOfModel().compareTo(other.nameOfModel());
  }

  private String nameOfModel() {
    return model.map(GpuModel::name).orElse("");
  }

  /** Returns the resource as messages name it, such as {@code GPUs of model A100}. */
  @Override
  public String toString() {
    return switch (kind) {
      case GPU -> model.map(name -> "GPUs of model " + name).orElse("GPUs");
      case CPU -> "CPU";
      case MEMORY -> kind.name().toLowerCase(Locale.ROOT);
    };
  }
}
