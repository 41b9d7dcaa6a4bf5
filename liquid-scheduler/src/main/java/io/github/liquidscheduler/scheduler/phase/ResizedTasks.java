package io.github.liquidscheduler.scheduler.phase;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Finds the tasks that a job gives up when it changes its placement. */
public final class ResizedTasks {

  private ResizedTasks() {}

  /**
   * Returns the tasks to give up at the switch: those given up already, and those of {@code held}
   * that do not remain in {@code next}.
   */
  public static Optional<Placement> leaving(
      Placement held, Optional<Placement> alreadyLeaving, Placement next) {
    List<TaskPlacement> tasks = new ArrayList<>();
    alreadyLeaving.ifPresent(placement -> tasks.addAll(placement.tasks()));
    List<TaskPlacement> without = new ArrayList<>(next.tasks());
    without.removeIf(task -> !task.gpus().isEmpty());
    held.tasks().stream().filter(task -> !stays(task, next, without)).forEach(tasks::add);
    return tasks.isEmpty() ? Optional.empty() : Optional.of(new Placement(next.job(), tasks));
  }

  /**
   * Returns the tasks that are at another place after a move, or hold another part of a GPU; tasks
   * of one role with equal parts of equal GPUs on one node are alike.
   */
  static Optional<Placement> elsewhere(Placement from, Placement to) {
    List<TaskPlacement> next = new ArrayList<>(to.tasks());
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskPlacement task : from.tasks()) {
      Optional<TaskPlacement> same =
          next.stream()
              .filter(other -> isOneOf(other, task) && other.gpus().equals(task.gpus()))
              .filter(other -> other.request().share().equals(task.request().share()))
              .findFirst();
      same.ifPresentOrElse(next::remove, () -> tasks.add(task));
    }
    return tasks.isEmpty() ? Optional.empty() : Optional.of(new Placement(to.job(), tasks));
  }

  /**
   * Returns true if a task remains: it keeps its GPUs or, without GPUs, is among those on its node.
   */
  private static boolean stays(
      TaskPlacement task, Placement next, List<TaskPlacement> withoutGpus) {
    if (task.gpus().isEmpty()) {
      return withoutGpus.stream()
          .filter(other -> isOneOf(other, task))
          .findFirst()
          .map(withoutGpus::remove)
          .orElse(false);
    }
    return next.tasks().stream()
        .anyMatch(
            other -> isOneOf(other, task) && !Collections.disjoint(other.gpus(), task.gpus()));
  }

  private static boolean isOneOf(TaskPlacement one, TaskPlacement other) {
    return one.node().equals(other.node()) && one.task().role().equals(other.task().role());
  }
}
