package io.github.liquidscheduler.lab.baseline.hived;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.lab.baseline.BaselinePlacers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.TaskByTaskPlacer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Buddy cells with virtual clusters (Zhao et al., HiveD, OSDI 2020). A virtual cluster owns so many
 * cells of one size, wherever they are. The first task in a cell binds it: until the last is gone,
 * no other virtual cluster gets a GPU of it. A guaranteed job runs in the cells of its queue, bound
 * ones first, and binds a cell only where all others could still have those that they own and have
 * not bound, once opportunistic jobs are stopped. An opportunistic job runs on whatever is free.
 * Guaranteed jobs take whole GPUs; one that asks for a share finds no place.
 *
 * <p>Differs from the paper: a virtual cluster has cells of one size, which is why nothing has to
 * be remembered; cells lie within nodes; and that others can have theirs is looked up for each
 * candidate and does not follow from the order of allocation. GPUs count alike, whatever their
 * model. Looks at every node, for every task and node.
 */
public final class VirtualClusterPlacer implements Placer {

  private final Map<QueueName, Owned> owned;
  private final TaskByTaskPlacer anywhere = BaselinePlacers.buddyCells();

  private VirtualClusterPlacer(Map<QueueName, Owned> owned) {
    this.owned = new LinkedHashMap<>(owned);
  }

  /** Returns the placer for queues and what they own. */
  public static VirtualClusterPlacer of(Map<QueueName, Owned> owned) {
    return new VirtualClusterPlacer(owned);
  }

  /**
   * What a virtual cluster owns.
   *
   * @param gpus the GPUs of a cell, a power of two
   * @param cells how many cells
   */
  public record Owned(int gpus, int cells) {}

  /** Returns the GPUs of the cells owned that the cluster, when it is empty, cannot provide. */
  public long missingFrom(ClusterState empty) {
    BoundCells bound = new BoundCells(owned, empty);
    return bound.unbound(queue -> true).missingFrom(bound.supply());
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    if (isOpportunistic(job)) {
      return anywhere.place(view, job);
    }
    if (!owned.containsKey(job.queue()) || sharesGpus(job)) {
      return Optional.empty();
    }
    ClusterState state = ClusterState.of(view);
    OwnCells cells = new OwnCells(new BoundCells(owned, state), job.queue());
    return TaskByTaskPlacer.by(cells).withCells(cells::cell).withoutFallback().place(state, job);
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement place) {
    if (isOpportunistic(job)) {
      return true;
    }
    return owned.containsKey(job.queue())
        && !sharesGpus(job)
        && new OwnCells(new BoundCells(owned, ClusterState.of(view)), job.queue()).admit(place);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    int asked = job.roles().stream().mapToInt(TaskRole::gpus).sum();
    int left = isOpportunistic(job) ? Integer.MAX_VALUE : left(view, job);
    return asked <= left
        ? UnmetConstraintSearch.explain(this, view, job)
        : List.of(
            new UnmetConstraint(
                Constraint.GPUS,
                "cells of the virtual cluster '" + job.queue() + "'",
                asked,
                left,
                Optional.empty()));
  }

  /** Returns the GPUs of its queue's cells that the job could have. */
  private int left(ClusterView view, JobSpec job) {
    @Nullable Owned own = owned.get(job.queue());
    boolean fits =
        own != null && job.roles().stream().allMatch(role -> role.request().gpus() <= own.gpus());
    return fits ? new BoundCells(owned, ClusterState.of(view)).left(job.queue()) : 0;
  }

  private static boolean sharesGpus(JobSpec job) {
    return job.roles().stream().anyMatch(role -> role.request().share().isPresent());
  }

  static boolean isOpportunistic(JobSpec job) {
    return job.sharing() instanceof Sharing.Opportunistic;
  }
}
