package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.elastic.SizeSteps;
import io.github.liquidscheduler.scheduler.elastic.Surplus;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.LazyIterator;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
record ResourceLoss(JobTable table) {

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
    Set<TaskPlacement> rest = new LinkedHashSet<>(held(job).tasks());
    List<Surplus> steps =
        mayShrink(job)
            ? SizeSteps.of(job, held(job).tasks(), table.cluster().topology())
            : List.of();
    steps.forEach(step -> rest.removeAll(step.given().tasks()));
    units.addAll(steps);
    whole.add(
        steps.isEmpty() ? job : Surplus.some(job, List.copyOf(rest), table.cluster().topology()));
  }

  private boolean mayShrink(JobEntry job) {
    return table.elastic().all().contains(job)
        && (table.elastic().mayChange(job) || SizeSteps.isShrinking(job, table.now()))
        && !SizeSteps.areInSlices(job.job());
  }

  /** Returns the charge that a loss releases. */
  Charge charge(EvictionSearch.Candidate lost) {
    return switch (lost) {
      case Victim victim -> victim.charge();
      case Surplus some -> table.quotas().charge(some.given());
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
    Map<JobEntry, EvictionSearch.Candidate> byJob = new LinkedHashMap<>();
    for (EvictionSearch.Candidate each : found.leaving()) {
      EvictionSearch.Candidate lost = each instanceof Victim victim ? victim.lost() : each;
      byJob.putIfAbsent(job(lost), lost);
      if (lost instanceof Surplus some && some.kept().isEmpty()) {
        gone.computeIfAbsent(some.job(), any -> new LinkedHashSet<>()).addAll(some.given().tasks());
      }
    }
    gone.forEach((job, tasks) -> byJob.put(job, without(job, tasks)));
    return new LeavingSearch.Result<>(found.placement(), List.copyOf(byJob.values()));
  }

  /** Returns units of which a usage takes note while they are removed, under no rule of reclaim. */
  Iterator<Victim> counted(Iterator<? extends EvictionSearch.Candidate> units, Victim.Usage use) {
    return new LazyIterator<>() {
      @Override
      protected @Nullable Victim find() {
        return units.hasNext() ? counted(units.next(), use) : null;
      }
    };
  }

  private Victim counted(EvictionSearch.Candidate unit, Victim.Usage use) {
    return new Victim(unit, charge(unit), Optional.empty(), use);
  }

  /** Returns the usage that decides about admissions, after losses. */
  HypotheticalUsage without(List<EvictionSearch.Candidate> lost) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    lost.forEach(unit -> use.hold(job(unit).account(), charge(unit), -1));
    return use;
  }

  private EvictionSearch.Candidate without(JobEntry job, Set<TaskPlacement> gone) {
    Optional<Surplus> surplus = SizeSteps.without(job, gone, table.cluster().topology());
    return surplus.isPresent() ? surplus.get() : job;
  }

  private static Placement held(JobEntry job) {
    return job.placement().orElseThrow();
  }
}
