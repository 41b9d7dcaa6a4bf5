package io.github.liquidscheduler.cli.output;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Placements for people: {@code node-0[0-7], node-1[0,2]} instead of one entry for each task. */
public final class PlacementText {

  private static final int MOST_NODES = 6;

  private PlacementText() {}

  /** Returns the nodes of each role with the numbers of its GPUs there; several roles are named. */
  public static String of(Placement placement) {
    Map<String, Map<String, SortedSet<Integer>>> roles = new LinkedHashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      roles
          .computeIfAbsent(task.task().role(), role -> new LinkedHashMap<>())
          .computeIfAbsent(task.node().value(), node -> new TreeSet<>())
          .addAll(task.gpus());
    }
    return roles.entrySet().stream()
        .map(role -> nodes(role.getValue()) + (roles.size() == 1 ? "" : " (" + role.getKey() + ")"))
        .collect(Collectors.joining(", "));
  }

  private static String nodes(Map<String, SortedSet<Integer>> gpus) {
    String shown =
        gpus.entrySet().stream()
            .limit(MOST_NODES)
            .map(node -> node.getKey() + numbers(node.getValue()))
            .collect(Collectors.joining(", "));
    int hidden = gpus.size() - MOST_NODES;
    return hidden <= 0 ? shown : "%s and %d more nodes".formatted(shown, hidden);
  }

  private static String numbers(SortedSet<Integer> gpus) {
    if (gpus.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    List<Integer> ascending = List.copyOf(gpus);
    for (int first = 0; first < ascending.size(); ) {
      int end = first + 1;
      while (end < ascending.size() && ascending.get(end) == ascending.get(end - 1) + 1) {
        end++;
      }
      text.append(first == 0 ? "" : ",").append(ascending.get(first));
      text.append(end - first == 1 ? "" : "-" + ascending.get(end - 1));
      first = end;
    }
    return "[" + text + "]";
  }
}
