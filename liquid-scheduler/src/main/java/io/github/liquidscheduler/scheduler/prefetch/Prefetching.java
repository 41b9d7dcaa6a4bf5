package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Chooses which data sets to bring to which nodes before jobs start there, so that GPUs do not idle
 * while a launch reads. After Liquid's pre-scheduling (Gu et al., TPDS 33(11), 2022, section 5.1),
 * which begins the next job's launch when the running job has no more than that launch and 15 s to
 * go.
 *
 * <p>Where that looks at one GPU and one job, this looks ahead with the scheduler itself ({@link
 * Scheduler#whatIf}): running jobs end when they are expected to, and whoever would start then
 * needs its data set on the nodes where it would start. A copy is begun as late as it still arrives
 * in time, behind those that are needed before it on the path from the storage, which all share:
 * the later it begins, the more is known. It is cancelled when nobody is expected to need it any
 * more. What is planned fits into the room of each node.
 *
 * <p>It is asked by whoever moves data, after any event and when {@link PrefetchPlan#lookAgain}
 * says, beside the scheduler: what is asked is no event, changes no decision, and needs no journal.
 * Same calls, same answers. Costs a look ahead, as a {@linkplain Scheduler#copy copy} and as many
 * events. Immutable.
 */
public final class Prefetching {
  private final Bandwidth path;
  private final Duration slack;
  private final int lookAhead;
  private final int mostAtOnce;
  private final double leastGain;

  private Prefetching(Builder builder) {
    path = builder.path;
    slack = builder.slack;
    lookAhead = builder.lookAhead;
    mostAtOnce = builder.mostAtOnce;
    leastGain = builder.leastGain;
  }

  /**
   * Returns a builder.
   *
   * @param path what prefetches may take of the path from the storage, all together
   * @throws IllegalArgumentException if that is nothing
   */
  public static Builder over(Bandwidth path) {
    return new Builder(path);
  }

  /**
   * Returns what to do now.
   *
   * @param scheduler who decides where jobs start; it is not changed
   * @param locality which copies are there, and what room
   * @param underWay the transfers that were begun and have not arrived
   * @param now the present
   * @throws UnsupportedOperationException if the scheduler cannot look ahead
   */
  public PrefetchPlan plan(
      Scheduler scheduler, DataLocality locality, List<Transfer> underWay, Instant now) {
    ExpectedReads reads = ExpectedReads.of(scheduler, lookAhead);
    List<Transfer> keep = underWay.stream().filter(reads::isExpected).toList();
    List<Transfer> cancel = underWay.stream().filter(it -> !reads.isExpected(it)).toList();
    TransferQueue queue = new TransferQueue(this, locality, keep, now);
    reads.inOrder().forEach(queue::offer);
    return new PrefetchPlan(queue.begun(), keep, cancel, queue.lookAgain());
  }

  Bandwidth path() {
    return path;
  }

  Duration slack() {
    return slack;
  }

  int mostAtOnce() {
    return mostAtOnce;
  }

  double leastGain() {
    return leastGain;
  }

  /** Builds {@link Prefetching}. Not thread-safe. */
  public static final class Builder {
    private final Bandwidth path;
    private Duration slack = Duration.ofSeconds(15);
    private int lookAhead = 64;
    private int mostAtOnce = 4;
    private double leastGain = 1;

    private Builder(Bandwidth path) {
      this.path = Objects.requireNonNull(path, "path");
      if (path.bytesPerSecond() < 1) {
        throw new IllegalArgumentException(
            "the path from the storage must have a bandwidth, but had " + path);
      }
    }

    /**
     * Sets how much earlier than needed a copy is to arrive; 15 s by default, as in Liquid.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder slack(Duration slack) {
      if (slack.isNegative()) {
        throw new IllegalArgumentException("a slack must not be negative, but was " + slack);
      }
      this.slack = slack;
      return this;
    }

    /**
     * Sets how many expected ends are looked ahead; 64 by default.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Builder lookAhead(int ends) {
      lookAhead = requirePositive(ends, "the ends looked ahead");
      return this;
    }

    /**
     * Sets how many copies are under way at once; four by default.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Builder mostAtOnce(int transfers) {
      mostAtOnce = requirePositive(transfers, "the transfers at once");
      return this;
    }

    /**
     * Sets how many GPU-seconds a copy has to save; one by default.
     *
     * @throws IllegalArgumentException if it is not positive and finite
     */
    public Builder leastGain(double gpuSeconds) {
      if (!(gpuSeconds > 0) || Double.isInfinite(gpuSeconds)) {
        throw new IllegalArgumentException(
            "the least gain must be positive and finite, but was " + gpuSeconds);
      }
      leastGain = gpuSeconds;
      return this;
    }

    /** Returns the rules. */
    public Prefetching build() {
      return new Prefetching(this);
    }

    private static int requirePositive(int number, String what) {
      if (number < 1) {
        throw new IllegalArgumentException(what + " must be at least 1, but were " + number);
      }
      return number;
    }
  }
}
