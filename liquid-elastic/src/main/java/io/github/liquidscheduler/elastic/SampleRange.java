package io.github.liquidscheduler.elastic;

/**
 * Consecutive samples of a data set.
 *
 * @param epoch the pass over the data, from 0
 * @param from the first sample
 * @param to one past the last sample; {@code from} for none
 */
public record SampleRange(int epoch, long from, long to) {

  /** Refuses negative and reversed ranges. */
  public SampleRange {
    if (epoch < 0 || from < 0 || to < from) {
      throw new IllegalArgumentException(
          "A range needs 0 <= from <= to in an epoch from 0, but was %d..%d in epoch %d"
              .formatted(from, to, epoch));
    }
  }

  /** Returns the number of samples. */
  public long size() {
    return to - from;
  }

  /** Returns true if it holds none. */
  public boolean isEmpty() {
    return from == to;
  }
}
