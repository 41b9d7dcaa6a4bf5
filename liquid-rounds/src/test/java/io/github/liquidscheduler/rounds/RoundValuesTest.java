package io.github.liquidscheduler.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundValuesTest {

  private static final JobId JOB = JobId.of("train-7");
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel T4 = GpuModel.of("T4");
  private static final GpuId GPU = GpuId.of("n7", 2);
  private static final RoundTask TASK = new RoundTask(JOB, 3, 0);

  /** Expects a fixed number of iterations per second on each model, for one GPU of a node. */
  private static PerformancePredictor predictor(Map<GpuModel, Double> iterations) {
    return new PerformancePredictor() {
      @Override
      public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
        assertThat(gpus).isEqualTo(1);
        assertThat(widestLevel).isEqualTo("node");
        return Prediction.certain(iterations.getOrDefault(gpu, 0.0), Provenance.PRIOR);
      }

      @Override
      public void observe(
          JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {}

      @Override
      public void close() {}
    };
  }

  @Test
  void aTaskIsPredictedToTakeAsLongAsOneIteration() {
    JobSpec job = JobSpec.builder("train-7").gpus(1).build();
    PerformancePredictor predictor = predictor(Map.of(V100, 8.0, T4, 2.0));

    assertThat(ComputeTimes.predicted(predictor, job, List.of(V100, T4)).seconds())
        .isEqualTo(Map.of(V100, 0.125, T4, 0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ComputeTimes.predicted(predictor, job, List.of(GpuModel.of("K80"))))
        .withMessage(
            "a task must compute for a positive, finite time, but for Infinity s on a K80");
  }

  @Test
  void timesAreInTheOrderOfTheModels() {
    Map<GpuModel, Double> times = new LinkedHashMap<>();
    times.put(V100, 1.0);
    times.put(T4, 3.0);

    assertThat(new ComputeTimes(times).seconds().keySet()).containsExactly(T4, V100);
  }

  @Test
  void aPlanRunsATaskOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GpuSequencePlan(Map.of(GPU, List.of(TASK, TASK))))
        .withMessage("a plan must run a task once, but runs train-7/3/0 twice");
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RoundTask(JOB, -1, 0))
        .withMessage("rounds and tasks are counted from 0, but were -1 and 0, for job 'train-7'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TaskRun(TASK, GPU, 0))
        .withMessage("the number of a run must be at least 1, but was 0, for task train-7/3/0");
    TaskRun run = new TaskRun(TASK, GPU, 41);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RoundEvent.TaskComputed(Instant.EPOCH, run, Optional.of(Duration.ZERO)))
        .withMessage(
            "a task must compute for a positive time, but for PT0S, train-7/3/0 on n7:2, run 41");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RoundEvent.GpuAskedBack(Instant.EPOCH, GPU, Instant.EPOCH.minusSeconds(1)))
        .withMessageStartingWith("a GPU must not be asked back for a time that is over");
  }
}
