package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.liquidscheduler.elastic.Partitioning;
import java.security.MessageDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of what others may do to an agent over its connections. A peer that exceeds one loses
 * its connection.
 */
public final class ConnectionOptions {
  private static final int LEAST_LINE_BYTES = 1 << 20;
  private static final int LINE_BYTES_PER_PARTITION = 512;
  private static final int QUEUED_LINES = 16;

  private final @Nullable String token;
  private final int maxConnections;
  private final int maxLineBytes;
  private final long maxQueuedBytes;
  private final Duration silenceTimeout;

  private ConnectionOptions(Builder builder) {
    token = builder.token;
    maxConnections = builder.maxConnections;
    maxLineBytes = builder.maxLineBytes;
    maxQueuedBytes = builder.maxQueuedBytes;
    silenceTimeout = builder.silenceTimeout;
  }

  /** Returns the defaults. */
  public static ConnectionOptions defaults() {
    return builder().build();
  }

  /** Returns a builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  int maxConnections() {
    return maxConnections;
  }

  /** Returns the bytes of the longest line; unless set, what a ledger of this size may need. */
  private int maxLineBytes(Partitioning partitioning) {
    long needed = LEAST_LINE_BYTES + (long) LINE_BYTES_PER_PARTITION * partitioning.partitions();
    return maxLineBytes > 0 ? maxLineBytes : (int) Math.min(needed, Integer.MAX_VALUE - 8);
  }

  private long maxQueuedBytes(Partitioning partitioning) {
    return maxQueuedBytes > 0 ? maxQueuedBytes : QUEUED_LINES * (long) maxLineBytes(partitioning);
  }

  LineConnection.Bounds bounds(Partitioning partitioning) {
    return new LineConnection.Bounds(
        maxLineBytes(partitioning), maxQueuedBytes(partitioning), silenceTimeout);
  }

  Duration silenceTimeout() {
    return silenceTimeout;
  }

  @Nullable String token() {
    return token;
  }

  /** Returns true if this is the token, in a time that does not tell how much of it is right. */
  boolean accepts(@Nullable String offered) {
    return token == null
        || (offered != null
            && MessageDigest.isEqual(token.getBytes(UTF_8), offered.getBytes(UTF_8)));
  }

  /** Collects options; what is not set keeps its default. */
  public static final class Builder {
    private @Nullable String token;
    private int maxConnections = 1024;
    private int maxLineBytes;
    private long maxQueuedBytes;
    private Duration silenceTimeout = Duration.ofSeconds(30);

    private Builder() {}

    /**
     * Sets what training processes and agents have to know to be listened to; nothing unless set.
     * It crosses the network as it is.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public Builder token(String value) {
      if (value.isBlank()) {
        throw new IllegalArgumentException("token must not be blank");
      }
      token = value;
      return this;
    }

    /**
     * Sets how many training processes and agents may be connected to one agent; 1,024 unless set.
     * Where more come, those give way that have not yet said who they are.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder maxConnections(int value) {
      maxConnections = (int) positive("maxConnections", value);
      return this;
    }

    /**
     * Sets how many bytes a line may have; 1 MiB and 512 bytes for each partition of the data
     * unless set.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder maxLineBytes(int value) {
      maxLineBytes = (int) positive("maxLineBytes", value);
      return this;
    }

    /**
     * Sets how many bytes may wait for a peer that does not read them; 16 of the longest lines
     * unless set.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder maxQueuedBytes(long value) {
      maxQueuedBytes = positive("maxQueuedBytes", value);
      return this;
    }

    /**
     * Sets for how long a peer may neither say who it is nor read what it is sent; 30 s unless set.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder silenceTimeout(Duration value) {
      if (!value.isPositive()) {
        throw new IllegalArgumentException("silenceTimeout must be positive, but was " + value);
      }
      silenceTimeout =
          value.compareTo(Duration.ofDays(36_525)) < 0 ? value : Duration.ofDays(36_525);
      return this;
    }

    /** Returns the options. */
    public ConnectionOptions build() {
      return new ConnectionOptions(this);
    }

    private static long positive(String name, long value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " must be at least 1, but was " + value);
      }
      return value;
    }
  }
}
