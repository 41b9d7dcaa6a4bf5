package io.github.liquidscheduler.estimator.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.workload.LocalPair;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LocalEffectsTest {

  @Test
  void nothingIsKnownOfFamiliesThatWereNotWatched() {
    LocalEffects.Effect effect = watched(pair("a", 8, "b", 8), 0.2).effect(pair("c", 8, "d", 8));

    assertThat(effect.shift()).isZero();
    assertThat(effect.left()).isCloseTo(1, within(0.2));
  }

  @Test
  void aPairWatchedOftenIsOffByWhatWasWatched() {
    WatchedPairs pairs = WatchedPairs.NONE;
    for (int i = 0; i < 50; i++) {
      pairs = pairs.plus(pair("a", 8, "b", 8), 0.1, 0.2);
    }

    LocalEffects.Effect effect = pairs.effect(pair("a", 8, "b", 8));
    assertThat(0.2 * effect.shift()).isCloseTo(0.1, within(0.001));
    assertThat(effect.left()).isLessThan(0.1);
  }

  @Test
  void theSameVictimTellsMoreThanAnotherBatchSizeOfIt() {
    WatchedPairs pairs = watched(pair("a", 8, "b", 8), 0.1);

    double same = pairs.effect(pair("a", 8, "c", 8)).shift();
    double near = pairs.effect(pair("a", 16, "c", 8)).shift();
    double far = pairs.effect(pair("a", 512, "c", 8)).shift();
    assertThat(same).isGreaterThan(near);
    assertThat(near).isGreaterThan(far);
    assertThat(far).isPositive();
  }

  /** The likeness of 1 to 18 and that of 18 to 1 differ in their last bits. */
  @Test
  void batchSizesOfOneFamilyTellOfEachOtherHoweverLikenessIsRounded() {
    WatchedPairs pairs = watched(pair("a", 1, "b", 1), 0.1).plus(pair("a", 18, "b", 18), 0.1, 0.2);

    assertThat(pairs.effect(pair("a", 4, "b", 4)).shift()).isPositive();
  }

  @Test
  void theRoleMatters() {
    WatchedPairs pairs = watched(pair("a", 8, "b", 8), 0.1);

    assertThat(pairs.effect(pair("c", 8, "a", 8)).shift()).isZero();
    assertThat(pairs.effect(pair("c", 8, "b", 8)).shift()).isPositive();
  }

  @Test
  void errorsBeyondWhatWasPromisedWidenWhatIsLeft() {
    WatchedPairs calm = WatchedPairs.NONE;
    WatchedPairs wild = WatchedPairs.NONE;
    for (int i = 0; i < 20; i++) {
      calm = calm.plus(pair("a" + i, 8, "b" + i, 8), 0.01, 0.1);
      wild = wild.plus(pair("a" + i, 8, "b" + i, 8), i % 2 == 0 ? 0.4 : -0.4, 0.1);
    }

    LocalPair other = pair("c", 8, "d", 8);
    assertThat(calm.effect(other).left()).isLessThan(1);
    assertThat(wild.effect(other).left()).isGreaterThan(2);
  }

  @Test
  void aPairWatchedLongAgoStillTellsOfItself() {
    WatchedPairs pairs = WatchedPairs.NONE;
    for (int i = 0; i < 20; i++) {
      pairs = pairs.plus(pair("a", 8, "b", 8), 0.1, 0.2);
    }
    for (int i = 0; i < 200; i++) {
      pairs = pairs.plus(pair("c" + i, 8, "d" + i, 8), 0.01, 0.2);
    }

    LocalEffects.Effect effect = pairs.effect(pair("a", 8, "b", 8));
    assertThat(0.2 * effect.shift()).isCloseTo(0.1, within(0.01));
    assertThat(effect.left()).isLessThan(0.2);
    assertThat(pairs.effect(pair("a", 8, "c", 8)).shift()).isZero();
  }

  /** Golden: two pairs of one victim, solved by hand with the covariances .36 and 1. */
  @Test
  void twoPairsOfOneVictimAreWeighedAgainstTheirNoise() {
    WatchedPairs pairs =
        WatchedPairs.NONE.plus(pair("a", 8, "b", 8), 0.1, 0.1).plus(pair("a", 8, "c", 8), 0.1, 0.1);

    double diagonal = 1 + 0.25;
    double expected = 2 * 0.36 * 1.645 / (diagonal + 0.36) / 1.645;
    assertThat(pairs.effect(pair("a", 8, "d", 8)).shift()).isCloseTo(expected, within(1e-9));
  }

  @Property(tries = 100)
  void whateverIsWatchedEffectsAreNumbers(
      @ForAll @Size(min = 1, max = 120) List<@IntRange(max = 63) Integer> pairs,
      @ForAll @DoubleRange(min = -1, max = 1) double off,
      @ForAll @DoubleRange(min = 0.02, max = 0.5) double error) {
    WatchedPairs watched = WatchedPairs.NONE;
    for (int number : pairs) {
      watched = watched.plus(numbered(number), off / (1 + number % 5), error);
    }
    for (int number = 0; number < 64; number++) {
      LocalEffects.Effect effect = watched.effect(numbered(number));
      assertThat(effect.shift()).isFinite();
      assertThat(effect.left()).isFinite().isNotNegative();
    }
  }

  private static LocalPair numbered(int number) {
    return pair("f" + number % 2, 1 << (number / 2 % 4), "f" + number / 8 % 2, 1 << (number / 16));
  }

  private static WatchedPairs watched(LocalPair pair, double off) {
    return WatchedPairs.NONE.plus(pair, off, 0.2);
  }

  private static LocalPair pair(String victim, int batch, String other, int otherBatch) {
    return new LocalPair(workload(victim, batch), workload(other, otherBatch));
  }

  private static WorkloadClass workload(String family, int batch) {
    return WorkloadClass.of(Workload.builder(family).batchSize(batch).build());
  }
}
