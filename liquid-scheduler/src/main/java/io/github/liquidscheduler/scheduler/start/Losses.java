package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
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
import java.util.Set;

/**
 * What running jobs lose one after the other: of jobs of equal rank first what each has above its
 * smallest size, task by task, then whole jobs (KAI-Scheduler's victim units). Where sizes do not
 * change, whole jobs.
 */
final class Losses {

  private final JobTable table;

  Losses(JobTable table) {
    this.table = table;
  }

  /** Returns what may be lost, of jobs in the order in which they would leave. */
  Iterator<? extends MakeRoom.Candidate> of(Iterator<JobEntry> lastFirst) {
    if (!table.changesSizes()) {
      return lastFirst;
    }
    List<MakeRoom.Candidate> units = new ArrayList<>();
    List<MakeRoom.Candidate> whole = new ArrayList<>();
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

  /** Returns the same losses, whole jobs task by task. */
  List<MakeRoom.Candidate> units(List<? extends MakeRoom.Candidate> lost) {
    List<MakeRoom.Candidate> units = new ArrayList<>();
    for (MakeRoom.Candidate each : lost) {
      if (each instanceof JobEntry job) {
        of(List.of(job).iterator()).forEachRemaining(units::add);
      } else {
        units.add(each);
      }
    }
    return units;
  }

  private void split(JobEntry job, List<MakeRoom.Candidate> units, List<MakeRoom.Candidate> whole) {
    List<Integer> sizes = job.job().parallelism().allowedSizes();
    Placement has = job.placement().orElseThrow();
    int size = job.size(has);
    if (!mayShrink(job) || size <= sizes.getFirst()) {
      whole.add(job);
      return;
    }
    for (int smaller : sizes.reversed()) {
      if (smaller < size) {
        units.add(cut(job, has, has.tasks().subList(smaller, size), false));
        size = smaller;
      }
    }
    List<TaskPlacement> rest = new ArrayList<>(has.tasks());
    rest.removeAll(has.tasks().subList(size, job.size(has)));
    whole.add(cut(job, has, rest, true));
  }

  private boolean mayShrink(JobEntry job) {
    return table.elastic().all().contains(job)
        && table.elastic().mayChange(job)
        && job.job().topology().slices().isEmpty();
  }

  private TaskCut cut(JobEntry job, Placement has, List<TaskPlacement> tasks, boolean isLast) {
    return TaskCut.of(job, new Placement(has.job(), tasks), table.cluster().topology(), isLast);
  }

  /** Returns what a queue holds less once something is lost. */
  Charge charge(MakeRoom.Candidate lost) {
    return lost instanceof TaskCut cut
        ? table.quotas().charge(cut.given(), table.cluster().topology())
        : table.quotas().charge((JobEntry) lost);
  }

  /** Returns the job that loses something. */
  static JobEntry job(MakeRoom.Candidate lost) {
    return lost instanceof TaskCut cut ? cut.job() : (JobEntry) lost;
  }

  /** Returns the same, job by job: who leaves, and who goes on with fewer tasks. */
  List<MakeRoom.Candidate> byJob(List<MakeRoom.Candidate> lost) {
    Map<JobEntry, Set<TaskPlacement>> cuts = new LinkedHashMap<>();
    Set<JobEntry> whole = new LinkedHashSet<>();
    for (MakeRoom.Candidate each : lost) {
      JobEntry job = job(each);
      Set<TaskPlacement> gone = cuts.computeIfAbsent(job, any -> new LinkedHashSet<>());
      if (each instanceof TaskCut cut && !cut.isLast()) {
        gone.addAll(cut.given().tasks());
      } else {
        whole.add(job);
      }
    }
    List<MakeRoom.Candidate> byJob = new ArrayList<>();
    cuts.forEach((job, gone) -> byJob.add(whole.contains(job) ? job : shrunk(job, gone)));
    return byJob;
  }

  private MakeRoom.Candidate shrunk(JobEntry job, Set<TaskPlacement> gone) {
    Placement has = job.placement().orElseThrow();
    int size = job.size(has);
    List<TaskPlacement> stay = new ArrayList<>(has.tasks().subList(0, size));
    stay.removeAll(gone);
    int kept = job.job().parallelism().largestWithin(stay.size()).orElseThrow();
    List<TaskPlacement> tasks = new ArrayList<>();
    for (TaskPlacement task : stay.subList(0, kept)) {
      TaskId id = new TaskId(task.task().role(), tasks.size());
      tasks.add(new TaskPlacement(id, task.node(), task.gpus(), task.request()));
    }
    tasks.addAll(has.tasks().subList(size, has.tasks().size()));
    return Surplus.of(job, new Placement(has.job(), tasks), table.cluster().topology())
        .orElseThrow();
  }
}
