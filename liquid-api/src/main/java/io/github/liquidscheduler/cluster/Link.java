package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.resource.Bandwidth;
import java.time.Duration;
import java.util.Objects;

/**
 * A full-duplex network link.
 *
 * @param bandwidth the capacity in each direction, more than zero
 * @param latency the time a first byte needs, not negative
 */
public record Link(Bandwidth bandwidth, Duration latency) {

  /** A link that never limits. */
  public static final Link UNLIMITED = new Link(Bandwidth.UNLIMITED, Duration.ZERO);

  /**
   * Checks the link.
   *
   * @throws IllegalArgumentException if the bandwidth is zero or the latency negative
   */
  public Link {
    Objects.requireNonNull(bandwidth, "bandwidth");
    Objects.requireNonNull(latency, "latency");
    if (bandwidth.bytesPerSecond() == 0) {
      throw new IllegalArgumentException("a link's bandwidth must be more than zero");
    }
    if (latency.isNegative()) {
      throw new IllegalArgumentException(
          "a link's latency must not be negative, but was " + latency);
    }
  }

  /** Returns a link of this bandwidth without latency. */
  public static Link of(Bandwidth bandwidth) {
    return new Link(bandwidth, Duration.ZERO);
  }
}
