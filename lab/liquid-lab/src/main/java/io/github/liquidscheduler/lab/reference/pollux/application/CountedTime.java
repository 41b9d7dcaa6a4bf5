package io.github.liquidscheduler.lab.reference.pollux.application;

import static java.util.Comparator.comparingInt;

import java.util.Comparator;
import java.util.List;

/**
 * The step time of all layouts with the same numbers at a local batch size. In order of nodes, then
 * GPUs, then local batch size.
 *
 * @param nodes the number of nodes
 * @param gpus the number of GPUs
 * @param localBatch the batch size of each GPU
 * @param time their mean step time
 */
record CountedTime(int nodes, int gpus, int localBatch, StepTime time)
    implements Comparable<CountedTime> {

  private static final Comparator<CountedTime> ORDER =
      comparingInt(CountedTime::nodes)
          .thenComparingInt(CountedTime::gpus)
          .thenComparingInt(CountedTime::localBatch);

  /** Returns the mean of times with the same numbers, of which there is at least one. */
  static CountedTime mean(List<CountedTime> times) {
    CountedTime first = times.get(0);
    return new CountedTime(
        first.nodes,
        first.gpus,
        first.localBatch,
        StepTime.mean(times.stream().map(CountedTime::time).toList()));
  }

  @Override
  public int compareTo(CountedTime other) {
    return ORDER.compare(this, other);
  }
}
