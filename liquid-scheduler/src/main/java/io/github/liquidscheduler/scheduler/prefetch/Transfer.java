package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;

/**
 * A copy on its way to its node.
 *
 * @param copy the copy
 * @param moved how much of it is there, at most all of it
 */
public record Transfer(DataCopy copy, Memory moved) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if more was moved than there is
   */
  public Transfer {
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(moved, "moved");
    if (moved.compareTo(copy.dataset().size()) > 0) {
      throw new IllegalArgumentException(
          "a transfer must have moved %s at most, but had moved %s, of data set '%s'"
              .formatted(copy.dataset().size(), moved, copy.dataset().name()));
    }
  }

  long remainingBytes() {
    return copy.dataset().size().bytes() - moved.bytes();
  }
}
