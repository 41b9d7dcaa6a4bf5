package io.github.liquidscheduler.planner.colocation;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.colocation.search.ColocationSearch;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Assigns many waiting jobs of one task to co-runners, all at once: as many as possible, those that
 * must not be bypassed before all others, at the least total cost by the rule. Each GPU gets one
 * candidate job at most.
 *
 * <p>It is a minimum-cost flow from kinds of jobs to kinds of co-runners ({@link ColocationFlow}),
 * so its size does not grow with the number of jobs or GPUs. Only where jobs may not use all GPUs
 * of a set of co-runners, for their labels or for want of CPU or host memory, may fewer get a place
 * than could.
 */
final class ColocationAssignment {

  /** How many kinds of co-runners, the cheapest, are looked at for each kind of job. */
  private static final int MOST_OPTIONS = 64;

  private final ClusterState state;
  private final ColocationPlacer placer;
  private final Predicate<JobSpec> deferrable;

  /**
   * Makes an assignment to the co-runners of a cluster.
   *
   * @param deferrable which jobs may as well wait
   */
  ColocationAssignment(ClusterState state, ColocationPlacer placer, Predicate<JobSpec> deferrable) {
    this.state = state;
    this.placer = placer;
    this.deferrable = deferrable;
  }

  /**
   * Returns placements of jobs beside others; they conflict at most in CPU and host memory of
   * nodes.
   *
   * @param jobs jobs of one task that may share, in turn
   */
  List<Placement> of(List<JobSpec> jobs) {
    List<ColocationFlow.Kind> kinds = new ArrayList<>();
    Multimaps.asMap(Multimaps.index(jobs, job -> Key.of(job, deferrable.test(job))))
        .forEach(
            (key, alike) ->
                kinds.add(
                    new ColocationFlow.Kind(
                        alike, options(alike.get(0), jobs.size()), key.deferrable())));
    return placements(ColocationFlow.cheapest(kinds));
  }

  private List<ColocationSearch.Option> options(JobSpec job, int most) {
    return new ColocationSearch(state, job, placer)
        .options(most).stream()
            .sorted(Comparator.comparingDouble(ColocationSearch.Option::cost))
            .limit(MOST_OPTIONS)
            .toList();
  }

  /**
   * Gives jobs their GPUs; of a set of co-runners those choose first who may use the fewest of its
   * GPUs.
   */
  private static List<Placement> placements(List<ColocationFlow.Share> shares) {
    List<ColocationFlow.Share> inOrder = new ArrayList<>(shares);
    inOrder.sort(Comparator.comparingInt(share -> share.option().usable().size()));
    Map<JobId, Iterator<JobSpec>> left = new LinkedHashMap<>();
    Set<Integer> taken = new LinkedHashSet<>();
    List<Placement> places = new ArrayList<>();
    for (ColocationFlow.Share share : inOrder) {
      List<JobSpec> alike = share.kind().jobs();
      Iterator<JobSpec> jobs = left.computeIfAbsent(alike.get(0).id(), first -> alike.iterator());
      Iterator<Integer> free =
          share.option().usable().stream().filter(gpu -> !taken.contains(gpu)).iterator();
      for (int i = 0; i < share.jobs(); i++) {
        JobSpec job = jobs.next();
        if (free.hasNext()) {
          int gpu = free.next();
          places.add(share.option().place(job, gpu));
          taken.add(gpu);
        }
      }
    }
    return places;
  }

  /** What jobs have in common that may go to the same places at the same cost. */
  private record Key(
      CoRunnerKey coRunnerKey,
      ResourceRequest request,
      List<GpuModel> models,
      Map<String, String> labels,
      Set<String> excludedNodes,
      TopologyConstraint topology,
      boolean deferrable) {
    static Key of(JobSpec job, boolean deferrable) {
      return new Key(
          CandidateJob.keyOf(job),
          job.roles().get(0).request(),
          job.gpuModels(),
          job.nodeLabels(job.roles().getFirst()),
          job.excludedNodes(),
          job.topology(),
          deferrable);
    }
  }
}
