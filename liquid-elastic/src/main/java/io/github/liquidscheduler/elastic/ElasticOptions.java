package io.github.liquidscheduler.elastic;

import java.time.Duration;

/** Times and sizes of an elastic job. The defaults suit mini-batches of tenths of a second. */
public final class ElasticOptions {
  private final Duration allowance;
  private final Duration joinTimeout;
  private final Duration suspectAfter;
  private final Duration stragglerCooldown;
  private final Duration snapshotInterval;
  private final Duration leaseTimeToLive;
  private final Duration leaseRenewal;
  private final int initialWorkers;
  private final int epochs;
  private final int shardPrefetch;

  private ElasticOptions(Builder builder) {
    allowance = builder.allowance;
    joinTimeout = builder.joinTimeout;
    suspectAfter = builder.suspectAfter;
    stragglerCooldown = builder.stragglerCooldown;
    snapshotInterval = builder.snapshotInterval;
    leaseTimeToLive = builder.leaseTimeToLive;
    leaseRenewal = builder.leaseRenewal;
    initialWorkers = builder.initialWorkers;
    epochs = builder.epochs;
    shardPrefetch = builder.shardPrefetch;
  }

  /** Returns a builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the notice that workers get of a switch. */
  public Duration allowance() {
    return allowance;
  }

  /** Returns the time limit for a new worker to be ready. */
  public Duration joinTimeout() {
    return joinTimeout;
  }

  /**
   * Returns the time for which a mini-batch may miss a worker before it is suspected; eight
   * medians, if that is longer.
   */
  public Duration suspectAfter() {
    return suspectAfter;
  }

  /** Returns the time after one straggler until the next is looked for. */
  public Duration stragglerCooldown() {
    return stragglerCooldown;
  }

  /** Returns the interval at which the leader saves its state. */
  public Duration snapshotInterval() {
    return snapshotInterval;
  }

  /** Returns the time for which a leader leads without renewing its lease. */
  public Duration leaseTimeToLive() {
    return leaseTimeToLive;
  }

  /** Returns the interval at which the leader renews its lease. */
  public Duration leaseRenewal() {
    return leaseRenewal;
  }

  /** Returns the number of workers of the first topology. */
  public int initialWorkers() {
    return initialWorkers;
  }

  /** Returns the number of passes over the data. */
  public int epochs() {
    return epochs;
  }

  /** Returns the number of shards that a worker holds at a time. */
  public int shardPrefetch() {
    return shardPrefetch;
  }

  /**
   * Collects options; what is not set keeps its default. A time longer than a century counts as
   * one.
   */
  public static final class Builder {
    private static final Duration CENTURY = Duration.ofDays(36_525);

    private Duration allowance = Duration.ofMillis(500);
    private Duration joinTimeout = Duration.ofMinutes(2);
    private Duration suspectAfter = Duration.ofSeconds(10);
    private Duration stragglerCooldown = Duration.ofMinutes(10);
    private Duration snapshotInterval = Duration.ofSeconds(5);
    private Duration leaseTimeToLive = Duration.ofSeconds(5);
    private Duration leaseRenewal = Duration.ofMillis(1500);
    private int initialWorkers = 1;
    private int epochs = 1;
    private int shardPrefetch = 2;

    private Builder() {}

    /** Sets how long before a switch every worker is told of it; half a second unless set. */
    public Builder allowance(Duration value) {
      allowance = positive("allowance", value);
      return this;
    }

    /** Sets how long a new worker may take until it is ready; 2 min unless set. */
    public Builder joinTimeout(Duration value) {
      joinTimeout = positive("joinTimeout", value);
      return this;
    }

    /**
     * Sets how long a mini-batch may miss a worker before that is suspected; eight medians, if that
     * is longer; 10 s unless set.
     */
    public Builder suspectAfter(Duration value) {
      suspectAfter = positive("suspectAfter", value);
      return this;
    }

    /** Sets how long after one straggler the next is looked for; 10 min unless set. */
    public Builder stragglerCooldown(Duration value) {
      stragglerCooldown = positive("stragglerCooldown", value);
      return this;
    }

    /** Sets how often the leader saves its state; 5 s unless set. */
    public Builder snapshotInterval(Duration value) {
      snapshotInterval = positive("snapshotInterval", value);
      return this;
    }

    /** Sets how long a leader leads without renewing its lease; 5 s unless set. */
    public Builder leaseTimeToLive(Duration value) {
      leaseTimeToLive = positive("leaseTimeToLive", value);
      return this;
    }

    /** Sets how often the leader renews its lease; 1.5 s unless set. */
    public Builder leaseRenewal(Duration value) {
      leaseRenewal = positive("leaseRenewal", value);
      return this;
    }

    /** Sets how many workers the first topology waits for; 1 unless set. */
    public Builder initialWorkers(int value) {
      initialWorkers = positive("initialWorkers", value);
      return this;
    }

    /** Sets how many passes over the data are trained; 1 unless set. */
    public Builder epochs(int value) {
      epochs = positive("epochs", value);
      return this;
    }

    /** Sets how many shards a worker holds at a time; 2 unless set. */
    public Builder shardPrefetch(int value) {
      shardPrefetch = positive("shardPrefetch", value);
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if a lease would end before it is renewed
     */
    public ElasticOptions build() {
      if (leaseRenewal.compareTo(leaseTimeToLive) >= 0) {
        throw new IllegalArgumentException(
            "leaseRenewal must be shorter than leaseTimeToLive, %s, but was %s"
                .formatted(leaseTimeToLive, leaseRenewal));
      }
      return new ElasticOptions(this);
    }

    private static Duration positive(String name, Duration value) {
      if (!value.isPositive()) {
        throw new IllegalArgumentException(name + " must be positive, but was " + value);
      }
      return value.compareTo(CENTURY) < 0 ? value : CENTURY;
    }

    private static int positive(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " must be at least 1, but was " + value);
      }
      return value;
    }
  }
}
