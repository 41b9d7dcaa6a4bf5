package io.github.liquidscheduler.planner.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RoundPlanLaws {

  private static final List<GpuModel> MODELS =
      List.of(GpuModel.of("V100"), GpuModel.of("T4"), GpuModel.of("K80"));

  @Provide
  Arbitrary<RoundProblem> problems() {
    return problems(5, 4);
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
      @ForAll("problems") RoundProblem problem, @ForAll GpuChoice choice) {
    RoundPlan plan = new RoundPlanner(TaskOrder.byWork(), choice).plan(problem);

    Map<String, RoundPlan.Run> runs = new HashMap<>();
    for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
      GpuModel model = problem.gpus().get(gpu);
      double free = 0;
      for (RoundPlan.Run run : plan.sequences().get(gpu)) {
        assertThat(run.start()).isGreaterThanOrEqualTo(free);
        TaskTime time = Objects.requireNonNull(job(problem, run).times().get(model));
        assertThat(run.end() - run.start()).isEqualTo(time.compute(), within(1e-9));
        assertThat(run.synchronizedAt() - run.end()).isEqualTo(time.synchronize(), within(1e-9));
        assertThat(runs.put(run.job() + "/" + run.round() + "/" + run.task(), run)).isNull();
        free = run.end();
      }
    }
    assertThat(runs).hasSize(problem.jobs().stream().mapToInt(RoundJob::tasks).sum());
    runs.values().forEach(run -> assertBehindBarrier(problem, run, runs));
    for (RoundJob job : problem.jobs()) {
      assertThat(plan.ends().get(job.id()))
          .isEqualTo(synchronizedAt(job, job.rounds() - 1, runs), within(1e-9));
    }
  }

  private static void assertBehindBarrier(
      RoundProblem problem, RoundPlan.Run run, Map<String, RoundPlan.Run> runs) {
    RoundJob job = job(problem, run);
    double barrier = run.round() == 0 ? job.arrival() : synchronizedAt(job, run.round() - 1, runs);
    assertThat(run.start()).isGreaterThanOrEqualTo(barrier);
  }

  private static double synchronizedAt(RoundJob job, int round, Map<String, RoundPlan.Run> runs) {
    double last = 0;
    for (int task = 0; task < job.scale(); task++) {
      RoundPlan.Run run = Objects.requireNonNull(runs.get(job.id() + "/" + round + "/" + task));
      last = Math.max(last, run.synchronizedAt());
    }
    return last;
  }

  private static RoundJob job(RoundProblem problem, RoundPlan.Run run) {
    return problem.jobs().stream()
        .filter(job -> job.id().equals(run.job()))
        .findFirst()
        .orElseThrow();
  }

  @Property(tries = 300)
  void noPlanIsBetterThanTheBestAndTheBestIsNotBelowTheBound(
      @ForAll("smallProblems") RoundProblem problem, @ForAll GpuChoice choice) {
    double best = ExhaustiveRounds.leastWeightedEnd(problem);
    RoundPlan plan = new RoundPlanner(TaskOrder.byWork(), choice).plan(problem);

    assertThat(plan.weightedEnd(problem)).isGreaterThanOrEqualTo(best - 1e-9);
    assertThat(RoundBounds.of(problem).weightedEnd()).isLessThanOrEqualTo(best + 1e-9);
  }
}
