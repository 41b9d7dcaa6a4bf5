package io.github.liquidscheduler.lab.reference.gavel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ComparativeAdvantageLawsTest {

  private static final int[] GPUS = {2, 3};

  @Test
  void theFastGpuGoesToWhoLosesMostOnTheSlowOneAndNotToTheFastestThere() {
    GavelJob fastest = TestCombinations.job(0, 1, 1000, 10, 9);
    GavelJob losing = TestCombinations.job(1, 1, 1000, 2, 0.5);

    List<SelectedRun> runs = next(List.of(fastest, losing), new int[] {1, 1}, 0);

    assertThat(runs).extracting(run -> run.combination().first()).containsExactly(fastest, losing);
    assertThat(runs).extracting(SelectedRun::model).containsExactly(1, 0);
  }

  @Test
  void aJobThatFinishesWithinTheRoundOnASlowGpuTooLeavesTheFastOne() {
    GavelJob longer = TestCombinations.job(1, 1, 1000, 1, 0.2);

    assertThat(onFastGpu(TestCombinations.job(0, 1, 100, 1, 0.5), longer)).isEqualTo(longer);
    GavelJob notWithin = TestCombinations.job(0, 1, 400, 1, 0.1);
    assertThat(onFastGpu(notWithin, longer)).isEqualTo(notWithin);
  }

  /** Returns who gets the GPU of the first model if it is known how much is left. */
  private static GavelJob onFastGpu(GavelJob first, GavelJob second) {
    ComparativeAdvantage rounds = new ComparativeAdvantage(true, new int[] {1, 1}, null);
    rounds.arrived(first);
    rounds.arrived(second);
    return rounds.next(0).stream()
        .filter(run -> run.model() == 0)
        .map(run -> run.combination().first())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void twoShareAGpuIfBothRetainEnoughAndOneWaitsElse() {
    GavelJob first = TestCombinations.job(0, 1, 1000, 1, 0);
    GavelJob second = TestCombinations.job(1, 1, 1000, 1, 0);

    assertThat(next(List.of(first, second), new int[] {1, 1}, 0.8)).hasSize(1);
    assertThat(next(List.of(first, second), new int[] {1, 1}, 0.8).getFirst().combination().jobs())
        .containsExactly(first, second);
    assertThat(next(List.of(first, second), new int[] {1, 1}, 0.4).getFirst().combination().jobs())
        .hasSize(1);
  }

  @Property(tries = 300)
  void eachJobRunsOnceAtMostWhereItCanAndTheGpusSuffice(
      @ForAll("jobs") List<GavelJob> jobs, @ForAll("retained") double retained) {
    List<SelectedRun> runs = next(jobs, GPUS, retained);

    assertThat(runs.stream().flatMap(run -> run.combination().jobs().stream()))
        .doesNotHaveDuplicates();
    for (int model = 0; model < GPUS.length; model++) {
      int of = model;
      assertThat(
              runs.stream()
                  .filter(run -> run.model() == of)
                  .mapToInt(run -> run.combination().gpus())
                  .sum())
          .isLessThanOrEqualTo(GPUS[model]);
    }
    assertThat(runs).allMatch(run -> run.combination().runsOn(run.model()));
  }

  @Property(tries = 300)
  void sharingNeverLowersTheSumOfRelativeSpeeds(
      @ForAll("jobs") List<GavelJob> jobs, @ForAll("retained") double retained) {
    assertThat(speeds(next(jobs, GPUS, retained)))
        .isGreaterThanOrEqualTo(speeds(next(jobs, GPUS, 0)) - 1e-9);
  }

  /** Returns what runs if two on one GPU each retain so much of their speed. */
  private static List<SelectedRun> next(List<GavelJob> jobs, int[] gpus, double retained) {
    ComparativeAdvantage rounds =
        new ComparativeAdvantage(
            false,
            gpus,
            (first, second) ->
                Combination.of(
                    first,
                    second,
                    new double[][] {scaled(first, retained), scaled(second, retained)}));
    jobs.forEach(rounds::arrived);
    return rounds.next(0);
  }

  private static double[] scaled(GavelJob job, double factor) {
    double[] speeds = job.speeds();
    for (int model = 0; model < speeds.length; model++) {
      speeds[model] *= factor;
    }
    return speeds;
  }

  private static double speeds(List<SelectedRun> runs) {
    double sum = 0;
    for (SelectedRun run : runs) {
      for (int job = 0; job < run.combination().jobs().size(); job++) {
        sum +=
            run.combination().speed(job, run.model()) / run.combination().jobs().get(job).fastest();
      }
    }
    return sum;
  }

  @Provide
  Arbitrary<Double> retained() {
    return Arbitraries.doubles().between(0, 1).ofScale(2);
  }

  @Provide
  Arbitrary<List<GavelJob>> jobs() {
    Arbitrary<Double> speed = Arbitraries.doubles().between(0.5, 4).ofScale(1);
    return Combinators.combine(Arbitraries.of(1, 1, 1, 2), speed, speed)
        .as((gpus, first, second) -> new Object[] {gpus, first, second})
        .list()
        .ofMinSize(1)
        .ofMaxSize(8)
        .map(
            all -> {
              List<GavelJob> jobs = new ArrayList<>();
              for (Object[] each : all) {
                jobs.add(
                    TestCombinations.job(
                        jobs.size(), (int) each[0], 1000, (double) each[1], (double) each[2]));
              }
              return jobs;
            });
  }
}
