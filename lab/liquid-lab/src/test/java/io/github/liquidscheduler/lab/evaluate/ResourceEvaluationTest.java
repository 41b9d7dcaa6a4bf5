package io.github.liquidscheduler.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import io.github.liquidscheduler.training.resource.ResourceTrainer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ResourceEvaluationTest {

  @Tag("slow")
  @Test
  void familiesNeverSeenAreEstimatedWithinTheGoals() throws Exception {
    List<Outcome> outcomes =
        ResourceEvaluation.heldOut(published(), ResourceEvaluation.HeldOut.LINEAGE, 1);

    TargetScore memory = score(outcomes);
    assertThat(memory.medianRelativeError()).isLessThan(0.25);
    assertThat(memory.underestimated()).isLessThanOrEqualTo(0.05);
    assertThat(memory.coverage()).isGreaterThan(0.87);
  }

  /** Every seventh of the 70 ways, to be quick. */
  @Tag("slow")
  @Test
  void halfOfTheFamiliesTellEnoughOfTheOtherHalf() throws Exception {
    List<ResourceEvaluation.Split> ways = ResourceEvaluation.halves(published(), "miso");
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < ways.size(); i += 7) {
      outcomes.addAll(ResourceEvaluation.split(ways.get(i).training(), ways.get(i).test(), 1));
    }

    TargetScore memory = score(outcomes);
    assertThat(memory.medianRelativeError()).isLessThan(0.25);
    assertThat(memory.underestimated()).isLessThanOrEqualTo(0.05);
    assertThat(memory.coverage()).isBetween(0.87, 0.93);
  }

  @Test
  void aSourceThatMeasuredOneFamilyCannotBeHalved() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceEvaluation.halves(new GeneratedJobs(5).next(120), "elsewhere"))
        .withMessageContaining("'elsewhere' measured 0");
  }

  @Test
  void theEstimatorLearnsAtLeastAsWellAsLiquids() {
    GeneratedJobs jobs = new GeneratedJobs(1);
    List<ResourceSample> test = jobs.next(50);

    List<Double> r2 = LearnerComparison.estimator(jobs.next(400), test, 1);

    assertThat(r2.get(0)).isGreaterThan(0.70);
    assertThat(r2.get(1)).isGreaterThan(0.80);
    assertThat(r2.get(2)).isGreaterThan(0.85);
    assertThat(r2.get(3)).isGreaterThan(0.90);
  }

  private static TargetScore score(List<Outcome> outcomes) {
    Optional<TargetScore> score = TargetScore.of(ResourceTarget.GPU_MEMORY, outcomes);
    return score.orElseThrow();
  }

  private static List<ResourceSample> published() throws IOException {
    Path copy = Files.createTempFile("published", ".csv");
    try (InputStream figures = ResourceTrainer.class.getResourceAsStream("published-figures.csv")) {
      Files.copy(Objects.requireNonNull(figures), copy, StandardCopyOption.REPLACE_EXISTING);
      return ResourceCsv.read(copy).samples();
    } finally {
      Files.delete(copy);
    }
  }
}
