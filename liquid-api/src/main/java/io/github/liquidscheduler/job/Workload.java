package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The computation of a job: the features that every predictor learns from. Only the model family is
 * required. Immutable.
 */
public final class Workload {

  /** The workload of a job about which nothing is known. */
  public static final Workload UNKNOWN = builder("unknown").build();

  private final String family;
  private final @Nullable String framework;
  private final @Nullable Integer batchSize;
  private final @Nullable String precision;
  private final @Nullable String dataset;
  private final Map<String, String> hyperparameters;
  // Workloads are keys of what is known of jobs, and looked up for each pair of them.
  private final int hash;

  private Workload(Builder builder) {
    family = builder.family;
    framework = builder.framework;
    batchSize = builder.batchSize;
    precision = builder.precision;
    dataset = builder.dataset;
    hyperparameters = Collections.unmodifiableMap(new TreeMap<>(builder.hyperparameters));
    hash = Objects.hash(family, framework, batchSize, precision, dataset, hyperparameters);
  }

  /**
   * Returns a builder of a workload of the model family {@code family}, such as {@code resnet50}.
   *
   * @throws IllegalArgumentException if {@code family} is blank
   */
  public static Builder builder(String family) {
    return new Builder(family);
  }

  /** Returns the model family, such as {@code resnet50}; never blank. */
  public String family() {
    return family;
  }

  /** Returns the framework, such as {@code pytorch}. */
  public Optional<String> framework() {
    return Optional.ofNullable(framework);
  }

  /** Returns the number of samples that one task processes per iteration, at least 1. */
  public OptionalInt batchSize() {
    return batchSize == null ? OptionalInt.empty() : OptionalInt.of(batchSize);
  }

  /** Returns the numeric precision, such as {@code fp16}. */
  public Optional<String> precision() {
    return Optional.ofNullable(precision);
  }

  /** Returns the name of the data set trained on. */
  public Optional<String> dataset() {
    return Optional.ofNullable(dataset);
  }

  /** Returns the hyper-parameters in the order of their names. */
  public Map<String, String> hyperparameters() {
    return hyperparameters;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof Workload that && isLike(that));
  }

  private boolean isLike(Workload that) {
    return hash == that.hash
        && family.equals(that.family)
        && Objects.equals(framework, that.framework)
        && Objects.equals(batchSize, that.batchSize)
        && Objects.equals(precision, that.precision)
        && Objects.equals(dataset, that.dataset)
        && hyperparameters.size() == that.hyperparameters.size()
        && (hyperparameters.isEmpty() || hyperparameters.equals(that.hyperparameters));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return batchSize == null ? family : family + " (batch " + batchSize + ")";
  }

  /** Builds a {@link Workload}. Not thread-safe. */
  public static final class Builder {
    private final String family;
    private @Nullable String framework;
    private @Nullable Integer batchSize;
    private @Nullable String precision;
    private @Nullable String dataset;
    private final Map<String, String> hyperparameters = new TreeMap<>();

    private Builder(String family) {
      this.family = Text.requireName(family, "a workload's model family");
    }

    /** Sets the framework, such as {@code pytorch}. */
    public Builder framework(String framework) {
      this.framework = Text.require(framework, "a workload's framework");
      return this;
    }

    /**
     * Sets the number of samples that one task processes per iteration.
     *
     * @throws IllegalArgumentException if {@code batchSize} is less than 1
     */
    public Builder batchSize(int batchSize) {
      if (batchSize < 1) {
        throw new IllegalArgumentException(
            "a batch size must be at least 1, but was " + batchSize + ", for " + family);
      }
      this.batchSize = batchSize;
      return this;
    }

    /** Sets the numeric precision, such as {@code fp16}. */
    public Builder precision(String precision) {
      this.precision = Text.require(precision, "a workload's precision");
      return this;
    }

    /** Sets the name of the data set trained on. */
    public Builder dataset(String dataset) {
      this.dataset = Text.require(dataset, "a workload's data set");
      return this;
    }

    /** Sets one hyper-parameter; a later value replaces an earlier one. */
    public Builder hyperparameter(String name, String value) {
      hyperparameters.put(
          Text.require(name, "a hyper-parameter's name"),
          Text.require(value, "a hyper-parameter's value"));
      return this;
    }

    /** Returns the workload. */
    public Workload build() {
      return new Workload(this);
    }
  }
}
