package io.github.liquidscheduler.rounds.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FluidOrderTest {

  private static final GpuModel GPU = GpuModel.of("GPU");

  private static RoundJob job(String id, double arrival, int rounds, int scale) {
    return new RoundJob(JobId.of(id), arrival, 1, rounds, scale, Map.of(GPU, new TaskTime(2, 0)));
  }

  private static double[][] keys(int gpus, RoundJob... jobs) {
    return TaskOrder.byFluid()
        .keys(new RoundProblem(List.of(jobs), Collections.nCopies(gpus, GPU)));
  }

  @Test
  void aShortJobThatArrivesInterruptsALongOne() {
    double[][] keys = keys(1, job("long", 0, 3, 1), job("short", 2.5, 1, 1));

    assertThat(keys[0]).containsExactly(1, 5, 7);
    assertThat(keys[1]).containsExactly(3.5);
  }

  @Test
  void aLongJobThatArrivesWaits() {
    double[][] keys = keys(1, job("short", 0, 2, 1), job("long", 1, 3, 1));

    assertThat(keys[0]).containsExactly(1, 3);
    assertThat(keys[1]).containsExactly(5, 7, 9);
  }

  @Test
  void roundsFollowEachOtherNoFasterThanTheFastestGpu() {
    double[][] keys = keys(4, job("narrow", 0, 3, 1), job("wide", 0, 1, 8));

    assertThat(keys[0]).containsExactly(1, 3, 5);
    assertThat(keys[1]).containsExactly(3.5);
  }

  @Test
  void generatedJobsThatArriveOverTimeEndSoonerThanByWork() {
    double gain =
        IntStream.range(1, 9)
            .mapToObj(seed -> GeneratedRounds.problem(7919L * seed, 40, 20))
            .mapToDouble(
                problem ->
                    averageJct(TaskOrder.byFluid(), problem)
                        / averageJct(TaskOrder.byWork(), problem))
            .average()
            .orElseThrow();

    assertThat(gain).isEqualTo(0.92, within(0.03));
  }

  private static double averageJct(TaskOrder order, RoundProblem problem) {
    return new RoundPlanner(order, GpuChoice.FIRST_GAP).plan(problem).averageJct(problem);
  }
}
