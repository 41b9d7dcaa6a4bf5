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
    held.tasks().stream().filter(task -> !stays(task, next)).forEach(tasks::add);
    return tasks.isEmpty() ? Optional.empty() : Optional.of(new Placement(next.job(), tasks));
  }

  private static boolean stays(TaskPlacement task, Placement next) {
    return next.tasks().stream()
        .anyMatch(
            other ->
                other.node().equals(task.node())
                    && other.task().role().equals(task.task().role())
                    && (task.gpus().isEmpty()
                        ? other.equals(task)
                        : !Collections.disjoint(other.gpus(), task.gpus())));
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
