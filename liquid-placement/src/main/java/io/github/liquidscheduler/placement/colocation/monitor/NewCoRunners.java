package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Co-runners newly admitted after learning: pairs of kinds of jobs that the policy admits now, but
 * did not before. Each kind is judged by its first job. Of more than {@value #MOST_PAIRS} pairs
 * only those with a measured workload are looked at; the others count once capacity changes.
 *
 * @param cluster the cluster, with the current observations
 */
public record NewCoRunners(
    Colocation colocation, SeenCoRunners seen, ClusterState cluster, Observations before) {

  private static final int MOST_PAIRS = 1024;

  /** A running kind, judged by one of its jobs. */
  private record Place(
      SharedGpus.KindOnModel kind, SeenCoRunners.Numbered resident, boolean isMeasured) {}

  /** Waiting kinds, running kinds, and a job of the one beside one of the other. */
  private record Pairs(
      List<CoRunnerKind> waiting, List<Place> residents, List<SharedGpu> candidates) {

    static Pairs none(int size) {
      return new Pairs(new ArrayList<>(size), new ArrayList<>(size), new ArrayList<>(size));
    }

    void add(CoRunnerKind kind, Place resident, SharedGpu candidate) {
      waiting.add(kind);
      residents.add(resident);
      candidates.add(candidate);
    }
  }

  /**
   * Returns the kinds of residents newly admitted beside each kind of waiting job.
   *
   * @param waiting the first waiting job of each kind that {@linkplain CandidateJob#mayShare may
   *     share}, in a stable order
   */
  public Map<CoRunnerKind, Set<CoRunnerKind>> among(
      Map<CoRunnerKind, JobSpec> waiting, Collection<Workload> measured) {
    if (waiting.isEmpty()) {
      return Map.of();
    }
    seen.trim();
    Pairs now = judged(pairs(waiting, measured), cluster.observations(), true);
    return admitted(judged(now, before, false));
  }

  private static Map<CoRunnerKind, Set<CoRunnerKind>> admitted(Pairs pairs) {
    Map<CoRunnerKind, List<SharedGpus.KindOnModel>> beside = new LinkedHashMap<>();
    for (int i = 0; i < pairs.candidates().size(); i++) {
      beside
          .computeIfAbsent(pairs.waiting().get(i), any -> new ArrayList<>())
          .add(pairs.residents().get(i).kind());
    }
    Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
    beside.forEach((kind, residents) -> admitted.put(kind, inOrder(residents)));
    return admitted;
  }

  private static Set<CoRunnerKind> inOrder(List<SharedGpus.KindOnModel> residents) {
    residents.sort(SharedGpus.KindOnModel.IN_ORDER);
    Set<CoRunnerKind> kinds = new LinkedHashSet<>();
    residents.forEach(resident -> kinds.add(resident.kind()));
    return kinds;
  }

  private Pairs pairs(Map<CoRunnerKind, JobSpec> kinds, Collection<Workload> measured) {
    List<Place> residents = residents(measured);
    List<Place> seldom = residents.stream().filter(Place::isMeasured).toList();
    boolean all = (long) kinds.size() * residents.size() <= MOST_PAIRS;
    Map<CoRunnerKind, List<Place>> beside = new LinkedHashMap<>();
    int size = 0;
    for (CoRunnerKind kind : kinds.keySet()) {
      List<Place> asked = all || measured.contains(kind.workload()) ? residents : seldom;
      beside.put(kind, asked);
      size += asked.size();
    }
    Pairs pairs = Pairs.none(size);
    kinds.forEach((kind, job) -> add(kind, job, beside.getOrDefault(kind, List.of()), pairs));
    return pairs;
  }

  private void add(CoRunnerKind kind, JobSpec job, List<Place> residents, Pairs pairs) {
    @Nullable GpuModel gpu = null;
    SeenCoRunners.@Nullable Numbered candidate = null;
    for (int i = 0; i < residents.size(); i++) {
      Place place = residents.get(i);
      if (candidate == null || !place.kind().model().equals(gpu)) {
        gpu = place.kind().model();
        candidate = seen.waiting(kind, job, gpu);
      }
      pairs.add(kind, place, seen.beside(candidate, place.resident(), place.kind().model()));
    }
  }

  private List<Place> residents(Collection<Workload> measured) {
    List<Place> residents = new ArrayList<>();
    for (SharedGpus.KindOnModel there : cluster.shared().kinds(cluster.index())) {
      residents.add(
          new Place(
              there, seen.resident(there, cluster), measured.contains(there.kind().workload())));
    }
    return residents;
  }

  /** Returns the pairs that the policy admits by some observations, or those that it rejects. */
  private Pairs judged(Pairs pairs, Observations known, boolean isAdmitted) {
    List<SharedGpu> candidates = pairs.candidates();
    Pairs judged = Pairs.none(0);
    if (candidates.isEmpty()) {
      return judged;
    }
    CandidateScores scores = seen.scores();
    scores.reset(candidates.size());
    colocation.policy().score(candidates, known, scores);
    for (int i = 0; i < candidates.size(); i++) {
      if (scores.isAdmitted(i) == isAdmitted) {
        judged.add(pairs.waiting().get(i), pairs.residents().get(i), candidates.get(i));
      }
    }
    return judged;
  }
}
