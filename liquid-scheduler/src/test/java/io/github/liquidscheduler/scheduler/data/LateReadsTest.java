package io.github.liquidscheduler.scheduler.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LateReadsTest {
  private static final double CERTAIN = 1;
  private static final double LIKELY = .7;

  private final LateReads late = new LateReads();

  @Test
  void soLongAsNothingWasSeenHalfAreReadAndAtWorstNone() {
    assertThat(late.probabilityOfLoss()).isEqualTo(.5);
    assertThat(late.probabilityOfLoss(CERTAIN, 0)).isEqualTo(1);
  }

  @Test
  void whatLiesUnreadCountsAsLostAtWorst() {
    for (int copy = 0; copy < 6; copy++) {
      late.observe(CERTAIN, true);
    }

    assertThat(late.probabilityOfLoss()).isEqualTo(1 / 8.0);
    assertThat(late.probabilityOfLoss(CERTAIN, 0)).isEqualTo(2 / 8.0);
    assertThat(late.probabilityOfLoss(CERTAIN, 4)).isEqualTo(6 / 12.0);
  }

  @Test
  void whatWasBroughtForSurerPredictionsTellsNothingOfOthers() {
    late.observe(CERTAIN, true);
    late.observe(LIKELY, false);

    assertThat(late.probabilityOfLoss(CERTAIN, 0)).isEqualTo(2 / 3.0);
    assertThat(late.probabilityOfLoss(LIKELY, 0)).isEqualTo(1);
  }
}
