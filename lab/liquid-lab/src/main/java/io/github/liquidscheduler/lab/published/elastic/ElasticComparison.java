package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.lab.reference.elastic.AfsL;
import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.ElasticRun;
import io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias.Refill;
import io.github.liquidscheduler.lab.reference.elastic.FixedSrtf;
import io.github.liquidscheduler.lab.reference.elastic.FixedTiresias;
import io.github.liquidscheduler.lab.reference.elastic.MarginalGain;
import io.github.liquidscheduler.lab.reference.elastic.OptimusLike;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.lab.reference.elastic.ServiceQueues;
import io.github.liquidscheduler.lab.reference.elastic.bound.CompletionBounds;
import io.github.liquidscheduler.lab.reference.elastic.price.ShadowPrice;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Policies for elastic jobs, compared with Tiresias on the same random jobs, and with lower bounds
 * on what any policy achieves.
 *
 * @param workload the jobs and the cluster
 * @param queues the queues of Tiresias and of Elastic-Tiresias
 * @param cost what a change of size costs
 * @param seeds the seeds of the traces
 */
public record ElasticComparison(
    ElasticWorkload workload, ServiceQueues queues, ScalingCost cost, Seeds seeds) {

  /**
   * Consecutive seeds.
   *
   * @param first the first, at least 0
   * @param count how many, at least 1
   */
  public record Seeds(int first, int count) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is too small
     */
    public Seeds {
      if (first < 0 || count < 1) {
        throw new IllegalArgumentException(
            "the first seed must be at least 0 and their number at least 1, but were %d and %d"
                .formatted(first, count));
      }
    }
  }

  /** Returns the policies that are compared with the baseline. */
  public List<ElasticPolicy> allPolicies() {
    List<ElasticPolicy> policies = new ArrayList<>();
    policies.add(new FixedSrtf());
    policies.add(elastic("compaction-only, N=2").pendingLimit(2).refill(Refill.NONE).build());
    policies.add(elastic("compaction-only, N=10").refill(Refill.NONE).build());
    policies.add(elastic("compaction-admission, N=10").refill(Refill.ADMISSION).build());
    policies.add(elastic("expansion-only").compacts(false).build());
    policies.add(new OptimusLike());
    policies.add(new MarginalGain(0.02, false));
    policies.addAll(mainPolicies());
    return policies;
  }

  /** Returns the best known policies, published ones and ours. */
  public List<ElasticPolicy> mainPolicies() {
    return List.of(
        elastic("elastic-tiresias, N=10").build(),
        elastic("elastic-tiresias, N=0").pendingLimit(0).build(),
        new AfsL(),
        ShadowPrice.unknownDurations(),
        ShadowPrice.knownDurations(),
        ShadowPrice.steadyLoad());
  }

  /**
   * Runs all policies.
   *
   * @param policies those that are compared with the baseline
   * @param step called {@link #steps} times, after each run
   * @return the baseline, the policies and the bounds, in this order
   */
  public List<ComparedAverage> run(List<ElasticPolicy> policies, Runnable step) {
    List<ElasticTrace> traces = traces();
    List<ElasticRun> tiresias = runs(new FixedTiresias(queues), traces, step);
    List<Double> baseline = tiresias.stream().map(ElasticRun::averageCompletion).toList();
    List<ComparedAverage> rows = new ArrayList<>();
    rows.add(row(tiresias, baseline));
    policies.forEach(policy -> rows.add(row(runs(policy, traces, step), baseline)));
    List<CompletionBounds> bounds = bounds(traces, step);
    rows.add(row("bound by prices", bounds, CompletionBounds::priced, baseline));
    rows.add(row("bound, each job alone", bounds, CompletionBounds::alone, baseline));
    return rows;
  }

  /** Returns the number of steps of {@link #run} with that many policies. */
  public int steps(int policies) {
    return seeds.count() * (policies + 2);
  }

  private List<ElasticTrace> traces() {
    return IntStream.range(seeds.first(), seeds.first() + seeds.count())
        .mapToObj(workload::trace)
        .toList();
  }

  private ElasticTiresias.Builder elastic(String name) {
    return ElasticTiresias.builder(name).queues(queues);
  }

  private List<ElasticRun> runs(ElasticPolicy policy, List<ElasticTrace> traces, Runnable step) {
    ElasticSimulator simulator = ElasticSimulator.of(workload.gpus(), policy, cost);
    List<ElasticRun> runs = new ArrayList<>();
    for (ElasticTrace trace : traces) {
      runs.add(simulator.run(trace));
      step.run();
    }
    return runs;
  }

  private List<CompletionBounds> bounds(List<ElasticTrace> traces, Runnable step) {
    ElasticSimulator guide =
        ElasticSimulator.of(workload.gpus(), ShadowPrice.knownDurations(), ScalingCost.ZERO);
    List<CompletionBounds> bounds = new ArrayList<>();
    for (ElasticTrace trace : traces) {
      bounds.add(CompletionBounds.of(trace, guide.run(trace)));
      step.run();
    }
    return bounds;
  }

  private static ComparedAverage row(List<ElasticRun> runs, List<Double> baseline) {
    return new ComparedAverage(
        runs.get(0).policy(),
        runs.stream().map(ElasticRun::averageCompletion).toList(),
        baseline,
        perJob(runs, ElasticRun.Counts::resizes),
        perJob(runs, ElasticRun.Counts::preemptions));
  }

  private static ComparedAverage row(
      String name,
      List<CompletionBounds> bounds,
      ToDoubleFunction<CompletionBounds> bound,
      List<Double> baseline) {
    List<Double> seconds = bounds.stream().mapToDouble(bound).boxed().toList();
    return new ComparedAverage(name, seconds, baseline, 0, 0);
  }

  private static double perJob(List<ElasticRun> runs, ToDoubleFunction<ElasticRun.Counts> count) {
    double jobs = runs.stream().mapToInt(run -> run.jobs().size()).sum();
    return runs.stream().map(ElasticRun::counts).mapToDouble(count).sum() / jobs;
  }
}
