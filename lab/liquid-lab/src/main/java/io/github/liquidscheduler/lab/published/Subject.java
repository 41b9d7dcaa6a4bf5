package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.lab.baseline.BaselinePlacers;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;

/**
 * A placer of this library that stands for a column of a published table.
 *
 * @param placer the name of the placer, as {@link Placers#named} knows it
 * @param column the column of the table; empty if there is none
 * @param workersFirst whether the published run gave its scheduler the workers before the server
 */
public record Subject(String placer, String column, boolean workersFirst) {

  /** The placer that all others are compared with. */
  public static final Subject OURS = new Subject("least-cost", "", false);

  /**
   * The placers of Liquid's evaluation. Its description of a HiveD job lists both workers and then
   * the server, each a group of its own; the one of a Kubernetes job lists the server first.
   */
  static final List<Subject> ALL =
      List.of(
          OURS,
          new Subject("liquid", "Liquid", false),
          new Subject("random", "random", false),
          new Subject("even-spread", "even", false),
          new Subject("least-allocated", "Kubernetes", false),
          new Subject("pack", "", false),
          new Subject("buddy-cells", "HiveD", true));

  Placer make(long seed) {
    return BaselinePlacers.named(placer, seed);
  }
}
