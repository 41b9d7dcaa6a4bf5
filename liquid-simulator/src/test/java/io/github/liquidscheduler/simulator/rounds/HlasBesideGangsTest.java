package io.github.liquidscheduler.simulator.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.simulation.OnlineRounds;
import io.github.liquidscheduler.simulator.rounds.baseline.GangLasPlanner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conditions are those of lab/liquid-lab/docs/research.md. */
@Tag("slow")
class HlasBesideGangsTest {

  private static final int SEEDS = 20;

  /** Of Student's t with 19 degrees of freedom, for 95 %. */
  private static final double QUANTILE = 2.093;

  private static RoundProblem problem(int seed, int gpus, int jobs, int gap) {
    RoundProblem generated = GeneratedRounds.problem(7919L * seed, jobs, gap);
    if (gpus == generated.gpus().size()) {
      return generated;
    }
    List<GpuModel> fleet = new ArrayList<>(Collections.nCopies(85, GpuModel.of("V100")));
    fleet.addAll(Collections.nCopies(43, GpuModel.of("T4")));
    fleet.addAll(Collections.nCopies(11, GpuModel.of("K80")));
    fleet.addAll(Collections.nCopies(21, GpuModel.of("M60")));
    return new RoundProblem(generated.jobs(), fleet);
  }

  @ParameterizedTest
  @CsvSource({"15, 30, 0", "15, 60, 10", "160, 300, 2"})
  void scaleFreeHlasIsFasterThanGangsThatOthersBypass(int gpus, int jobs, int gap) {
    assertThat(leastFactor(RoundPolicy.scaleFreeHlas(), true, gpus, jobs, gap)).isGreaterThan(1.3);
  }

  @ParameterizedTest
  @CsvSource({"15, 60, 10", "160, 300, 2"})
  void hlasIsFasterThanLeastAttainedServiceInGangs(int gpus, int jobs, int gap) {
    RoundPolicy hlas = RoundPolicy.hlas(60, 400);

    assertThat(leastFactor(hlas, false, gpus, jobs, gap)).isGreaterThan(1.3);
    assertThat(leastFactor(hlas, true, gpus, jobs, gap)).isGreaterThan(1.1);
  }

  /** Returns the lower end of the interval of how many times as long jobs take in gangs. */
  private static double leastFactor(
      RoundPolicy policy, boolean bypasses, int gpus, int jobs, int gap) {
    RoundAlgorithm hlas = new OnlineRounds(policy);
    RoundAlgorithm gangs =
        bypasses ? GangLasPlanner.of(60, 400) : GangLasPlanner.withoutBypass(60, 400);
    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      RoundProblem problem = problem(seed, gpus, jobs, gap);
      double factor =
          gangs.plan(problem).averageJct(problem) / hlas.plan(problem).averageJct(problem);
      sum += factor;
      squares += factor * factor;
    }
    double mean = sum / SEEDS;
    double variance = (squares - SEEDS * mean * mean) / (SEEDS - 1);
    return mean - QUANTILE * Math.sqrt(variance / SEEDS);
  }
}
