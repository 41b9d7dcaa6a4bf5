package io.github.liquidscheduler.estimator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ClassHistoryTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final WorkloadClass ONE = new WorkloadClass("one", OptionalInt.of(8), "fp16");
  private static final WorkloadClass OTHER = new WorkloadClass("other", OptionalInt.empty(), "");

  @Test
  void aHistorySurvivesBeingWritten() {
    ClassHistory history = new ClassHistory();
    history.setMean(V100, 0.7);
    history.isolated(ONE, V100, 12.5);
    history.colocated(ONE, OTHER, V100, 0.5);

    ClassHistory read = ClassHistory.fromText(history.toText());

    assertThat(read.toText()).isEqualTo(history.toText());
    assertThat(read.mean(V100)).isEqualTo(0.7);
    assertThat(read.record(ONE, V100).isolatedRate()).isEqualTo(12.5);
    assertThat(read.record(ONE, V100).asVictim().mean()).isCloseTo(-0.1, within(1e-9));
    assertThat(read.record(OTHER, V100).asAggressor().mean()).isCloseTo(-0.1, within(1e-9));
  }

  @Test
  void aMalformedLineIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassHistory.fromText("one;8;|V100|x"))
        .withMessageContaining("one;8;|V100|x");
  }
}
