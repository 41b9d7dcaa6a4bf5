package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The co-runners within limits that a job was not given, with the retained speeds that fall short.
 */
final class RejectedCandidates {

  private static final int MOST_NAMED = 3;

  private final ClusterState state;
  private final JobSpec job;
  private final ColocationPolicy policy;
  private final ScoredCandidates candidates;

  RejectedCandidates(ClusterState state, JobSpec job, ColocationPlacer placer) {
    this.state = state;
    this.job = job;
    policy = placer.colocation().policy();
    candidates =
        new ScoredCandidates(
            state, placer.candidateCache().candidateJob(job), placer, state.shared().groups());
  }

  /** Returns the retained speeds that fall short, the closest first; a few at most. */
  List<UnmetConstraint> closest() {
    return policy.predictor().stream()
        .flatMap(this::unmet)
        .sorted(Comparator.comparingLong(unmet -> unmet.requested() - unmet.available()))
        .limit(MOST_NAMED)
        .toList();
  }

  private Stream<UnmetConstraint> unmet(InterferencePredictor predictor) {
    return IntStream.range(0, candidates.size())
        .filter(candidate -> !candidates.isAdmitted(candidate))
        .boxed()
        .flatMap(candidate -> unmet(candidate, predictor).stream());
  }

  private Optional<UnmetConstraint> unmet(int candidate, InterferencePredictor predictor) {
    return candidates.gpus(candidate).stream()
        .filter(candidates::isUsable)
        .findFirst()
        .flatMap(gpu -> unmet(candidates.candidate(candidate), gpu, predictor));
  }

  private Optional<UnmetConstraint> unmet(
      SharedGpu shared, int position, InterferencePredictor predictor) {
    GpuId gpu = state.index().gpu(position);
    List<JobId> jobs = new ArrayList<>(List.of(job.id()));
    state.residents(gpu).stream().map(Resident::job).forEach(jobs::add);
    List<CoRunner> coRunners = new ArrayList<>(List.of(shared.candidateJob()));
    coRunners.addAll(shared.residents());
    List<ColocationQuery> queries = new ArrayList<>(List.of(shared.candidateBeside()));
    queries.addAll(shared.residentsBeside());
    float[] speeds = new float[queries.size()];
    float[] lows = new float[queries.size()];
    predictor.retainedSpeeds(queries, state.observations().interference(), speeds, lows);
    double sum = 0;
    for (int i = 0; i < speeds.length; i++) {
      double kept = coRunners.get(i).isGuaranteed() ? lows[i] : speeds[i];
      double floor = policy.leastSpeed(coRunners.get(i).sharing());
      if (kept < floor) {
        return Optional.of(unmet(named(jobs, i) + " on GPU " + gpu, floor, kept));
      }
      sum += speeds[i];
    }
    double mean = sum / speeds.length;
    return mean < policy.leastMeanSpeed()
        ? Optional.of(unmet("the mean of " + named(jobs), policy.leastMeanSpeed(), mean))
        : Optional.empty();
  }

  private static UnmetConstraint unmet(String scope, double floor, double kept) {
    long requested = (long) Math.ceil(1000 * floor);
    long available = Math.min(Math.round(1000 * kept), requested - 1);
    return new UnmetConstraint(
        Constraint.RETAINED_SPEED, scope, requested, available, Optional.empty());
  }

  private static String named(List<JobId> jobs, int subject) {
    List<JobId> others = new ArrayList<>(jobs);
    others.remove(subject);
    return named(List.of(jobs.get(subject))) + " beside " + named(others);
  }

  private static String named(List<JobId> jobs) {
    return jobs.stream().map(other -> "'" + other + "'").collect(Collectors.joining(", "));
  }
}
