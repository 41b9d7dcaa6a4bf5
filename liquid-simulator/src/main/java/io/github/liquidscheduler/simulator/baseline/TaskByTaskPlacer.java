package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.DevicePicker;
import io.github.liquidscheduler.placement.gang.GangSearch;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.NodeChoice;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Places a gang task by task, each on the node with the highest score, as common schedulers do.
 * Tasks go in the order of roles and indices; of equal scores the first node is taken. Costs tasks
 * times nodes. Placements are whole and keep every requirement, but a greedy choice may miss one
 * that exists: on an idle cluster {@link BestFitPlacer} then places the job.
 */
public final class TaskByTaskPlacer implements Placer {

  private final NodeScore score;
  private final @Nullable Function<NodeScore.Candidate, NodeRange> cells;
  private final boolean interleaves;
  private final boolean fallsBack;

  private TaskByTaskPlacer(
      NodeScore score,
      @Nullable Function<NodeScore.Candidate, NodeRange> cells,
      boolean interleaves,
      boolean fallsBack) {
    this.score = score;
    this.cells = cells;
    this.interleaves = interleaves;
    this.fallsBack = fallsBack;
  }

  /** Returns a placer that puts each task on the node of the highest score. */
  public static TaskByTaskPlacer by(NodeScore score) {
    return new TaskByTaskPlacer(score, null, false, true);
  }

  /** Returns a placer that gives each task the first GPUs of a block of free ones of its node. */
  public TaskByTaskPlacer withCells(Function<NodeScore.Candidate, NodeRange> chosen) {
    return new TaskByTaskPlacer(score, chosen, interleaves, fallsBack);
  }

  /** Returns a placer that places servers and workers in turn. */
  public TaskByTaskPlacer interleaving() {
    return new TaskByTaskPlacer(score, cells, true, fallsBack);
  }

  /** Returns a placer that leaves a job it misses waiting, also on an idle cluster. */
  public TaskByTaskPlacer withoutFallback() {
    return new TaskByTaskPlacer(score, cells, interleaves, false);
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    CapacityIndex index = ClusterState.of(view).index();
    GangShape gang = new GangShape(job, index);
    List<String> levels = index.topology().levels();
    if (!levels.containsAll(gang.topology().requiredLevels())
        || gang.wholeGpus() > index.freeGpus()) {
      return Optional.empty();
    }
    int required = levels.indexOf(job.topology().required().orElse(ClusterTopology.CLUSTER));
    for (List<GpuPool> pools : gang.choices(index.pools())) {
      for (int level = required; level < levels.size(); level++) {
        @Nullable Placement placement = new Attempt(index, gang).inSomeDomain(level, pools);
        if (placement != null) {
          return Optional.of(placement);
        }
      }
    }
    return fallsBack && view.runningJobs().isEmpty()
        ? BestFitPlacer.bestFit().place(view, job)
        : Optional.empty();
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return GangSearch.isInfeasible(idle, job);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return UnmetConstraintSearch.explain(this, view, job);
  }

  private static List<TaskShape> inOrder(JobSpec job) {
    List<TaskShape> tasks = new ArrayList<>(job.tasks());
    for (TaskRole role : job.roles()) {
      tasks.addAll(Collections.nCopies(role.count(), TaskShape.of(role)));
    }
    return tasks;
  }

  private final class Attempt {
    private final CapacityIndex index;
    private final GangShape gang;
    private final List<TaskShape> tasks;
    private final Picks picks;
    private final NodeChoice choice;
    private final DevicePicker devices;
    private List<Picks.Pick> placed = List.of();
    private int taskNumber;
    private @Nullable GpuPool best;
    private int bestSlot;

    Attempt(CapacityIndex index, GangShape gang) {
      this.index = index;
      this.gang = gang;
      tasks = interleaves && gang.isInterleaved() ? gang.interleaved() : inOrder(gang.job());
      picks = new Picks(index);
      choice = new NodeChoice(index, gang, picks, node -> true);
      devices = new DevicePicker(index);
    }

    @Nullable Placement inSomeDomain(int level, List<GpuPool> pools) {
      boolean isNode = level == index.topology().levels().size() - 1;
      Stream<NodeRange> domains =
          isNode
              ? IntStream.range(0, index.topology().nodes().size())
                  .mapToObj(node -> new NodeRange(node, node + 1))
              : index.nodesOf(level).stream();
      return domains
          .map(nodes -> in(nodes, pools))
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(null);
    }

    private @Nullable Placement in(NodeRange nodes, List<GpuPool> pools) {
      taskNumber = 0;
      try {
        for (TaskShape task : tasks) {
          if (!place(task, nodes, task.gpus() == 0 ? index.pools() : pools)) {
            return null;
          }
        }
        Placement placement = picks.placement(gang);
        // A greedy choice pays no heed to slices and parts, which may happen to be together.
        boolean holds =
            (gang.job().topology().slices().isEmpty() && !gang.hasParts())
                || new PlacementRules(index.topology(), gang.job()).keepsTopology(placement);
        return holds ? placement : null;
      } finally {
        picks.undoTo(0);
      }
    }

    private boolean place(TaskShape task, NodeRange nodes, List<GpuPool> pools) {
      if (task.isShare()) {
        NodeChoice.@Nullable SharedSlot shared = choice.besideOthers(task, nodes, pools, devices);
        if (shared != null) {
          picks.take(task, shared.pool(), shared.node(), 1, new int[] {shared.gpu()});
          taskNumber++;
          return true;
        }
      }
      choose(task, nodes, pools);
      if (best == null) {
        return false;
      }
      int node = best.nodeOf(bestSlot);
      picks.take(task, best, node, 1, gpus(candidate(task, best, bestSlot)));
      taskNumber++;
      return true;
    }

    private int[] gpus(NodeScore.Candidate chosen) {
      int gpus = chosen.task().gpus();
      if (cells == null || gpus == 0) {
        return devices.pick(chosen.pool(), chosen.node(), 1, gpus);
      }
      int first = cells.apply(chosen).first();
      return IntStream.range(first, first + gpus).toArray();
    }

    private NodeScore.Candidate candidate(TaskShape task, GpuPool pool, int slot) {
      return new NodeScore.Candidate(index, gang.job(), placed, taskNumber, task, pool, slot);
    }

    private void choose(TaskShape task, NodeRange nodes, List<GpuPool> pools) {
      best = null;
      double highest = Double.NEGATIVE_INFINITY;
      placed = picks.all();
      for (GpuPool pool : pools) {
        int end = pool.endSlot(nodes);
        for (int slot = pool.firstSlot(nodes); gang.allows(task, pool) && slot < end; slot++) {
          if (pool.free(slot) >= task.gpus() && choice.fitting(task, pool, slot, 1) > 0) {
            double scored = score.of(candidate(task, pool, slot));
            if (scored > highest) {
              highest = scored;
              best = pool;
              bestSlot = slot;
            }
          }
        }
      }
    }
  }
}
