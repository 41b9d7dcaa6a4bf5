package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.Colocation;
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
 * Who may come beside whom because of what was learned: kinds of jobs that the policy admits beside
 * each other now, but did not before. Each kind is judged by one job of it, the first. Where there
 * are more than {@value #MOST_PAIRS} pairs, only those with a workload that was measured are looked
 * at; what follows for others counts once room changes.
 */
public final class NewCoRunners {

  private static final int MOST_PAIRS = 1024;

  private final Colocation colocation;
  private final SeenCoRunners seen;
  private final ClusterState cluster;
  private final Observations before;

  /**
   * Prepares the question.
   *
   * @param colocation how jobs share
   * @param seen who was judged before
   * @param cluster who runs where, and what is known now
   * @param before what was known before
   */
  public NewCoRunners(
      Colocation colocation, SeenCoRunners seen, ClusterState cluster, Observations before) {
    this.colocation = colocation;
    this.seen = seen;
    this.cluster = cluster;
    this.before = before;
  }

  /** A resident kind on a GPU model, judged by a job of it. */
  private record Place(CoRunnerKind kind, GpuModel gpu, SeenCoRunners.Numbered resident) {}

  /** A kind that waits and one that is there, judged by a job of each. */
  private record Pair(CoRunnerKind waiting, CoRunnerKind resident, SharedGpu candidate) {}

  /**
   * Returns for kinds of waiting jobs the kinds of residents beside whom they are admitted now.
   *
   * @param waiting jobs that wait, in an order that does not change
   * @param measured the workloads that were measured
   */
  public Map<CoRunnerKind, Set<CoRunnerKind>> among(
      Collection<JobSpec> waiting, Collection<Workload> measured) {
    Map<CoRunnerKind, JobSpec> kinds = new LinkedHashMap<>();
    for (JobSpec job : waiting) {
      if (CandidateJob.mayShare(job)) {
        kinds.putIfAbsent(CoRunnerKind.of(job), job);
      }
    }
    List<Pair> pairs = kinds.isEmpty() ? List.of() : pairs(kinds, measured);
    return pairs.isEmpty() ? Map.of() : admittedAnew(pairs);
  }

  private List<Pair> pairs(Map<CoRunnerKind, JobSpec> kinds, Collection<Workload> measured) {
    List<Place> residents = residents();
    boolean all = (long) kinds.size() * residents.size() <= MOST_PAIRS;
    List<Pair> pairs = new ArrayList<>();
    kinds.forEach(
        (kind, job) -> {
          boolean isAsked = all || measured.contains(kind.workload());
          @Nullable GpuModel last = null;
          SeenCoRunners.@Nullable Numbered candidate = null;
          for (Place place : residents) {
            if (isAsked || measured.contains(place.kind().workload())) {
              if (candidate == null || !place.gpu().equals(last)) {
                last = place.gpu();
                candidate = seen.of(job, last);
              }
              SharedGpu beside = seen.beside(candidate, place.resident(), place.gpu());
              pairs.add(new Pair(kind, place.kind(), beside));
            }
          }
        });
    return pairs;
  }

  /** Returns the kinds of residents by the first groups of GPUs on which a job of each is. */
  private List<Place> residents() {
    List<Place> residents = new ArrayList<>();
    for (SharedGpus.KindOnModel there : cluster.shared().kinds(cluster.index())) {
      GpuId gpu = cluster.index().gpu(there.first().gpus().first());
      JobSpec job = firstOf(there.kind(), cluster.residents(gpu));
      residents.add(new Place(there.kind(), there.model(), seen.of(job, there.model())));
    }
    return residents;
  }

  private JobSpec firstOf(CoRunnerKind kind, List<Resident> residents) {
    for (Resident resident : residents) {
      JobSpec job = cluster.job(resident.job()).orElseThrow();
      if (CoRunnerKind.of(job).equals(kind)) {
        return job;
      }
    }
    throw new IllegalStateException("no job of " + kind + " is where it should be");
  }

  private Map<CoRunnerKind, Set<CoRunnerKind>> admittedAnew(List<Pair> pairs) {
    Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
    List<Pair> now = judged(pairs, cluster.observations(), true);
    for (Pair pair : judged(now, before, false)) {
      admitted.computeIfAbsent(pair.waiting(), any -> new LinkedHashSet<>()).add(pair.resident());
    }
    return admitted;
  }

  /** Returns those pairs that the policy admits by what was known, or those that it rejects. */
  private List<Pair> judged(List<Pair> pairs, Observations known, boolean isAdmitted) {
    if (pairs.isEmpty()) {
      return pairs;
    }
    List<SharedGpu> candidates = new ArrayList<>(pairs.size());
    pairs.forEach(pair -> candidates.add(pair.candidate()));
    CandidateScores scores = new CandidateScores(candidates.size());
    colocation.policy().score(candidates, known, scores);
    List<Pair> judged = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      if (scores.isAdmitted(i) == isAdmitted) {
        judged.add(pairs.get(i));
      }
    }
    return judged;
  }
}
