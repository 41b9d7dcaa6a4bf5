package io.github.liquidscheduler.benchmarks.batch;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.BooleanSupplier;

/**
 * One plan of an instance.
 *
 * @param plan the plan
 * @param searchSeconds processor time of the planning thread from the request until the search
 *     ended; for the greedy plan until it was returned, without a bound
 */
record PlanRun(BatchPlan plan, double searchSeconds) {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final double NANOS = 1e9;
  private static final PlanCost COST =
      PlanCost.of(CostTerms.pairTiers(Instance::traffic, Instance::intensity));

  /** Returns the plan after {@code seconds} of processor time. */
  static PlanRun of(Instance instance, double seconds) {
    Limit limit = new Limit(seconds);
    PlanOptions options = PlanOptions.builder().steps(Long.MAX_VALUE).stop(limit).build();
    BatchPlan plan = plan(BatchPlanners.timefold(COST), instance, instance.view(), options);
    return new PlanRun(plan, limit.reached());
  }

  /** Returns the greedy plan. */
  static PlanRun greedy(Instance instance) {
    ClusterView view = instance.view();
    PlanOptions options = PlanOptions.builder().boundRounds(0).build();
    long before = THREADS.getCurrentThreadCpuTime();
    BatchPlan plan = plan(BatchPlanners.greedy(COST), instance, view, options);
    return new PlanRun(plan, (THREADS.getCurrentThreadCpuTime() - before) / NANOS);
  }

  private static BatchPlan plan(
      BatchPlanner planner, Instance instance, ClusterView view, PlanOptions options) {
    PlanRequest.Builder request =
        PlanRequest.builder(view).pending(instance.pending()).options(options);
    for (JobSpec job : instance.running()) {
      request.running(job);
    }
    return planner.plan(request.build());
  }

  /** Says stop after some processor time of the thread that asks. */
  private static final class Limit implements BooleanSupplier {
    private final double seconds;
    private final long start = THREADS.getCurrentThreadCpuTime();
    private double reached;

    Limit(double seconds) {
      this.seconds = seconds;
    }

    @Override
    public boolean getAsBoolean() {
      reached = (THREADS.getCurrentThreadCpuTime() - start) / NANOS;
      return reached >= seconds;
    }

    double reached() {
      return reached;
    }
  }
}
