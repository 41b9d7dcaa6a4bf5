package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.text.Text;
import java.util.Objects;

/**
 * A data set (or image, or checkpoint) that can be brought to a node before the job starts.
 *
 * @param name the name the embedder knows it by, not blank
 * @param size how much has to be moved
 */
public record Dataset(String name, Memory size) {

  /**
   * Checks the data set.
   *
   * @throws IllegalArgumentException if {@code name} is blank or not Unicode
   */
  public Dataset {
    Objects.requireNonNull(size, "size");
    Text.requireName(name, "a data set's name");
  }
}
