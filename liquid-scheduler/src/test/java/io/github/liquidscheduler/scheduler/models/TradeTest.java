package io.github.liquidscheduler.scheduler.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.Entries;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class TradeTest {

  private static final GpuModel FAST = GpuModel.of("V100");
  private static final GpuModel SLOW = GpuModel.of("K80");

  @Test
  void withEqualWorkTheOneThatGainsMoreGetsTheFastGpus() {
    // Before: 100 and, after 90 of 100 left, 190. After: 100 and, after 50 of 100 left, 150.
    assertThat(trade(100, 0.1, 100, 0.5).saved()).isEqualTo(40, within(1e-9));
    assertThat(trade(100, 0.5, 100, 0.1).saved()).isEqualTo(-40, within(1e-9));
  }

  @Test
  void theShorterOneGetsTheFastGpusWhereBothGainAlike() {
    // Before: 20 on slow GPUs and 100. After: 10 and, after 95 of 100 left, 105.
    assertThat(trade(10, 0.5, 100, 0.5).saved()).isEqualTo(5, within(1e-9));
  }

  @Test
  void whereOthersTakeWhatBecomesFreeWhoIsLeftStaysOnSlowGpus() {
    // Before: 20 on slow GPUs and 100. After: 10, and 200 on slow GPUs.
    assertThat(trade(10, 0.5, 100, 0.5).savedWhileOthersWait()).isEqualTo(-90, within(1e-9));
    assertThat(trade(100, 0.1, 100, 0.5).savedWhileOthersWait()).isEqualTo(800, within(1e-9));
  }

  @Test
  void whoGivesWayMayBeFasterWhereItGoes() {
    assertThat(trade(100, 0.5, 100, 2).saved()).isEqualTo((100 + 150) - (50 + 100), within(1e-9));
  }

  @Property(tries = 300)
  void twoUniformJobsTradeExactlyIfTheShorterOneIsOnSlowGpus(
      @ForAll @DoubleRange(min = 1, max = 1000) double riser,
      @ForAll @DoubleRange(min = 1, max = 1000) double giver,
      @ForAll @DoubleRange(min = 0.05, max = 0.95) double slow) {
    double saved = trade(riser, slow, giver, slow).saved();

    if (riser < giver - 1e-6) {
      assertThat(saved).isGreaterThan(-1e-9);
    } else if (riser > giver + 1e-6) {
      assertThat(saved).isLessThan(1e-9);
    }
  }

  private static Trade trade(
      double riserLeft, double riserSlow, double giverLeft, double giverSlow) {
    return new Trade(
        new RunningOn(
            Entries.running("riser", Entries.on("riser", "n", 0)),
            SLOW,
            speeds(riserSlow),
            riserLeft),
        new RunningOn(
            Entries.running("giver", Entries.on("giver", "n", 1)),
            FAST,
            speeds(giverSlow),
            giverLeft));
  }

  private static Map<GpuModel, Double> speeds(double slow) {
    Map<GpuModel, Double> speeds = new LinkedHashMap<>();
    speeds.put(FAST, 1.0);
    speeds.put(SLOW, slow);
    return speeds;
  }
}
