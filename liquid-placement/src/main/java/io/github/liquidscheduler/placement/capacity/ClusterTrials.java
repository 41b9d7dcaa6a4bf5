package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.network.LinkLoads;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: trials suspend and resume jobs in place instead of copying the cluster.
 * Invariants: the beginning and the end of a trial are inverses and keep order; no job may start or
 * end while one is suspended (ClusterStateLaws).
 * Cost: O(GPUs of the job's nodes x levels + links crossed). Traffic of suspended jobs leaves the
 * loads only when these are read.
 * Rejected: a copy of the cluster for each trial, O(nodes + jobs).
 */
/** Trials on a cluster: what would fit without some jobs, or with others. */
public final class ClusterTrials {

  private final ClusterState state;
  private final PlacedJobs placed;
  // Suspended jobs whose traffic is still in the loads, until these are read.
  private final Set<JobId> stillSending = new LinkedHashSet<>();
  // How to end each trial that has begun, in the order of their beginnings.
  private final SequencedMap<Object, Runnable> trials = new LinkedHashMap<>();

  /** A trial in which the amounts of these very tasks are taken, or given up. */
  @SuppressWarnings("ReferenceEquality") // equal tasks may be given up twice
  private record Amounts(Placement tasks, boolean taken) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Amounts same && same.tasks == tasks && same.taken == taken;
    }

    @Override
    public int hashCode() {
      return tasks.job().hashCode();
    }
  }

  /** A trial in which a job is placed. */
  private record Tentative(JobId job) {}

  ClusterTrials(ClusterState state, PlacedJobs placed) {
    this.state = state;
    this.placed = placed;
  }

  /** Removes the traffic of suspended jobs from the loads. */
  void stopSending(LinkLoads loads) {
    stillSending.forEach(loads::removeIfAdded);
    stillSending.clear();
  }

  /**
   * Frees the amounts of some tasks of an exclusive job until {@link #takeBack}; the view shows the
   * job unchanged.
   */
  public void giveUp(Placement tasks) {
    state.books().giveBack(tasks);
    if (trials.remove(new Amounts(tasks, true)) == null) {
      trials.put(new Amounts(tasks, false), () -> takeBack(tasks));
    }
  }

  /**
   * Ends a {@link #giveUp} of the same object, or takes the amounts of some tasks until they are
   * given up.
   */
  public void takeBack(Placement tasks) {
    state.books().take(tasks);
    if (trials.remove(new Amounts(tasks, false)) == null) {
      trials.put(new Amounts(tasks, true), () -> giveUp(tasks));
    }
  }

  /**
   * Ends all trials ({@link #giveUp}, {@link #suspend}, {@link #suspendCapacity}, {@link
   * #applyTentatively}) that an exception has left open, the latest first.
   */
  public void endAll() {
    List.copyOf(trials.reversed().values()).forEach(Runnable::run);
  }

  /**
   * Frees the capacity of a job until {@link #resume}, to see what would fit without it. The view
   * shows it neither as running nor as a resident; it keeps its position among both.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspend(JobId job) {
    suspendCapacity(job);
    stillSending.add(job);
    trials.put(job, () -> resume(job));
  }

  /**
   * Ends a {@link #suspend}: the job holds its capacity again.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resume(JobId job) {
    PlacedJob back = back(job);
    if (!stillSending.remove(job)) {
      placed.job(job).ifPresent(spec -> state.loadsAsTheyAre().add(spec, back.placement()));
    }
  }

  /**
   * Frees the capacity of a job as {@link #suspend} does, but keeps its traffic. {@link
   * #resumeCapacity} and {@link #withdraw} undo exactly, so that trials change no later answer.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspendCapacity(JobId job) {
    PlacedJob leaving = placed.suspend(job);
    state.books().giveBack(leaving.held(state.topology()));
    state.regroup(leaving.placement());
    trials.put(job, () -> resumeCapacity(job));
  }

  /**
   * Ends a {@link #suspendCapacity}.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resumeCapacity(JobId job) {
    back(job);
  }

  private PlacedJob back(JobId job) {
    PlacedJob back = placed.resume(job);
    trials.remove(job);
    state.books().take(back.held(state.topology()));
    state.regroup(back.placement());
    return back;
  }

  /**
   * Places a job without its traffic, until {@link #withdraw}. It is the last of those running. A
   * job that is suspended may be placed elsewhere, and is shown there; it is not resumed meanwhile.
   *
   * @throws IllegalStateException if the job is placed so already, or the placement does not fit;
   *     nothing is then changed
   */
  public void applyTentatively(JobSpec job, Placement placement) {
    JobSpec sized = placement.sized(job);
    placed.addTentatively(sized, placement);
    boolean isDone = false;
    try {
      state.books().add(placement);
      isDone = true;
    } finally {
      if (!isDone) {
        placed.removeTentative(job.id());
      }
    }
    state.regroup(placement);
    trials.put(new Tentative(placement.job()), () -> withdraw(placement.job()));
  }

  /**
   * Ends an {@link #applyTentatively}.
   *
   * @throws IllegalStateException if the job is not placed so
   */
  public void withdraw(JobId job) {
    Placement placement = placed.removeTentative(job);
    trials.remove(new Tentative(job));
    state.books().remove(placement);
    state.regroup(placement);
  }
}
