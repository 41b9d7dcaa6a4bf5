package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

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

  /** A resident kind on a GPU model. */
  private record Place(CoRunnerKind kind, GpuModel gpu) {}

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
    Map<Place, CoRunner> residents = residents();
    boolean all = (long) kinds.size() * residents.size() <= MOST_PAIRS;
    List<Pair> pairs = new ArrayList<>();
    kinds.forEach(
        (kind, job) -> {
          boolean isAsked = all || measured.contains(kind.workload());
          residents.forEach(
              (place, resident) -> {
                if (isAsked || measured.contains(place.kind().workload())) {
                  CoRunner candidate = seen.of(job, place.gpu());
                  pairs.add(new Pair(kind, place.kind(), candidate(candidate, resident, place)));
                }
              });
        });
    return pairs;
  }

  private Map<Place, CoRunner> residents() {
    Map<Place, CoRunner> residents = new LinkedHashMap<>();
    for (SharedGpus.Group group : cluster.shared().groups()) {
      GpuModel gpu = cluster.index().pools().get(group.residentSet().pool()).model().orElseThrow();
      if (isAnyNew(group.residentSet().coRunnerKeys(), gpu, residents)) {
        for (Resident resident : cluster.residents(cluster.index().gpu(group.gpus().first()))) {
          JobSpec job = cluster.job(resident.job()).orElseThrow();
          residents.computeIfAbsent(new Place(CoRunnerKind.of(job), gpu), any -> seen.of(job, gpu));
        }
      }
    }
    return residents;
  }

  private static boolean isAnyNew(
      List<CoRunnerKey> keys, GpuModel gpu, Map<Place, CoRunner> known) {
    for (CoRunnerKey key : keys) {
      if (!known.containsKey(new Place(key.kind(), gpu))) {
        return true;
      }
    }
    return false;
  }

  private SharedGpu candidate(CoRunner waiting, CoRunner resident, Place place) {
    GpuModel gpu = place.gpu();
    return new SharedGpu(
        colocation.mode(gpu).predictedAs(gpu), waiting, List.of(resident), Memory.ZERO);
  }

  private Map<CoRunnerKind, Set<CoRunnerKind>> admittedAnew(List<Pair> pairs) {
    List<Pair> now = admitted(pairs, cluster.observations());
    Set<SharedGpu> then = new HashSet<>();
    admitted(now, before).forEach(pair -> then.add(pair.candidate()));
    Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
    for (Pair pair : now) {
      if (!then.contains(pair.candidate())) {
        admitted.computeIfAbsent(pair.waiting(), any -> new LinkedHashSet<>()).add(pair.resident());
      }
    }
    return admitted;
  }

  /** Returns those pairs that the policy admits by what was known. */
  private List<Pair> admitted(List<Pair> pairs, Observations known) {
    List<SharedGpu> candidates = pairs.stream().map(Pair::candidate).toList();
    CandidateScores scores = new CandidateScores(candidates.size());
    colocation.policy().score(candidates, known, scores);
    return IntStream.range(0, pairs.size())
        .filter(scores::isAdmitted)
        .mapToObj(pairs::get)
        .toList();
  }
}
