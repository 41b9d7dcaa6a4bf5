package io.github.liquidscheduler.simulator.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SyntheticTraceTest {
  /** What the shipped sample is drawn from. */
  private static final SyntheticTrace SAMPLE =
      SyntheticTrace.builder()
          .jobs(240)
          .meanInterval(Duration.ofMinutes(1))
          .longest(Duration.ofHours(8))
          .mostGpus(16)
          .build();

  private static final SyntheticTrace LARGE = SyntheticTrace.builder().jobs(50_000).build();

  @Test
  void theSameSeedDrawsTheSameTrace() {
    SyntheticTrace small = SyntheticTrace.builder().jobs(50).build();

    assertThat(small.draw(7).jobs()).isEqualTo(small.draw(7).jobs());
    assertThat(small.draw(7).jobs()).isNotEqualTo(small.draw(8).jobs());
  }

  @Test
  void mostJobsAreSmall() {
    List<TraceJob> jobs = LARGE.draw(1).jobs();

    assertThat(share(jobs.stream().filter(job -> job.gpus() == 1).count()))
        .isCloseTo(0.932, within(0.005));
    assertThat(jobs.stream().mapToInt(TraceJob::gpus).distinct())
        .containsExactlyInAnyOrder(1, 2, 4, 8, 16, 32);
  }

  @Test
  void durationsFollowThePublishedQuantiles() {
    List<Duration> durations =
        LARGE.draw(2).jobs().stream().map(job -> job.duration().orElseThrow()).sorted().toList();

    assertQuantile(durations, 0.10, 61);
    assertQuantile(durations, 0.50, 1_144);
    assertQuantile(durations, 0.75, 2_932);
    assertQuantile(durations, 0.90, 11_160);
    assertQuantile(durations, 0.99, 255_600);
  }

  @Test
  void jobsArriveAtTheMeanInterval() {
    Duration last = LARGE.draw(3).jobs().get(49_999).submit();

    assertThat(last.toSeconds() / 49_999.0).isCloseTo(115, within(2.0));
  }

  @Test
  void longAndLargeJobsAreCut() {
    Trace trace =
        SyntheticTrace.builder()
            .jobs(5_000)
            .longest(Duration.ofHours(1))
            .mostGpus(3)
            .build()
            .draw(4);

    assertThat(trace.jobs())
        .allMatch(job -> job.gpus() <= 3)
        .allMatch(job -> job.duration().orElseThrow().compareTo(Duration.ofHours(1)) <= 0);
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyntheticTrace.builder().jobs(0))
        .withMessage("jobs must be from 1 to 500000, but were 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyntheticTrace.builder().meanInterval(Duration.ofDays(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyntheticTrace.builder().longest(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> SyntheticTrace.builder().mostGpus(64));
  }

  @Test
  void theSampleIsWhatItsSeedDraws() throws IOException {
    StringBuilder drawn = new StringBuilder();
    TiresiasWriter.write(SAMPLE.draw(240), drawn);

    try (InputStream shipped = SampleTrace.class.getResourceAsStream(SampleTrace.RESOURCE)) {
      assertThat(new String(Objects.requireNonNull(shipped).readAllBytes(), UTF_8))
          .isEqualTo(drawn.toString());
    }
    assertThat(SampleTrace.read().jobs()).hasSize(240);
  }

  private static void assertQuantile(List<Duration> ascending, double level, double seconds) {
    double found = ascending.get((int) (level * ascending.size())).toSeconds();
    assertThat(found / seconds).as("quantile %s", level).isCloseTo(1, within(0.1));
  }

  private static double share(long count) {
    return count / 50_000.0;
  }
}
