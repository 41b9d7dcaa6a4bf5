package io.github.liquidscheduler.placement.fragmentation;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The kinds of tasks that make up most of a workload, and the fragmentation that they see: the
 * target workload of the paper's section 3.
 */
final class TypicalTasks {

  /** The part of the tasks whose kinds count; rarer kinds are left out, as in the original. */
  private static final double POPULARITY = 0.95;

  private final List<TaskKind> kinds = new ArrayList<>();
  private final List<Integer> counted = new ArrayList<>();

  private TypicalTasks(Map<TaskKind, Integer> counts) {
    List<Map.Entry<TaskKind, Integer>> popular = new ArrayList<>(counts.entrySet());
    popular.sort(
        Map.Entry.<TaskKind, Integer>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey(TaskKind.ORDER)));
    long all = counts.values().stream().mapToLong(Integer::longValue).sum();
    long sum = 0;
    for (Map.Entry<TaskKind, Integer> each : popular) {
      if (sum >= POPULARITY * all) {
        break;
      }
      kinds.add(each.getKey());
      counted.add(each.getValue());
      sum += each.getValue();
    }
  }

  /** Returns the kinds of the running tasks and of a job to be placed. */
  static TypicalTasks of(ClusterView view, JobSpec job) {
    Map<TaskKind, Integer> counts = new TreeMap<>(TaskKind.ORDER);
    view.runningJobs().stream()
        .map(view::placement)
        .flatMap(Optional::stream)
        .map(Placement::tasks)
        .flatMap(List::stream)
        .map(TaskPlacement::request)
        .forEach(request -> counts.merge(TaskKind.of(request), 1, Integer::sum));
    for (TaskRole role : job.roles()) {
      counts.merge(TaskKind.of(role.request()), role.count(), Integer::sum);
    }
    return new TypicalTasks(counts);
  }

  /**
   * Returns the thousandths of GPUs of a node that a task cannot use, summed over the tasks of the
   * workload: all of the remainder if it does not fit there or needs no GPU, else the parts on GPUs
   * with too little left. The paper has the mean; the sum is exact, so that equal nodes are equal.
   */
  long fragmentation(Remainder node) {
    long total = node.total();
    long sum = 0;
    for (int i = 0; i < kinds.size(); i++) {
      TaskKind task = kinds.get(i);
      boolean isServed = task.gpus() > 0 && node.serves(task);
      sum += counted.get(i) * (isServed ? node.tooSmallFor(task) : total);
    }
    return sum;
  }
}
