package io.github.liquidscheduler.rounds.planner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RoundPlannerTest {

  private static final Pattern SPACE = Pattern.compile(" ");

  /** What an independent implementation of the rules comes to. */
  @ParameterizedTest
  @CsvSource({
    "7919, 30, 0, eat, 786.464296, 2834.551533",
    "7919, 30, 0, eat-tie, 487.505794, 1470.002838",
    "7919, 30, 0, eft, 402.816212, 1260.681983",
    "7919, 30, 0, eftg, 396.256868, 1240.312322",
    "15838, 40, 20, eat, 978.510638, 3963.098824",
    "15838, 40, 20, eat-tie, 561.690141, 2202.807634",
    "15838, 40, 20, eft, 473.683761, 1914.825057",
    "15838, 40, 20, eftg, 264.426560, 1564.590895",
    "23757, 60, 10, eat, 1181.933191, 4170.584609",
    "23757, 60, 10, eat-tie, 758.465783, 2714.719834",
    "23757, 60, 10, eft, 638.617999, 2321.688111",
    "23757, 60, 10, eftg, 425.716643, 1991.539754"
  })
  void generatedJobsAreGoldenByWork(
      long seed, int jobs, int gap, String choice, double jct, double makespan) {
    RoundProblem problem = GeneratedRounds.problem(seed, jobs, gap);
    RoundPlan plan = new RoundPlanner(TaskOrder.byWork(), GpuChoice.named(choice)).plan(problem);

    assertThat(plan.averageJct(problem)).isEqualTo(jct, within(1e-6));
    assertThat(plan.makespan()).isEqualTo(makespan, within(1e-6));
  }

  @Test
  void tasksOfARoundRunOneAfterAnotherWhereThatIsSooner() {
    GpuModel fast = GpuModel.of("fast");
    GpuModel slow = GpuModel.of("slow");
    RoundJob job =
        new RoundJob(
            JobId.of("job"),
            0,
            1,
            1,
            3,
            Map.of(fast, new TaskTime(1, 0), slow, new TaskTime(2.5, 0)));
    RoundProblem problem = new RoundProblem(List.of(job), List.of(fast, slow));

    RoundPlan plan = new RoundPlanner(TaskOrder.byWork(), GpuChoice.FIRST_GAP).plan(problem);

    assertThat(plan.sequences().get(0)).extracting(RoundPlan.Run::start).containsExactly(0.0, 1.0);
    assertThat(plan.sequences().get(1)).extracting(RoundPlan.Run::start).containsExactly(0.0);
    assertThat(plan.makespan()).isEqualTo(2.5);
  }

  /** Two tasks end with the slow GPU, whatever the fast one does, so the second job gets that. */
  @Test
  void aRoundLeavesAFastGpuToOthersWhereItsLastTaskEndsLaterAnyway() {
    GpuModel fast = GpuModel.of("fast");
    GpuModel slow = GpuModel.of("slow");
    GpuModel dear = GpuModel.of("dear");
    RoundJob first = job("first", 0, 2, Map.of(fast, 4.0, slow, 5.0, dear, 10.0));
    RoundJob second = job("second", 0.5, 1, Map.of(fast, 4.0, slow, 40.0, dear, 40.0));
    RoundProblem problem = new RoundProblem(List.of(first, second), List.of(fast, slow, slow));

    RoundPlan eftg = new RoundPlanner(TaskOrder.byWork(), GpuChoice.FIRST_GAP).plan(problem);
    RoundPlan plan = new RoundPlanner(TaskOrder.byWork(), GpuChoice.LEAST_DELAY).plan(problem);

    assertThat(eftg.end(first)).isEqualTo(5);
    assertThat(eftg.end(second)).isEqualTo(8);
    assertThat(plan.end(first)).isEqualTo(5);
    assertThat(plan.end(second)).isEqualTo(4.5);
  }

  private static RoundJob job(String id, double arrival, int scale, Map<GpuModel, Double> seconds) {
    Map<GpuModel, TaskTime> times = new HashMap<>();
    seconds.forEach((model, compute) -> times.put(model, new TaskTime(compute, 0)));
    return new RoundJob(JobId.of(id), arrival, 1, 1, scale, times);
  }

  @Test
  void theBestPlanOfFigureOneIsBelowThePrintedOne() {
    assertThat(ExhaustiveRounds.leastWeightedEnd(FigureOne.problem(1, 1))).isEqualTo(7.5);
    assertThat(ExhaustiveRounds.leastWeightedEnd(FigureOne.problem(2, 3))).isEqualTo(8.0);
  }

  /** Each line: a GPU's tasks as job, round, number and start. */
  private static RoundPlan printed(String... sequences) {
    List<List<RoundPlan.Run>> runs = new ArrayList<>();
    Map<JobId, Double> ends = new HashMap<>();
    RoundProblem problem = FigureOne.problem(1, 1);
    for (int gpu = 0; gpu < sequences.length; gpu++) {
      List<RoundPlan.Run> sequence = new ArrayList<>();
      for (String[] parts : tasks(sequences[gpu])) {
        RoundJob job = problem.jobs().get(parts[0].charAt(1) - '1');
        double start = Double.parseDouble(parts[3]);
        double end = start + requireNonNull(job.times().get(problem.gpus().get(gpu))).compute();
        sequence.add(
            new RoundPlan.Run(
                job.id(), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), start, end, end));
        ends.merge(job.id(), end, Math::max);
      }
      runs.add(sequence);
    }
    return new RoundPlan(runs, ends);
  }

  private static List<String[]> tasks(String sequence) {
    return Pattern.compile(", ")
        .splitAsStream(sequence)
        .map(task -> SPACE.splitAsStream(task).toArray(String[]::new))
        .toList();
  }

  private static void assertSum(RoundPlan plan, double sum, double makespan) {
    RoundProblem problem = FigureOne.problem(1, 1);
    RoundPlanChecks.assertFollowsTheRules(problem, plan);
    assertThat(plan.weightedEnd(problem)).isEqualTo(sum);
    assertThat(plan.makespan()).isEqualTo(makespan);
  }

  @Test
  void thePrintedSchedulesOfFigureOneFollowTheRules() {
    assertSum(
        printed(
            "J2 0 0 0, J2 0 1 1, J2 0 2 2, J1 0 0 3",
            "J3 0 0 0, J3 1 0 1.5",
            "J3 0 1 0, J3 1 1 1.5, J1 0 1 3"),
        10.5,
        4.5);
    assertSum(
        printed(
            "J2 0 0 0, J2 0 1 1, J2 0 2 2",
            "J1 0 0 0, J1 0 1 2",
            "J3 0 0 0, J3 0 1 .5, J3 1 0 1, J3 1 1 1.5"),
        9,
        4);
    assertSum(
        printed(
            "J2 0 0 0, J2 0 1 1, J2 0 2 2",
            "J3 0 0 0, J3 1 0 1.5",
            "J1 0 0 0, J3 0 1 1, J1 0 1 1.5, J3 1 1 2.5"),
        8.5,
        3);
  }

  @ParameterizedTest
  @EnumSource(
      value = GpuChoice.class,
      names = {"FIRST_GAP", "LEAST_DELAY"})
  void localSearchFindsTheBestPlansOfFigureOneWithAnySeed(GpuChoice choice) {
    RoundPlanner start = new RoundPlanner(TaskOrder.byWork(), choice);
    RoundProblem single = FigureOne.problem(1, 1);
    RoundProblem chains = FigureOne.problem(2, 3);

    for (long seed = 0; seed < 20; seed++) {
      LocalSearch search = new LocalSearch(start, OptionalInt.empty(), seed);
      assertThat(search.plan(single).weightedEnd(single)).isEqualTo(7.5);
      assertThat(search.plan(chains).weightedEnd(chains)).isEqualTo(8.0);
    }
  }

  @Test
  void tasksOfFigureFourRunWhereGpusAreFreeFirst() {
    GpuModel[] gpus = {GpuModel.of("GPU1"), GpuModel.of("GPU2"), GpuModel.of("GPU3")};
    double[] busyUntil = {1, 1.5, 3};
    List<RoundJob> jobs = new ArrayList<>();
    for (int gpu = 0; gpu < 3; gpu++) {
      Map<GpuModel, TaskTime> times = new HashMap<>();
      for (int other = 0; other < 3; other++) {
        times.put(gpus[other], new TaskTime(other == gpu ? busyUntil[gpu] : 100, 0));
      }
      jobs.add(new RoundJob(JobId.of("busy-" + gpu), 0, 1000, 1, 1, times));
    }
    jobs.add(FigureOne.job("new", 1, 3, 1, 1.5, 3));
    RoundProblem problem = new RoundProblem(jobs, List.of(gpus));

    RoundPlan plan = new RoundPlanner(TaskOrder.byWork(), GpuChoice.FIRST_GAP).plan(problem);

    assertThat(plan.ends().get(JobId.of("new"))).isEqualTo(3.0);
    assertThat(plan.sequences().get(0)).hasSize(3);
    assertThat(plan.sequences().get(1)).hasSize(2);
  }

  @Test
  void theProvedFactorGrowsWithTheDifferenceOfTheGpus() {
    RoundBounds bounds = RoundBounds.of(FigureOne.problem(1, 1));

    assertThat(bounds.alpha()).isEqualTo(4);
    assertThat(bounds.factor()).isEqualTo(24);
    assertThat(bounds.weightedEnd()).isBetween(5.6, 7.5);
  }
}
