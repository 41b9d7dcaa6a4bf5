package io.github.liquidscheduler.estimator.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import org.junit.jupiter.api.Test;

class MemoryLinesTest {
  private static final double GIBIBYTE = 1L << 30;

  private final MemoryLines lines = new MemoryLines();

  @Test
  void twoBatchSizesTellOfAThird() {
    observe(task("resnet50", 16, ""), 3);
    observe(task("resnet50", 32, ""), 5);

    Prediction memory = answer(task("resnet50", 64, ""));

    assertThat(memory.value()).isCloseTo(9 * GIBIBYTE, withinPercentage(0.01));
    assertThat(memory.high() / memory.value()).isLessThan(1.3);
  }

  @Test
  void oneBatchSizeTellsOfNone() {
    observe(task("resnet50", 16, ""), 3);
    observe(task("resnet50", 16, ""), 3);

    TaskProfile other = task("resnet50", 64, "");
    assertThat(lines.answer(other, new TaskFacts(other))).isEmpty();
  }

  @Test
  void aLineThatFallsIsLevelled() {
    observe(task("resnet50", 16, ""), 5);
    observe(task("resnet50", 32, ""), 3);

    assertThat(answer(task("resnet50", 64, "")).value())
        .isCloseTo(4 * GIBIBYTE, withinPercentage(0.01));
  }

  @Test
  void farBeyondWhatWasSeenTheIntervalIsLonger() {
    observe(task("resnet50", 16, ""), 3);
    observe(task("resnet50", 32, ""), 5);

    Prediction near = answer(task("resnet50", 64, ""));
    Prediction far = answer(task("resnet50", 512, ""));

    assertThat(far.high() / far.value()).isGreaterThan(2 * near.high() / near.value());
  }

  @Test
  void aFamilyWhoseLinesHeldHasShortIntervals() {
    for (int batch = 1; batch <= 12; batch++) {
      observe(task("vgg16", batch, ""), 2 + batch);
    }
    observe(task("resnet50", 16, ""), 3);
    observe(task("resnet50", 32, ""), 5);

    Prediction ofFamily = answer(task("vgg16", 20, ""));
    Prediction ofTeam = answer(task("resnet50", 64, ""));

    assertThat(ofFamily.high() / ofFamily.value()).isLessThan(1.02);
    assertThat(ofTeam.high() / ofTeam.value()).isLessThan(1.02);
  }

  @Test
  void aPoolThatDoublesIsNoLine() {
    observe(task("bert", 2, "growth"), 5.5);
    observe(task("bert", 4, "growth"), 9.5);

    assertThat(answer(task("bert", 16, "growth")).value())
        .isCloseTo(17.5 * GIBIBYTE, withinPercentage(0.01));
    assertThat(answer(task("bert", 3, "growth")).value())
        .isCloseTo(5.5 * GIBIBYTE, withinPercentage(0.01));
  }

  private void observe(TaskProfile task, double gibibytes) {
    lines.record(task, new TaskFacts(task), gibibytes * GIBIBYTE);
  }

  private Prediction answer(TaskProfile task) {
    return lines
        .answer(task, new TaskFacts(task))
        .orElseThrow()
        .prediction(ResourceTarget.GPU_MEMORY);
  }

  private static TaskProfile task(String family, int batch, String allocator) {
    Workload.Builder workload = Workload.builder(family).batchSize(batch);
    if (!allocator.isEmpty()) {
      workload.hyperparameter("allocator", allocator);
    }
    return TaskProfile.builder(workload.build()).team("vision").build();
  }
}
