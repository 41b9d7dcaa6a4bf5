package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.elastic.Surplus;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/*
 * Idea: an elastic job loses its surplus in size steps before any job of its rank stops, so that
 * victims are split into units and merged again by job at the end.
 * Invariants: the units of a job add up to its placement; merged, a job either stops or keeps an
 * allowed size with tasks numbered from 0; without size changes every unit is a job.
 * ElasticQueueLaws.
 * Cost: O(1) for a job without size changes; else O(tasks) to split it, in one pass over the jobs.
 * Source: KAI-Scheduler's victim units.
 */
/**
 * The units in which running jobs lose resources: among jobs of equal rank first the tasks above
 * the smallest size, one size step at a time, then the jobs: KAI-Scheduler's victim units. Whole
 * jobs if sizes do not change.
 */
final class ResourceLoss {

  private static final Optional<RoleCounts> NONE = Optional.empty();

  private final JobTable table;

  ResourceLoss(JobTable table) {
    this.table = table;
  }

  /** Returns the units of the jobs, in eviction order. */
  Iterator<? extends EvictionSearch.Candidate> of(Iterator<JobEntry> lastFirst) {
    if (!table.changesSizes()) {
      return lastFirst;
    }
    List<EvictionSearch.Candidate> units = new ArrayList<>();
    List<EvictionSearch.Candidate> whole = new ArrayList<>();
    long rank = Long.MIN_VALUE;
    while (lastFirst.hasNext()) {
      JobEntry job = lastFirst.next();
      if (job.rank() != rank) {
        units.addAll(whole);
        whole.clear();
        rank = job.rank();
      }
      split(job, units, whole);
    }
    units.addAll(whole);
    return units.iterator();
  }

  /** Returns the units of the given losses, jobs split by size step. */
  List<? extends EvictionSearch.Candidate> units(List<? extends EvictionSearch.Candidate> lost) {
    if (!table.changesSizes()) {
      return lost;
    }
    List<EvictionSearch.Candidate> units = new ArrayList<>();
    for (EvictionSearch.Candidate each : lost) {
      if (each instanceof JobEntry job) {
        of(List.of(job).iterator()).forEachRemaining(units::add);
      } else {
        units.add(each);
      }
    }
    return units;
  }

  private void split(
      JobEntry job, List<EvictionSearch.Candidate> units, List<EvictionSearch.Candidate> whole) {
    Placement has = job.placement().orElseThrow();
    Optional<RoleCounts> smaller = mayShrink(job) ? has.counts(job.job()).smaller() : NONE;
    if (smaller.isEmpty()) {
      whole.add(job);
      return;
    }
    List<List<TaskPlacement>> byRole = byRole(job, has.tasks());
    while (smaller.isPresent()) {
      units.add(some(job, cut(byRole, smaller.get().tasks())));
      smaller = smaller.get().smaller();
    }
    whole.add(some(job, byRole.stream().flatMap(List::stream).toList()));
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

  private static List<List<TaskPlacement>> byRole(JobEntry job, List<TaskPlacement> tasks) {
    Map<String, List<TaskPlacement>> byRole = new LinkedHashMap<>();
    job.job().roles().forEach(role -> byRole.put(role.name(), new ArrayList<>()));
    for (TaskPlacement task : tasks) {
      byRole.computeIfAbsent(task.task().role(), any -> new ArrayList<>()).add(task);
    }
    return List.copyOf(byRole.values());
  }

  private boolean mayShrink(JobEntry job) {
    return table.elastic().all().contains(job)
        && table.elastic().mayChange(job)
        && job.job().topology().slices().isEmpty()
        && job.job().roles().stream().allMatch(role -> role.topology().slices().isEmpty());
  }

  private Surplus some(JobEntry job, List<TaskPlacement> tasks) {
    return Surplus.some(job, tasks, table.cluster().topology());
  }

  /** Returns the charge that a loss releases. */
  Charge charge(EvictionSearch.Candidate lost) {
    return switch (lost) {
      case Victim victim -> victim.charge();
      case Surplus some -> table.quotas().charge(some.given(), table.cluster().topology());
      default -> table.quotas().charge((JobEntry) lost);
    };
  }

  /** Returns the job that loses. */
  static JobEntry job(EvictionSearch.Candidate lost) {
    return switch (lost) {
      case Victim victim -> victim.job();
      case Surplus some -> some.job();
      default -> (JobEntry) lost;
    };
  }

  /** Returns the losses merged by job: whole jobs, and jobs that continue with fewer tasks. */
  LeavingSearch.Result<EvictionSearch.Candidate> byJob(
      LeavingSearch.Result<EvictionSearch.Candidate> found) {
    Map<JobEntry, Set<TaskPlacement>> gone = new LinkedHashMap<>();
    for (EvictionSearch.Candidate each : found.leaving()) {
      EvictionSearch.Candidate lost = each instanceof Victim victim ? victim.lost() : each;
      Placement given = lost instanceof Surplus some ? some.given() : held(job(lost));
      gone.computeIfAbsent(job(lost), any -> new LinkedHashSet<>()).addAll(given.tasks());
    }
    List<EvictionSearch.Candidate> byJob = new ArrayList<>();
    gone.forEach((job, tasks) -> byJob.add(table.changesSizes() ? without(job, tasks) : job));
    return new LeavingSearch.Result<>(found.placement(), byJob);
  }

  private static Placement held(JobEntry job) {
    return job.placement().orElseThrow();
  }

  /** Returns the surplus without the given tasks; the whole job if it cannot run without them. */
  private EvictionSearch.Candidate without(JobEntry job, Set<TaskPlacement> gone) {
    List<List<TaskPlacement>> byRole =
        byRole(job, held(job).tasks().stream().filter(task -> !gone.contains(task)).toList());
    Optional<RoleCounts> kept =
        RoleCounts.within(job.job(), byRole.stream().map(List::size).toList());
    if (kept.isEmpty()) {
      return job;
    }
    cut(byRole, kept.get().tasks());
    return Surplus.of(job, numbered(job, byRole), table.cluster().topology()).orElseThrow();
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
