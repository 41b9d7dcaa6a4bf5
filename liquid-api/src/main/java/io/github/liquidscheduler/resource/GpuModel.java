package io.github.liquidscheduler.resource;

import java.util.Objects;

/**
 * The name of a GPU model, such as {@code V100} or {@code A100-80GB}. Compared exactly; models are
 * whatever the cluster says they are.
 *
 * @param name the name, not blank
 */
public record GpuModel(String name) implements Comparable<GpuModel> {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if {@code name} is blank
   */
  public GpuModel {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("a GPU model must have a name, but it was blank");
    }
  }

  /** Returns the model called {@code name}. */
  public static GpuModel of(String name) {
    return new GpuModel(name);
  }

  @Override
  public int compareTo(GpuModel other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
