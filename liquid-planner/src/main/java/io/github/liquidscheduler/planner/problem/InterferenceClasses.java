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

/** Which jobs are alike to their neighbours, and what kinds cost each other. */
final class InterferenceClasses {

  private final Map<JobId, Integer> kindOfJob;
  private final long[] intensities;
  private final long[][] prices;

  private InterferenceClasses(Map<JobId, Integer> kindOfJob, long[] intensities, long[][] prices) {
    this.kindOfJob = kindOfJob;
    this.intensities = intensities;
    this.prices = prices;
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

  /** Returns the kind of a job. */
  int of(JobSpec job) {
    return Objects.requireNonNull(kindOfJob.get(job.id()));
  }

  /** Returns nodes without tasks. */
  InterferenceScore neighbours(int nodes) {
    return prices.length > 0
        ? new PairwiseInterference(prices, nodes)
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
      List<JobSpec> jobs, java.util.function.ToLongFunction<JobSpec> value, long[][] prices) {
    Map<Long, Integer> kinds = new LinkedHashMap<>();
    Map<JobId, Integer> kindOfJob = new LinkedHashMap<>();
    for (JobSpec job : jobs) {
      long own = value.applyAsLong(job);
      kinds.putIfAbsent(own, kinds.size());
      kindOfJob.put(job.id(), Objects.requireNonNull(kinds.get(own)));
    }
    long[] intensities = kinds.keySet().stream().mapToLong(Long::longValue).toArray();
    return new InterferenceClasses(kindOfJob, intensities, prices);
  }

  private static InterferenceClasses predicted(
      CostTerms cost, ClusterView view, List<JobSpec> jobs, CostTerms.Predicted predicted) {
    Map<Workload, Integer> kinds = new LinkedHashMap<>();
    Map<JobId, Integer> kindOfJob = new LinkedHashMap<>();
    for (JobSpec job : jobs) {
      kinds.putIfAbsent(job.workload(), kinds.size());
      kindOfJob.put(job.id(), Objects.requireNonNull(kinds.get(job.workload())));
    }
    List<Workload> workloads = List.copyOf(kinds.keySet());
    if (workloads.isEmpty() || view.topology().gpusByModel().isEmpty()) {
      return new InterferenceClasses(kindOfJob, new long[workloads.size()], new long[][] {});
    }
    double[][] kept = kept(predicted.predictor(), view, workloads);
    long[][] prices = new long[workloads.size()][workloads.size()];
    for (int one = 0; one < prices.length; one++) {
      for (int other = 0; other < prices.length; other++) {
        double lost = Math.max(0, 2 - kept[one][other] - kept[other][one]);
        prices[one][other] = cost.toUnits(predicted.weight() * lost);
      }
    }
    return new InterferenceClasses(kindOfJob, new long[0], prices);
  }

  /** Returns the speed that each keeps beside each other, asked for in one batch. */
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
