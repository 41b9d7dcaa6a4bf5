package io.github.liquidscheduler.cli.output;

import com.google.common.collect.Multimaps;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.text.Count;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Placements for people: {@code node-0[0-7], node-1[0,2]} instead of one entry for each task. */
public final class PlacementText {

  private static final int MOST_NODES = 6;

  private PlacementText() {}

  /** Returns the nodes of each role with the numbers of its GPUs there; several roles are named. */
  public static String of(Placement placement) {
    Map<String, List<TaskPlacement>> roles =
        Multimaps.asMap(Multimaps.index(placement.tasks(), task -> task.task().role()));
    return roles.entrySet().stream()
        .map(role -> nodes(role.getValue()) + (roles.size() == 1 ? "" : " (" + role.getKey() + ")"))
        .collect(Collectors.joining(", "));
  }

  private static String nodes(List<TaskPlacement> tasks) {
    Map<NodeId, List<TaskPlacement>> nodes =
        Multimaps.asMap(Multimaps.index(tasks, TaskPlacement::node));
    String shown =
        nodes.entrySet().stream()
            .limit(MOST_NODES)
            .map(node -> node.getKey().value() + gpus(node.getValue()))
            .collect(Collectors.joining(", "));
    int hidden = nodes.size() - MOST_NODES;
    return hidden <= 0 ? shown : shown + " and " + Count.of(hidden, "more node");
  }

  private static String gpus(List<TaskPlacement> tasks) {
    String gpus = ranges(tasks.stream().flatMap(task -> task.gpus().stream()).toList());
    return gpus.isEmpty() ? "" : "[" + gpus + "]";
  }

  /** Returns numbers as {@code 0-3,7}, in ascending order. */
  public static String ranges(Collection<Integer> numbers) {
    RangeSet<Integer> ranges = TreeRangeSet.create();
    numbers.forEach(number -> ranges.add(Range.closedOpen(number, number + 1)));
    return ranges.asRanges().stream().map(PlacementText::numbers).collect(Collectors.joining(","));
  }

  private static String numbers(Range<Integer> gpus) {
    int first = gpus.lowerEndpoint();
    int last = gpus.upperEndpoint() - 1;
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
