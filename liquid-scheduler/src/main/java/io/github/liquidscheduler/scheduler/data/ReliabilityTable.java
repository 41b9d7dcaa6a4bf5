package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A reliability table: the observed frequency of true predictions by predicted probability class.
 * Starts with a prior close to the predictions. Mutable.
 */
final class ReliabilityTable {
  /** The lower bounds of the classes. */
  private static final double[] FROM = {0, .5, .7, .85, 1};

  /** The number of classes. */
  static final int CLASSES = FROM.length;

  /** The prior frequency of each class. */
  private static final double[] BELIEVED = {.25, .6, .78, .92, .97};

  private static final double WEIGHT_OF_BELIEF = 4;
  private static final double MOST_SEEN = 200;

  private final double[] hits = new double[FROM.length];
  private final double[] seen = new double[FROM.length];

  ReliabilityTable copy() {
    ReliabilityTable copy = new ReliabilityTable();
    System.arraycopy(hits, 0, copy.hits, 0, hits.length);
    System.arraycopy(seen, 0, copy.seen, 0, seen.length);
    return copy;
  }

  void observe(double predicted, boolean cameTrue) {
    int at = classOf(predicted);
    hits[at] += cameTrue ? 1 : 0;
    seen[at]++;
    if (seen[at] > MOST_SEEN) {
      hits[at] /= 2;
      seen[at] /= 2;
    }
  }

  double probability(double predicted) {
    int at = classOf(predicted);
    return (hits[at] + WEIGHT_OF_BELIEF * BELIEVED[at]) / (seen[at] + WEIGHT_OF_BELIEF);
  }

  /** Returns the class of a predicted probability. */
  static int classOf(double predicted) {
    int at = FROM.length - 1;
    while (predicted < FROM[at]) {
      at--;
    }
    return at;
  }

  void save(SnapshotSection.Builder section) {
    section.list("hits", list(hits), each -> each).list("seen", list(seen), each -> each);
  }

  void load(SnapshotSection.Reader in) {
    fill(hits, in.list("hits", Double.class, each -> each));
    fill(seen, in.list("seen", Double.class, each -> each));
    for (int i = 0; i < hits.length; i++) {
      if (!(hits[i] >= 0 && hits[i] <= seen[i] && seen[i] <= MOST_SEEN)) {
        throw new IllegalArgumentException(
            "of predictions as many must be seen as came true, but were %s of %s"
                .formatted(Arrays.toString(hits), Arrays.toString(seen)));
      }
    }
  }

  static List<Double> list(double[] values) {
    return DoubleStream.of(values).boxed().toList();
  }

  static void fill(double[] values, List<Double> saved) {
    if (saved.size() != values.length) {
      throw new IllegalArgumentException(
          "predictions must be of %d classes, but were of %s".formatted(values.length, saved));
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = saved.get(i);
    }
  }
}
