package io.github.liquidscheduler.lab.published.elastic;

import java.util.List;

/**
 * What came of a comparison.
 *
 * @param label what its conditions are called
 * @param load the offered load
 * @param rows the baseline, the policies and the bounds
 */
public record ComparedConditions(String label, double load, List<ComparedAverage> rows) {

  /** Copies the rows. */
  public ComparedConditions {
    rows = List.copyOf(rows);
  }
}
