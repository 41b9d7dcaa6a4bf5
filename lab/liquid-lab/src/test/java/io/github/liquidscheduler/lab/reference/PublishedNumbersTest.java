package io.github.liquidscheduler.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers that the original simulator prints for public traces, in all their digits. */
class PublishedNumbersTest {

  @ParameterizedTest
  @CsvSource({
    "fifo, 423.483, 374.5, 1361.57, 3645",
    "fjf, 310.417, 194, 1312.62, 3304",
    "dlas, 310.417, 194, 1312.62, 3304",
    "dlas-gpu, 310.417, 194, 1312.62, 3304",
    "sjf, 413.433, 127.5, 1802.46, 3271",
    "shortest, 273.500, 145, 1946.07, 3433",
    "shortest-gpu, 353.433, 130.5, 2393.35, 3344",
    "dlas-gpu-gittins, 443.717, 149, 2298.76, 3397"
  })
  void theSixtyJobTraceOnTwelveGpus(
      String policy, BigDecimal average, BigDecimal median, BigDecimal p99, long makespan) {
    JctStatistics found = run("tiresias/simulator/60_job.csv", 12, policy).statistics();

    assertFigures(found, average, median, p99, makespan);
  }

  @ParameterizedTest
  @CsvSource({
    "fifo, 4053.352, 1463, 34952.83, 93142, 1945609",
    "fjf, 3120.498, 593, 33863.47, 88951, 1497839",
    "sjf, 3271.096, 547.5, 34141.55, 87974, 1570126",
    "shortest, 2987.700, 542.5, 39024.14, 91957, 1434096",
    "shortest-gpu, 2886.175, 542.5, 35710.64, 87974, 1385364",
    "dlas, 2992.735, 547.5, 35672.12, 87974, 1436513",
    "dlas-gpu, 3143.892, 542.5, 34794.28, 87974, 1509068",
    "dlas-gpu-1, 2966.429, 544, 35089.16, 88292, 1423886",
    "dlas-gpu-gittins, 2934.490, 542.5, 35332.51, 87974, 1408555"
  })
  void theSyntheticTraceOnSixtyFourGpus(
      String policy,
      BigDecimal average,
      BigDecimal median,
      BigDecimal p99,
      long makespan,
      long sum) {
    JctStatistics found = run("synthetic/synth480.csv", 64, policy).statistics();

    assertFigures(found, average, median, p99, makespan);
    assertThat(found.completion().sum()).isEqualTo(Duration.ofSeconds(sum));
  }

  private static ReferenceRun run(String file, int gpus, String policy) {
    Trace trace = TraceFormat.TIRESIAS.reader().read(SharedData.file(file));
    return TiresiasSimulator.of(gpus, policy(policy)).run(trace);
  }

  private static TiresiasPolicy policy(String name) {
    return TiresiasPolicy.needsServiceSamples(name)
        ? TiresiasPolicy.gittins(
            ServiceSamples.read(SharedData.file("tiresias/simulator/yarn-gput1000.csv")))
        : TiresiasPolicy.named(name);
  }

  private static void assertFigures(
      JctStatistics found, BigDecimal average, BigDecimal median, BigDecimal p99, long makespan) {
    assertThat(seconds(found.completion().average(), 3)).isEqualByComparingTo(average);
    assertThat(seconds(found.completion().median(), 9)).isEqualByComparingTo(median);
    assertThat(seconds(found.completion().percentile(99), 9)).isEqualByComparingTo(p99);
    assertThat(found.makespan()).isEqualTo(Duration.ofSeconds(makespan));
  }

  private static BigDecimal seconds(Duration time, int digits) {
    return BigDecimal.valueOf(time.toNanos(), 9).setScale(digits, RoundingMode.HALF_EVEN);
  }
}
