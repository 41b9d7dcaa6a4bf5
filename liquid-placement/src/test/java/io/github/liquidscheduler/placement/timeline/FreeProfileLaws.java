package io.github.liquidscheduler.placement.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A step function is the array of its values. */
class FreeProfileLaws {

  private static final int SECONDS = 40;
  private static final int AMOUNT = 8;

  /** A change during a window. */
  record Change(TimeWindow window, int more) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    return Combinators.combine(
            Arbitraries.integers().between(0, SECONDS - 1),
            Arbitraries.integers().between(1, SECONDS),
            Arbitraries.integers().between(-3, 3))
        .as((start, length, more) -> new Change(TimeWindow.of(start, length), more))
        .list()
        .ofMaxSize(12);
  }

  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void itIsTheArrayOfItsValues(
      @ForAll("changes") List<Change> changes,
      @ForAll @IntRange(max = SECONDS - 1) int now,
      @ForAll @IntRange(max = SECONDS - 1) int start,
      @ForAll @IntRange(min = 1, max = SECONDS) int length) {
    FreeProfile profile = new FreeProfile(AMOUNT);
    long[] plain = new long[2 * SECONDS];
    Arrays.fill(plain, AMOUNT);
    for (int i = 0; i < changes.size(); i++) {
      if (i == changes.size() / 2) {
        profile.forgetBefore(now);
      }
      Change change = changes.get(i);
      profile.add(change.window(), change.more());
      for (long second = change.window().start(); second < change.window().end(); second++) {
        plain[(int) second] += change.more();
      }
    }
    profile.forgetBefore(now);

    int from = Math.max(now, start);
    long least = Long.MAX_VALUE;
    for (int second = from; second < from + length && second < plain.length; second++) {
      assertThat(profile.at(second)).isEqualTo(plain[second]);
      least = Math.min(least, plain[second]);
    }
    assertThat(profile.least(TimeWindow.of(from, length))).isEqualTo(least);
    long since = from;
    while (since > now && plain[(int) since - 1] >= plain[from]) {
      since--;
    }
    assertThat(profile.freeSince(from, plain[from])).isEqualTo(since);
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void theEarliestTimeIsTheFirstAtWhichThereIsEnoughForAllOfIt(
      @ForAll("changes") List<Change> changes,
      @ForAll @IntRange(max = SECONDS - 1) int from,
      @ForAll @IntRange(min = 1, max = SECONDS) int length,
      @ForAll @IntRange(max = AMOUNT + 1) int needed) {
    FreeProfile profile = new FreeProfile(AMOUNT);
    changes.forEach(change -> profile.add(change.window(), change.more()));

    OptionalLong first =
        LongStream.rangeClosed(from, 2 * SECONDS)
            .filter(start -> profile.least(TimeWindow.of(start, length)) >= needed)
            .findFirst();
    assertThat(profile.earliest(from, length, needed)).isEqualTo(first.orElse(TimeWindow.FOREVER));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void whatIsHeldFromOneInstantOnMayBeTakenAtOnce(
      @ForAll("changes") List<Change> changes, @ForAll @IntRange(max = SECONDS) int second) {
    FreeProfile one = new FreeProfile(AMOUNT);
    TreeMap<Long, Long> until = new TreeMap<>();
    for (Change change : changes) {
      long end = change.window().end() > SECONDS ? TimeWindow.FOREVER : change.window().end();
      one.add(new TimeWindow(-1, end), -Math.abs(change.more()));
      until.merge(end, (long) Math.abs(change.more()), Long::sum);
    }
    FreeProfile all = FreeProfile.heldUntil(AMOUNT, -1, until);

    assertThat(all.at(second - 2)).isEqualTo(one.at(second - 2));
    assertThat(all.freeSince(second, one.at(second)))
        .isEqualTo(one.freeSince(second, one.at(second)));
    all.add(TimeWindow.of(second, 3), -1);
    one.add(TimeWindow.of(second, 3), -1);
    assertThat(all.least(TimeWindow.of(0, second + 2)))
        .isEqualTo(one.least(TimeWindow.of(0, second + 2)));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void whatIsTakenBackLeavesNoTrace(@ForAll("changes") List<Change> changes) {
    FreeProfile profile = new FreeProfile(AMOUNT);
    changes.forEach(change -> profile.add(change.window(), change.more()));
    changes.forEach(change -> profile.add(change.window(), -change.more()));

    assertThat(profile.least(new TimeWindow(0, TimeWindow.FOREVER))).isEqualTo(AMOUNT);
    assertThat(profile.freeSince(SECONDS, AMOUNT)).isEqualTo(Long.MIN_VALUE);
  }
}
