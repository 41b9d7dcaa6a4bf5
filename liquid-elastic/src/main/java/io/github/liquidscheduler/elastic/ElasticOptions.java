package io.github.liquidscheduler.elastic;

import java.time.Duration;

/**
 * Times and sizes of an elastic job. The defaults suit mini-batches of tenths of a second. A time
 * longer than a century counts as one.
 *
 * @param allowance the notice that workers get of a switch
 * @param joinTimeout the time limit for a new worker to be ready
 * @param suspectAfter the time for which a mini-batch may miss a worker before it is suspected;
 *     eight medians, if that is longer
 * @param stragglerCooldown the time after one straggler until the next is looked for
 * @param snapshotInterval the interval at which the leader saves its state
 * @param leaseTimeToLive the time for which a leader leads without renewing its lease
 * @param leaseRenewal the interval at which the leader renews its lease
 * @param initialWorkers the number of workers of the first topology
 * @param epochs the number of passes over the data
 * @param shardPrefetch the number of shards that a worker holds at a time
 */
public record ElasticOptions(
    Duration allowance,
    Duration joinTimeout,
    Duration suspectAfter,
    Duration stragglerCooldown,
    Duration snapshotInterval,
    Duration leaseTimeToLive,
    Duration leaseRenewal,
    int initialWorkers,
    int epochs,
    int shardPrefetch) {

  private static final Duration CENTURY = Duration.ofDays(36_525);

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if one is not positive, or a lease would end before it is
   *     renewed
   */
  public ElasticOptions {
    allowance = positive("allowance", allowance);
    joinTimeout = positive("joinTimeout", joinTimeout);
    suspectAfter = positive("suspectAfter", suspectAfter);
    stragglerCooldown = positive("stragglerCooldown", stragglerCooldown);
    snapshotInterval = positive("snapshotInterval", snapshotInterval);
    leaseTimeToLive = positive("leaseTimeToLive", leaseTimeToLive);
    leaseRenewal = positive("leaseRenewal", leaseRenewal);
    requirePositive("initialWorkers", initialWorkers);
    requirePositive("epochs", epochs);
    requirePositive("shardPrefetch", shardPrefetch);
    if (leaseRenewal.compareTo(leaseTimeToLive) >= 0) {
      throw new IllegalArgumentException(
          "leaseRenewal must be shorter than leaseTimeToLive, %s, but was %s"
              .formatted(leaseTimeToLive, leaseRenewal));
    }
  }

  private static Duration positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, but was " + value);
    }
    return value.compareTo(CENTURY) < 0 ? value : CENTURY;
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but was " + value);
    }
  }

  /** Returns a builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects options; what is not set keeps its default. */
  public static final class Builder {
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
      allowance = value;
      return this;
    }

    /** Sets how long a new worker may take until it is ready; 2 min unless set. */
    public Builder joinTimeout(Duration value) {
      joinTimeout = value;
      return this;
    }

    /**
     * Sets how long a mini-batch may miss a worker before that is suspected; eight medians, if that
     * is longer; 10 s unless set.
     */
    public Builder suspectAfter(Duration value) {
      suspectAfter = value;
      return this;
    }

    /** Sets how long after one straggler the next is looked for; 10 min unless set. */
    public Builder stragglerCooldown(Duration value) {
      stragglerCooldown = value;
      return this;
    }

    /** Sets how often the leader saves its state; 5 s unless set. */
    public Builder snapshotInterval(Duration value) {
      snapshotInterval = value;
      return this;
    }

    /** Sets how long a leader leads without renewing its lease; 5 s unless set. */
    public Builder leaseTimeToLive(Duration value) {
      leaseTimeToLive = value;
      return this;
    }

    /** Sets how often the leader renews its lease; 1.5 s unless set. */
    public Builder leaseRenewal(Duration value) {
      leaseRenewal = value;
      return this;
    }

    /** Sets how many workers the first topology waits for; 1 unless set. */
    public Builder initialWorkers(int value) {
      initialWorkers = value;
      return this;
    }

    /** Sets how many passes over the data are trained; 1 unless set. */
    public Builder epochs(int value) {
      epochs = value;
      return this;
    }

    /** Sets how many shards a worker holds at a time; 2 unless set. */
    public Builder shardPrefetch(int value) {
      shardPrefetch = value;
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if one is not positive, or a lease would end before it is
     *     renewed
     */
    public ElasticOptions build() {
      return new ElasticOptions(
          allowance,
          joinTimeout,
          suspectAfter,
          stragglerCooldown,
          snapshotInterval,
          leaseTimeToLive,
          leaseRenewal,
          initialWorkers,
          epochs,
          shardPrefetch);
    }
  }
}
