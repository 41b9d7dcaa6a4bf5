package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.List;

/**
 * A class, and the known classes that stand for it.
 *
 * @param workload the class
 * @param shares the known classes and how much each counts
 * @param provenance how well they stand for it
 */
record Resemblance(WorkloadClass workload, List<Share> shares, Provenance provenance) {

  /** A known class and how much of another it stands for. */
  record Share(int number, double weight) {}

  /** Returns a class that one known class stands for. */
  static Resemblance to(int number, WorkloadClass workload, Provenance provenance) {
    return new Resemblance(workload, List.of(new Share(number, 1)), provenance);
  }
}
