package io.github.liquidscheduler.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** Splits a list into runs of neighbours that belong together. */
final class Runs {

  private Runs() {}

  /**
   * Returns the runs in order, each of the greatest length; {@code extendsRun} tells whether an
   * element belongs to the run that ends before it.
   */
  static <T> List<List<T>> of(List<T> elements, BiPredicate<List<T>, T> extendsRun) {
    List<List<T>> runs = new ArrayList<>();
    for (T element : elements) {
      if (runs.isEmpty() || !extendsRun.test(runs.getLast(), element)) {
        runs.add(new ArrayList<>());
      }
      runs.getLast().add(element);
    }
    return runs;
  }
}
