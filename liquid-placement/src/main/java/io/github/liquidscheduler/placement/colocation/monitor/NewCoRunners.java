package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who may come beside whom because of what was learned: kinds of jobs that the policy admits beside
 * each other now, but did not before. Each kind is judged by one job of it, the first. Where there
 * are more than {@value #MOST_PAIRS} pairs, only those with a workload that was measured are looked
 * at; what follows for others counts once room changes.
 */
public final class NewCoRunners {

  private static final int MOST_PAIRS = 1024;

  private final Colocation colocation;
  private final ClusterState cluster;
  private final Observations before;

  /**
   * Prepares the question.
   *
   * @param colocation how jobs share
   * @param cluster who runs where, and what is known now
   * @param before what was known before
   */
  public NewCoRunners(Colocation colocation, ClusterState cluster, Observations before) {
    this.colocation = colocation;
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
    Map<Place, JobSpec> residents = residents();
    boolean all = (long) kinds.size() * residents.size() <= MOST_PAIRS;
    List<Pair> pairs = new ArrayList<>();
    kinds.forEach(
        (kind, job) ->
            residents.forEach(
                (place, resident) -> {
                  if (all
                      || measured.contains(kind.workload())
                      || measured.contains(place.kind().workload())) {
                    pairs.add(new Pair(kind, place.kind(), candidate(job, resident, place.gpu())));
                  }
                }));
    return pairs;
  }

  private Map<Place, JobSpec> residents() {
    Map<Place, JobSpec> residents = new LinkedHashMap<>();
    for (SharedGpus.Group group : cluster.shared().groups()) {
      GpuModel gpu = cluster.index().pools().get(group.residentSet().pool()).model().orElseThrow();
      boolean isNew =
          group.residentSet().coRunnerKeys().stream()
              .anyMatch(key -> !residents.containsKey(new Place(key.kind(), gpu)));
      if (isNew) {
        for (Resident resident : cluster.residents(cluster.index().gpu(group.gpus().first()))) {
          JobSpec job = cluster.job(resident.job()).orElseThrow();
          residents.putIfAbsent(new Place(CoRunnerKind.of(job), gpu), job);
        }
      }
    }
    return residents;
  }

  private SharedGpu candidate(JobSpec job, JobSpec resident, GpuModel gpu) {
    return new SharedGpu(
        colocation.mode(gpu).predictedAs(gpu),
        coRunner(job, gpu),
        List.of(coRunner(resident, gpu)),
        Memory.ZERO);
  }

  private CoRunner coRunner(JobSpec job, GpuModel gpu) {
    SharingMode mode = colocation.mode(gpu);
    GpuShare asked = job.roles().getFirst().request().share().orElse(GpuShare.WHOLE);
    return new CoRunner(
        job.sharing(), mode.seen(colocation.profile(job, gpu), mode.granted(asked)));
  }

  private Map<CoRunnerKind, Set<CoRunnerKind>> admittedAnew(List<Pair> pairs) {
    List<SharedGpu> candidates = pairs.stream().map(Pair::candidate).toList();
    CandidateScores now = scores(candidates, cluster.observations());
    CandidateScores then = scores(candidates, before);
    Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
    for (int i = 0; i < pairs.size(); i++) {
      if (now.isAdmitted(i) && !then.isAdmitted(i)) {
        admitted
            .computeIfAbsent(pairs.get(i).waiting(), any -> new LinkedHashSet<>())
            .add(pairs.get(i).resident());
      }
    }
    return admitted;
  }

  private CandidateScores scores(List<SharedGpu> candidates, Observations known) {
    CandidateScores scores = new CandidateScores(candidates.size());
    colocation.policy().score(candidates, known, scores);
    return scores;
  }
}
