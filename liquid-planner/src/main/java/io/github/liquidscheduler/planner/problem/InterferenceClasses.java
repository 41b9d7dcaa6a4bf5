package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The jobs by classes of equal interference, and what a pair of tasks of two classes costs. */
final class InterferenceClasses {

  private final Map<JobId, Integer> classOfJob;
  private final long[] intensities;
  private final long[][] pairCosts;

  private InterferenceClasses(
      Map<JobId, Integer> classOfJob, long[] intensities, long[][] pairCosts) {
    this.classOfJob = classOfJob;
    this.intensities = intensities;
    this.pairCosts = pairCosts;
  }

  static InterferenceClasses of(
      CostTerms cost, ClusterView view, List<JobSpec> fixed, List<JobSpec> planned) {
    List<JobSpec> all = Stream.concat(fixed.stream(), planned.stream()).toList();
    return switch (cost.interference()) {
      case CostTerms.NoInterference none -> byValue(all, job -> 0L, new long[][] {});
      case CostTerms.Products products ->
          byValue(all, job -> intensity(products, job), new long[][] {});
      case CostTerms.Predicted predicted -> predicted(cost, view, all, predicted);
    };
  }

  /** Returns the class of a job. */
  int of(JobSpec job) {
    return Objects.requireNonNull(classOfJob.get(job.id()));
  }

  /** Returns a score of nodes without tasks. */
  InterferenceScore score(int nodes) {
    return pairCosts.length > 0
        ? new PairwiseInterference(pairCosts, nodes)
        : new ProductInterference(intensities, nodes);
  }

  private static long intensity(CostTerms.Products products, JobSpec job) {
    long intensity = products.intensity().applyAsLong(job);
    if (intensity < 0) {
      throw new IllegalArgumentException(
          "an intensity must not be negative, but was "
              + intensity
              + ", for job '"
              + job.id()
              + "'");
    }
    return intensity;
  }

  private static InterferenceClasses byValue(
      List<JobSpec> jobs, java.util.function.ToLongFunction<JobSpec> value, long[][] pairCosts) {
    Map<Long, Integer> classes = new LinkedHashMap<>();
    Map<JobId, Integer> classOfJob = new LinkedHashMap<>();
    for (JobSpec job : jobs) {
      long own = value.applyAsLong(job);
      classes.putIfAbsent(own, classes.size());
      classOfJob.put(job.id(), Objects.requireNonNull(classes.get(own)));
    }
    long[] intensities = classes.keySet().stream().mapToLong(Long::longValue).toArray();
    return new InterferenceClasses(classOfJob, intensities, pairCosts);
  }

  private static InterferenceClasses predicted(
      CostTerms cost, ClusterView view, List<JobSpec> jobs, CostTerms.Predicted predicted) {
    Map<Workload, Integer> classes = new LinkedHashMap<>();
    Map<JobId, Integer> classOfJob = new LinkedHashMap<>();
    for (JobSpec job : jobs) {
      classes.putIfAbsent(job.workload(), classes.size());
      classOfJob.put(job.id(), Objects.requireNonNull(classes.get(job.workload())));
    }
    List<Workload> workloads = List.copyOf(classes.keySet());
    if (workloads.isEmpty() || view.topology().gpusByModel().isEmpty()) {
      return new InterferenceClasses(classOfJob, new long[workloads.size()], new long[][] {});
    }
    double[][] kept = kept(predicted.predictor(), view, workloads);
    long[][] pairCosts = new long[workloads.size()][workloads.size()];
    for (int one = 0; one < pairCosts.length; one++) {
      for (int other = 0; other < pairCosts.length; other++) {
        double lost = Math.max(0, 2 - kept[one][other] - kept[other][one]);
        pairCosts[one][other] = cost.toUnits(predicted.weight() * lost);
      }
    }
    return new InterferenceClasses(classOfJob, new long[0], pairCosts);
  }

  /** Returns the speed that each retains beside each other, predicted in one batch. */
  private static double[][] kept(
      InterferencePredictor predictor, ClusterView view, List<Workload> workloads) {
    GpuModel gpu = mostCommon(view.topology());
    List<ColocationProfile> profiles = workloads.stream().map(ColocationProfile::of).toList();
    List<ColocationQuery> questions = new ArrayList<>();
    for (ColocationProfile victim : profiles) {
      for (ColocationProfile other : profiles) {
        questions.add(new ColocationQuery(gpu, victim, List.of(other)));
      }
    }
    float[] speeds = new float[questions.size()];
    predictor.retainedSpeeds(
        questions, view.observations().interference(), speeds, new float[speeds.length]);
    int size = profiles.size();
    return IntStream.range(0, size)
        .mapToObj(
            row -> IntStream.range(0, size).mapToDouble(i -> speeds[row * size + i]).toArray())
        .toArray(double[][]::new);
  }

  private static GpuModel mostCommon(ClusterTopology topology) {
    return topology.gpusByModel().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }
}
