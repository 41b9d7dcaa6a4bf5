package io.github.liquidscheduler.rounds.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class RoundPlanLaws {

  private static final List<GpuModel> MODELS =
      List.of(GpuModel.of("V100"), GpuModel.of("T4"), GpuModel.of("K80"));

  @Provide
  Arbitrary<RoundProblem> problems() {
    return problems(5, 4);
  }

  @Provide
  Arbitrary<TaskOrder> orders() {
    return Arbitraries.of(TaskOrder.byWork(), TaskOrder.byFluid());
  }

  /** Problems of at most 8 tasks. */
  @Provide
  Arbitrary<RoundProblem> smallProblems() {
    return problems(4, 2)
        .filter(problem -> problem.jobs().stream().mapToInt(RoundJob::tasks).sum() <= 8);
  }

  private static Arbitrary<RoundProblem> problems(int jobs, int most) {
    return Combinators.combine(
            jobs(most).list().ofMinSize(1).ofMaxSize(jobs),
            Arbitraries.of(MODELS).list().ofMinSize(1).ofMaxSize(3))
        .as(
            (made, gpus) -> {
              List<RoundJob> named = new ArrayList<>();
              for (RoundJob job : made) {
                named.add(
                    new RoundJob(
                        JobId.of("j" + named.size()),
                        job.arrival(),
                        job.weight(),
                        job.rounds(),
                        job.scale(),
                        job.times()));
              }
              return new RoundProblem(named, gpus);
            });
  }

  private static Arbitrary<RoundJob> jobs(int most) {
    return Combinators.combine(
            Arbitraries.integers().between(0, 12),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, most),
            Arbitraries.integers().between(1, most),
            times().list().ofSize(MODELS.size()))
        .as(
            (arrival, weight, rounds, scale, times) -> {
              Map<GpuModel, TaskTime> byModel = new HashMap<>();
              for (int model = 0; model < MODELS.size(); model++) {
                byModel.put(MODELS.get(model), times.get(model));
              }
              return new RoundJob(JobId.of("any"), arrival / 2.0, weight, rounds, scale, byModel);
            });
  }

  private static Arbitrary<TaskTime> times() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 8), Arbitraries.integers().between(0, 3))
        .as((compute, synchronize) -> new TaskTime(compute / 2.0, synchronize / 4.0));
  }

  @Property
  void everyTaskRunsOnceBehindItsBarrierForAsLongAsItTakes(
      @ForAll("problems") RoundProblem problem,
      @ForAll GpuChoice choice,
      @ForAll("orders") TaskOrder order) {
    RoundPlan plan = new RoundPlanner(order, choice).plan(problem);

    RoundPlanChecks.assertFollowsTheRules(problem, plan);
  }

  @Property(tries = 300)
  void aPlanIsBetweenTheBestAndTheProvedFactorOfItAndTheBestIsNotBelowTheBound(
      @ForAll("smallProblems") RoundProblem problem,
      @ForAll GpuChoice choice,
      @ForAll("orders") TaskOrder order) {
    double best = ExhaustiveRounds.leastWeightedEnd(problem);
    RoundPlan plan = new RoundPlanner(order, choice).plan(problem);

    assertThat(plan.weightedEnd(problem)).isGreaterThanOrEqualTo(best - 1e-9);
    RoundBounds bounds = RoundBounds.of(problem);
    assertThat(bounds.weightedEnd()).isLessThanOrEqualTo(best + 1e-9);
    assertThat(plan.weightedEnd(problem)).isLessThanOrEqualTo(bounds.factor() * best + 1e-9);
  }

  @Property(tries = 200)
  void anImprovedPlanFollowsTheRulesAndIsNoWorseThanItsStart(
      @ForAll("problems") RoundProblem problem,
      @ForAll GpuChoice choice,
      @ForAll @IntRange(max = 60) int steps,
      @ForAll long seed) {
    RoundPlanner start = new RoundPlanner(TaskOrder.byWork(), choice);

    RoundPlan improved = new LocalSearch(start, steps, seed).plan(problem);

    RoundPlanChecks.assertFollowsTheRules(problem, improved);
    assertThat(improved.weightedEnd(problem))
        .isLessThanOrEqualTo(start.plan(problem).weightedEnd(problem));
    assertThat(new LocalSearch(start, steps, seed).plan(problem)).isEqualTo(improved);
  }

  @Property(tries = 300)
  void leastDelayIsNoWorseThanWithoutPrices(@ForAll("problems") RoundProblem problem) {
    RoundPlanner planner = new RoundPlanner(TaskOrder.byFluid(), GpuChoice.LEAST_DELAY);
    ListSchedule free = new ListSchedule(problem, GpuChoice.LEAST_DELAY);
    free.planInOrder(planner.roundOrder(problem), new int[0]);

    assertThat(planner.plan(problem).weightedEnd(problem))
        .isLessThanOrEqualTo(free.weightedEnd() + 1e-9);
  }

  @Property(tries = 200)
  void theInputOrderMattersOnlyAmongEqualJobs(@ForAll("problems") RoundProblem problem) {
    Assume.that(allDiffer(TaskOrder.byWork().keys(problem)));
    Assume.that(allDiffer(worksForWeight(problem)));
    List<RoundJob> reversed = new ArrayList<>(problem.jobs());
    Collections.reverse(reversed);
    RoundPlanner planner = new RoundPlanner(TaskOrder.byWork(), GpuChoice.FIRST_GAP);

    RoundPlan plan = planner.plan(new RoundProblem(reversed, problem.gpus()));

    assertThat(plan.sequences()).isEqualTo(planner.plan(problem).sequences());
  }

  private static boolean allDiffer(double[]... numbers) {
    double[] all = Arrays.stream(numbers).flatMapToDouble(Arrays::stream).toArray();
    return Arrays.stream(all).distinct().count() == all.length;
  }

  private static double[] worksForWeight(RoundProblem problem) {
    double[] works = new double[problem.jobs().size()];
    for (int job = 0; job < works.length; job++) {
      double tasksPerSecond =
          Arrays.stream(problem.times(job)).mapToDouble(time -> 1 / time.compute()).sum();
      RoundJob of = problem.jobs().get(job);
      works[job] = of.tasks() / tasksPerSecond / of.weight();
    }
    return works;
  }
}
