package io.github.liquidscheduler.resource;

import io.github.liquidscheduler.text.Text;
import org.jspecify.annotations.Nullable;

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
   * @throws IllegalArgumentException if {@code name} is blank or not Unicode
   */
  public GpuModel {
    Text.requireName(name, "a GPU model's name");
  }

  /** Returns the model called {@code name}. */
  public static GpuModel of(String name) {
    return new GpuModel(name);
  }

  @Override
  public int compareTo(GpuModel other) {
    return name.compareTo(other.name);
  }

  // These two are asked very often, and by a JVM that has just started too.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof GpuModel that && name.equals(that.name));
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
