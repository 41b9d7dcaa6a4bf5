package io.github.liquidscheduler.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The goals of lab/liquid-lab/docs/research.md, over all sources. */
@Tag("public-data")
class MemoryEvaluationTest {

  @Test
  void memoryOfOtherSourcesIsEstimatedWithinTheGoals() throws IOException {
    MemoryScore first = evaluation().atFirstSight();

    assertThat(first.count()).isEqualTo(78);
    assertThat(first.error()).isLessThanOrEqualTo(0.25);
    assertThat(first.underRequested()).isLessThanOrEqualTo(0.05);
    assertThat(first.coverage()).isBetween(0.85, 0.95);
    assertThat(first.request()).isLessThanOrEqualTo(2);
  }

  @Test
  void twoBatchSizesTellTheOthers() throws IOException {
    MemoryScore second = evaluation().afterTwoBatchSizes();

    assertThat(second.count()).isEqualTo(129);
    assertThat(second.error()).isLessThanOrEqualTo(0.03);
    assertThat(second.request()).isLessThanOrEqualTo(1.3);
  }

  private static MemoryEvaluation evaluation() throws IOException {
    Path folder = SharedData.file("");
    return MemoryEvaluation.of(folder, 1);
  }
}
