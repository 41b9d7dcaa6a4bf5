package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A change of a running job's size that is under way: it still runs where it did.
 *
 * @param running where it runs until it has switched
 * @param leaving what it holds and will not have once it has; empty if it only gets larger
 * @param ready whether it is about to switch
 */
public record Resizing(Placement running, Optional<Placement> leaving, boolean ready) {

  /** Returns the change of a job that runs at {@code from} to {@code to}. */
  public static Resizing of(Placement from, Placement to) {
    return new Resizing(from, leaving(from, Optional.empty(), to), false);
  }

  /** Returns this change if the job shall have {@code next} instead of what it was to have. */
  public Resizing redirected(Placement instead, Placement next) {
    return new Resizing(running, leaving(instead, leaving, next), false);
  }

  /** Returns this change of a job that is about to switch. */
  public Resizing atSwitch() {
    return new Resizing(running, leaving, true);
  }

  /** Returns the GPUs that it holds and will not have. */
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
   * Returns whether a task is there afterwards: it keeps its GPUs, or it has none and is one of as
   * many on its node.
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

  /** Writes it. */
  public void save(SnapshotSection.Builder section) {
    section.put("running", running).put("ready", ready);
    leaving.ifPresent(placement -> section.put("leaving", placement));
  }

  /** Returns what {@link #save} has written, if anything was. */
  public static Optional<Resizing> load(SnapshotSection.Reader in) {
    Optional<Placement> leaving = in.optional("leaving", Placement.class);
    return in.optional("running", Placement.class)
        .map(
            running ->
                new Resizing(running, leaving, in.optional("ready", Boolean.class).orElse(false)));
  }
}
