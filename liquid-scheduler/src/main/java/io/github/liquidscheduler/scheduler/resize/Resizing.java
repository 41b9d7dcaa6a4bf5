package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A pending size change of a job that still runs at its old placement.
 *
 * @param running the placement until the switch
 * @param leaving the tasks that it gives up at the switch; empty if it only grows
 * @param ready whether it is about to switch
 */
public record Resizing(Placement running, Optional<Placement> leaving, boolean ready) {

  /** Returns the change from one placement to another. */
  public static Resizing of(Placement from, Placement to) {
    return new Resizing(from, leaving(from, Optional.empty(), to), false);
  }

  /** Returns this change with target {@code next} in place of {@code instead}. */
  public Resizing redirected(Placement instead, Placement next) {
    return new Resizing(running, leaving(instead, leaving, next), false);
  }

  /** Returns this change, about to switch. */
  public Resizing atSwitch() {
    return new Resizing(running, leaving, true);
  }

  /** Returns the number of GPUs that it gives up. */
  public int leavingGpus() {
    return leaving.map(Placement::gpus).orElse(0);
  }

  private static Optional<Placement> leaving(
      Placement held, Optional<Placement> alreadyLeaving, Placement next) {
    List<TaskPlacement> tasks = new ArrayList<>();
    alreadyLeaving.ifPresent(placement -> tasks.addAll(placement.tasks()));
    List<TaskPlacement> without = new ArrayList<>(next.tasks());
    without.removeIf(task -> !task.gpus().isEmpty());
    held.tasks().stream().filter(task -> !stays(task, next, without)).forEach(tasks::add);
    return tasks.isEmpty() ? Optional.empty() : Optional.of(new Placement(next.job(), tasks));
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

  /** Saves the change. */
  public void save(SnapshotSection.Builder section) {
    section.put("running", running).put("ready", ready);
    leaving.ifPresent(placement -> section.put("leaving", placement));
  }

  /** Returns the saved change, if any. */
  public static Optional<Resizing> load(SnapshotSection.Reader in) {
    Optional<Placement> leaving = in.optional("leaving", Placement.class);
    return in.optional("running", Placement.class)
        .map(
            running ->
                new Resizing(running, leaving, in.optional("ready", Boolean.class).orElse(false)));
  }
}
