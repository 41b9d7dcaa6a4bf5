package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The classes that a model knows, numbered, and the nearest of them to one it does not. */
final class ClassIndex {
  private final List<WorkloadClass> classes;
  private final Map<WorkloadClass, Integer> numbers = new LinkedHashMap<>();

  ClassIndex(List<WorkloadClass> classes) {
    this.classes = List.copyOf(classes);
    for (int number = 0; number < classes.size(); number++) {
      if (numbers.put(classes.get(number), number) != null) {
        throw new IllegalArgumentException(
            "a class must be listed once, but is twice: " + classes.get(number));
      }
    }
  }

  int size() {
    return classes.size();
  }

  OptionalInt numberOf(WorkloadClass workload) {
    Integer number = numbers.get(workload);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /** Returns the class of the same family whose batch size is nearest, the first of equals. */
  OptionalInt nearestInFamily(WorkloadClass workload) {
    int best = -1;
    for (int number = 0; number < classes.size(); number++) {
      WorkloadClass candidate = classes.get(number);
      if (candidate.family().equals(workload.family())
          && (best < 0
              || workload.doublingsTo(candidate) < workload.doublingsTo(classes.get(best)))) {
        best = number;
      }
    }
    return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
  }
}
