package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.phase.ResizedTasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The steps in which a running elastic job gets smaller, one allowed size after the other. */
public final class SizeSteps {

  private SizeSteps() {}

  /** Returns true if the tasks of a job depend on each other beyond their number. */
  public static boolean areInSlices(JobSpec job) {
    return !job.topology().slices().isEmpty()
        || job.roles().stream().anyMatch(role -> !role.topology().slices().isEmpty());
  }

  /**
   * Returns true if a job began to get smaller at this very time, so that it may still get smaller
   * than that.
   */
  public static boolean isShrinking(JobEntry job, Instant now) {
    return job.history().sizedAt().equals(now)
        && job.resizing()
            .filter(change -> !change.ready() && change.leaving().isPresent())
            .filter(
                change ->
                    ResizedTasks.leaving(change.to(), Optional.empty(), change.running()).isEmpty())
            .isPresent();
  }

  /**
   * Returns what the job gives up with each step, as far as its tasks in {@code given} go; the last
   * tasks of each role first.
   */
  public static List<Surplus> of(
      JobEntry job, List<TaskPlacement> given, ClusterTopology topology) {
    List<List<TaskPlacement>> left = byRole(job.job(), given);
    List<Surplus> steps = new ArrayList<>();
    RoleCounts from = job.placement().orElseThrow().counts(job.job());
    for (Optional<RoleCounts> to = from.smaller(); to.isPresent(); to = from.smaller()) {
      List<Integer> kept = kept(left, from, to.get());
      if (kept.stream().anyMatch(count -> count < 0)) {
        return steps;
      }
      steps.add(Surplus.some(job, cut(left, kept), topology));
      from = to.get();
    }
    return steps;
  }

  /** Returns how many of the tasks left of each role are left after a step. */
  private static List<Integer> kept(
      List<List<TaskPlacement>> left, RoleCounts from, RoleCounts to) {
    List<Integer> kept = new ArrayList<>();
    for (int role = 0; role < left.size(); role++) {
      kept.add(left.get(role).size() - from.tasks().get(role) + to.tasks().get(role));
    }
    return kept;
  }

  /** Returns the surplus without the given tasks; empty if the job cannot run without them. */
  public static Optional<Surplus> without(
      JobEntry job, Set<TaskPlacement> gone, ClusterTopology topology) {
    List<TaskPlacement> tasks =
        job.placement().orElseThrow().tasks().stream()
            .filter(task -> !gone.contains(task))
            .toList();
    List<List<TaskPlacement>> left = byRole(job.job(), tasks);
    Optional<RoleCounts> kept =
        RoleCounts.within(job.job(), left.stream().map(List::size).toList());
    kept.ifPresent(counts -> cut(left, counts.tasks()));
    return kept.flatMap(counts -> Surplus.of(job, numbered(job, left), topology));
  }

  /** Removes the last tasks of each role beyond the given counts. */
  private static List<TaskPlacement> cut(List<List<TaskPlacement>> byRole, List<Integer> kept) {
    List<TaskPlacement> cut = new ArrayList<>();
    for (int role = 0; role < kept.size(); role++) {
      List<TaskPlacement> gone = byRole.get(role).subList(kept.get(role), byRole.get(role).size());
      cut.addAll(gone);
      gone.clear();
    }
    return cut;
  }

  private static List<List<TaskPlacement>> byRole(JobSpec job, List<TaskPlacement> tasks) {
    Map<String, List<TaskPlacement>> byRole = new LinkedHashMap<>();
    job.roles().forEach(role -> byRole.put(role.name(), new ArrayList<>()));
    for (TaskPlacement task : tasks) {
      byRole.computeIfAbsent(task.task().role(), any -> new ArrayList<>()).add(task);
    }
    return List.copyOf(byRole.values());
  }

  private static Placement numbered(JobEntry job, List<List<TaskPlacement>> byRole) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (List<TaskPlacement> role : byRole) {
      int index = 0;
      for (TaskPlacement task : role) {
        TaskId id = new TaskId(task.task().role(), index++);
        tasks.add(new TaskPlacement(id, task.node(), task.gpus(), task.request()));
      }
    }
    return new Placement(job.id(), tasks);
  }
}
