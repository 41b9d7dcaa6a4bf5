package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The jobs by classes of equal interference, and what tasks of the classes cost each other. */
final class InterferenceClasses {

  private final Map<JobId, Integer> classOfJob;
  private final IntFunction<InterferenceScore> scores;

  private InterferenceClasses(
      Map<JobId, Integer> classOfJob, IntFunction<InterferenceScore> scores) {
    this.classOfJob = classOfJob;
    this.scores = scores;
  }

  static InterferenceClasses of(
      CostTerms cost, ClusterView view, List<JobSpec> fixed, List<JobSpec> planned) {
    List<JobSpec> all = Stream.concat(fixed.stream(), planned.stream()).toList();
    return switch (cost.interference()) {
      case CostTerms.NoInterference none -> byIntensity(all, job -> 0L);
      case CostTerms.Products products -> byIntensity(all, job -> intensity(products, job));
      case CostTerms.Predicted predicted -> byWorkload(all, cost, view, predicted);
    };
  }

  /** Returns the class of a job. */
  int of(JobSpec job) {
    return Objects.requireNonNull(classOfJob.get(job.id()));
  }

  /** Returns a score of nodes without tasks. */
  InterferenceScore score(int nodes) {
    return scores.apply(nodes);
  }

  private static InterferenceClasses byIntensity(
      List<JobSpec> jobs, Function<JobSpec, Long> intensity) {
    Map<Long, Integer> classes = new LinkedHashMap<>();
    Map<JobId, Integer> classOfJob = classify(jobs, intensity, classes);
    long[] intensities = classes.keySet().stream().mapToLong(Long::longValue).toArray();
    return new InterferenceClasses(
        classOfJob, nodes -> new ProductInterference(intensities, nodes));
  }

  private static long intensity(CostTerms.Products products, JobSpec job) {
    long intensity = products.intensity().applyAsLong(job);
    if (intensity < 0) {
      throw new IllegalArgumentException(
          "an intensity must not be negative, but was %d, for job '%s'"
              .formatted(intensity, job.id()));
    }
    return intensity;
  }

  private static InterferenceClasses byWorkload(
      List<JobSpec> jobs, CostTerms cost, ClusterView view, CostTerms.Predicted predicted) {
    if (jobs.isEmpty() || view.topology().gpusByModel().isEmpty()) {
      return byIntensity(jobs, job -> 0L);
    }
    Map<Workload, Integer> classes = new LinkedHashMap<>();
    Map<JobId, Integer> classOfJob = classify(jobs, JobSpec::workload, classes);
    PairSpeeds kept =
        new PairSpeeds(
            predicted.predictor(),
            view.observations(),
            mostCommon(view.topology()),
            classes.keySet().stream().map(ColocationProfile::of).toList());
    long[][] pairCosts = new long[classes.size()][classes.size()];
    for (int one = 0; one < pairCosts.length; one++) {
      for (int other = 0; other < pairCosts.length; other++) {
        double lost = Math.max(0, 2 - kept.speed(one, other) - kept.speed(other, one));
        pairCosts[one][other] = cost.toUnits(predicted.weight() * lost);
      }
    }
    return new InterferenceClasses(classOfJob, nodes -> new PairwiseInterference(pairCosts, nodes));
  }

  /** Returns the number of each job's class, and numbers the classes as they appear. */
  private static <K> Map<JobId, Integer> classify(
      List<JobSpec> jobs, Function<JobSpec, K> classOf, Map<K, Integer> classes) {
    Map<JobId, Integer> classOfJob = new LinkedHashMap<>();
    for (JobSpec job : jobs) {
      int own = classes.computeIfAbsent(classOf.apply(job), unknown -> classes.size());
      classOfJob.put(job.id(), own);
    }
    return classOfJob;
  }

  private static GpuModel mostCommon(ClusterTopology topology) {
    return topology.gpusByModel().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }
}
