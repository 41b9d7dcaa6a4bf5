package io.github.liquidscheduler.estimator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class HostFitTest {
  private static final List<Double> SPEEDS = List.of(1.0, 2.0, 4.0);
  private static final List<Integer> BATCHES = List.of(8, 32, 128);

  @Property(tries = 200)
  void bothPartsOfTheTimeAreFoundWhereTheyAre(
      @ForAll @DoubleRange(max = 1) double fixed,
      @ForAll @DoubleRange(max = 0.01) double hostPerSample,
      @ForAll @DoubleRange(min = 0.01, max = 1) double kernel,
      @ForAll @DoubleRange(min = 0.01, max = 0.1) double gpuPerSample) {
    List<HostFit.Point> points = new ArrayList<>();
    for (double speed : SPEEDS) {
      for (int batch : BATCHES) {
        double gpu = (kernel + gpuPerSample * batch) / speed;
        double time = fixed + hostPerSample * batch + gpu;
        points.add(new HostFit.Point(batch, speed, 1 / time));
      }
    }
    HostFit fit = Objects.requireNonNull(HostFit.of(points));

    for (HostFit.Point point : points) {
      double gpu = (kernel + gpuPerSample * point.batch()) / point.speed();
      assertThat(fit.gpuShare(point)).isCloseTo(gpu * point.rate(), within(0.01));
    }
  }

  @Property(tries = 200)
  void aShareIsFromNothingToAll(
      @ForAll @DoubleRange(min = 0.01, max = 100) double slow,
      @ForAll @DoubleRange(min = 0.01, max = 100) double middle,
      @ForAll @DoubleRange(min = 0.01, max = 100) double fast) {
    List<HostFit.Point> points =
        List.of(
            new HostFit.Point(8, 1, slow),
            new HostFit.Point(8, 2, middle),
            new HostFit.Point(8, 4, fast));
    HostFit fit = Objects.requireNonNull(HostFit.of(points));

    assertThat(points).allSatisfy(each -> assertThat(fit.gpuShare(each)).isBetween(0.0, 1.0));
  }

  @Test
  void whoIsNoFasterOnAFasterGpuIsBoundByItsHost() {
    HostFit fit =
        Objects.requireNonNull(
            HostFit.of(
                List.of(
                    new HostFit.Point(8, 1, 10),
                    new HostFit.Point(8, 2, 10),
                    new HostFit.Point(8, 4, 10))));
    assertThat(fit.gpuShare(new HostFit.Point(8, 1, 10))).isCloseTo(0, within(1e-9));
  }

  @Test
  void oneGpuModelOrTwoRatesTellNothing() {
    HostFit.Point one = new HostFit.Point(8, 1, 10);
    assertThat(HostFit.of(List.of(one, one, one))).isNull();
    assertThat(HostFit.of(List.of(one, new HostFit.Point(8, 2, 20)))).isNull();
  }
}
