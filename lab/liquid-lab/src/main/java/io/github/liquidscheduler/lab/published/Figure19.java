package io.github.liquidscheduler.lab.published;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What Liquid's paper published of its batch mode (Gu et al., TPDS 33(11), 2022, figure 19), read
 * from the figure to about 1 %.
 */
public final class Figure19 {

  /** The columns that stand for schedulers that are compared here too. */
  public static final List<String> COMPARED = List.of("random", "even", "Kubernetes", "HiveD");

  private static final Table<Integer, String, Column> BY_NODES = byNodes();

  private Figure19() {}

  /**
   * What one scheduler achieved.
   *
   * @param completion mean job completion time in seconds
   * @param makespan seconds from the first start to the last end
   */
  public record Column(double completion, double makespan) {}

  /** Returns what was published of a scheduler on so many nodes, if anything. */
  public static Optional<Column> of(int nodes, String column) {
    return Optional.ofNullable(BY_NODES.get(nodes, column));
  }

  /** Returns the mean of the published completion times of those compared. */
  public static double completion(int nodes) {
    return mean(nodes, Column::completion);
  }

  /** Returns the mean of the published makespans of those compared. */
  public static double makespan(int nodes) {
    return mean(nodes, Column::makespan);
  }

  private static double mean(int nodes, ToDoubleFunction<Column> of) {
    return COMPARED.stream()
        .map(column -> of(nodes, column).orElseThrow())
        .collect(Collectors.averagingDouble(of));
  }

  private static Table<Integer, String, Column> byNodes() {
    Table<Integer, String, Column> table = HashBasedTable.create();
    put(table, 5, 776, 2002, 992, 2861, 1115, 3077, 820, 2396, 1008, 2618, 919, 2347);
    put(table, 10, 800, 2141, 998, 2974, 1010, 2976, 921, 2784, 828, 2703, 1453, 2366);
    put(table, 15, 739, 2172, 913, 2802, 933, 2543, 942, 3462, 1061, 3079, 1038, 2802);
    put(table, 20, 770, 2265, 1018, 2970, 1028, 2939, 992, 2953, 982, 2776, 937, 2887);
    return table;
  }

  private static void put(Table<Integer, String, Column> table, int nodes, int... times) {
    int next = 0;
    for (String name : List.of("Liquid", "random", "even", "Kubernetes", "Kubeflow", "HiveD")) {
      table.put(nodes, name, new Column(times[next], times[next + 1]));
      next += 2;
    }
  }
}
