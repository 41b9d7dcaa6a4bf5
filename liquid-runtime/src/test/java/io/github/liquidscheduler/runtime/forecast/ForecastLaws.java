package io.github.liquidscheduler.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.runtime.forecast.RunTimeDistribution.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;

/** Run times agree with what was seen, and intervals with what they are told. */
class ForecastLaws {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /**
   * A job that was asked about.
   *
   * @param after seconds after the one before
   * @param spread what the scenarios said
   * @param waited for how many seconds it waited
   */
  record Question(int after, WaitSpread spread, double waited) {}

  @Provide
  Arbitrary<List<Span>> spans() {
    Arbitrary<Double> times = Arbitraries.integers().between(0, 40).map(each -> each / 4.0);
    return Combinators.combine(times, times, Arbitraries.of(true, false))
        .as((one, two, isEnded) -> new Span(Math.min(one, two), Math.max(one, two), isEnded))
        .list()
        .ofMinSize(1)
        .ofMaxSize(30)
        .filter(spans -> spans.stream().anyMatch(Span::isEnded));
  }

  @Provide
  Arbitrary<List<Question>> questions() {
    Arbitrary<Double> times = Arbitraries.doubles().between(0, 100_000).ofScale(3);
    return Combinators.combine(
            Arbitraries.integers().between(0, 1000),
            Combinators.combine(times, times, times)
                .as((one, two, three) -> WaitSpread.of(new double[] {one, two, three})),
            times)
        .as(Question::new)
        .list()
        .ofMinSize(25)
        .ofMaxSize(80);
  }

  @Property
  void whoHasLastedLongerLastsLonger(
      @ForAll("spans") List<Span> spans,
      @ForAll @DoubleRange(max = 12) double lasted,
      @ForAll @DoubleRange(max = 12) double more,
      @ForAll @DoubleRange(min = .01, max = .99) double quantile) {
    RunTimeDistribution distribution = new RunTimeDistribution(spans);
    double length = distribution.given(lasted, quantile);

    assertThat(length).isGreaterThanOrEqualTo(lasted);
    assertThat(distribution.given(lasted + more, quantile)).isGreaterThanOrEqualTo(length);
  }

  @Property
  void aHigherQuantileIsNotLess(
      @ForAll("spans") List<Span> spans,
      @ForAll @DoubleRange(max = 12) double lasted,
      @ForAll @DoubleRange(min = .01, max = .99) double one,
      @ForAll @DoubleRange(min = .01, max = .99) double other) {
    RunTimeDistribution distribution = new RunTimeDistribution(spans);

    assertThat(distribution.given(lasted, Math.max(one, other)))
        .isGreaterThanOrEqualTo(distribution.given(lasted, Math.min(one, other)));
  }

  @Property
  void noMoreThanOneMinusAQuantileWereSeenToLastLonger(
      @ForAll("spans") List<Span> any, @ForAll @DoubleRange(min = .01, max = .99) double quantile) {
    List<Span> spans = any.stream().map(span -> new Span(0, span.to(), true)).toList();
    double length = new RunTimeDistribution(spans).given(0, quantile);

    long longer = spans.stream().filter(span -> span.to() > length).count();
    assertThat(longer).isLessThanOrEqualTo((long) ((1 - quantile) * spans.size() + 1e-9));
  }

  @Property(tries = 300)
  void anIntervalHoldsAllThatTheScenariosSpan(@ForAll("questions") List<Question> questions) {
    WaitCalibration calibration = new WaitCalibration();
    Instant now = NOON;
    for (int number = 0; number < questions.size(); number++) {
      Question question = questions.get(number);
      JobId job = JobId.of("j" + number);
      now = now.plusSeconds(question.after());
      Instant asked = now;
      Optional<StartInterval> interval = calibration.forecast(job, asked, question.spread());
      interval.ifPresent(
          each -> {
            assertThat(each.contains(after(asked, question.spread().least()))).isTrue();
            assertThat(each.contains(each.expected())).isTrue();
            assertThat(each.contains(after(asked, question.spread().most()))).isTrue();
          });
      now = after(now, question.waited());
      calibration.started(job, now);
    }
  }

  private static Instant after(Instant from, double seconds) {
    return from.plus(Duration.ofNanos(Math.round(seconds * 1e9)));
  }
}
