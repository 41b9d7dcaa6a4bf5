package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.queue.Reclaiming;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may take from whom, by example. Amounts are GPUs and cores. */
class MutualTakingTest {

  private static final Instant NOW = Instant.ofEpochSecond(100);
  private static final TakingRules BY_SHARES =
      new TakingRules(Reclaiming.COMPUTED_SHARES, RankRule.NONE);
  private static final TakingRules BY_RANK =
      new TakingRules(Reclaiming.COMPUTED_SHARES, RankRule.LOWER);

  private final SomeQueue a = new SomeQueue(0, null, 2);
  private final SomeQueue b = new SomeQueue(1, null, 2);
  private final List<TakingUnit> running = new ArrayList<>();
  private long sequence;

  private TakingUnit unit(SomeQueue queue, long rank, TakingUnit.Kind kind, long... amounts) {
    return new TakingUnit(queue, rank, sequence++, 0, Amounts.of(amounts), kind, true, Instant.MIN);
  }

  private TakingUnit waits(SomeQueue queue, long rank, long... amounts) {
    return unit(queue, rank, TakingUnit.Kind.ORDINARY, amounts);
  }

  private TakingUnit runs(SomeQueue queue, long rank, long... amounts) {
    return runs(unit(queue, rank, TakingUnit.Kind.ORDINARY, amounts));
  }

  private TakingUnit runs(TakingUnit unit) {
    running.add(unit);
    return unit;
  }

  private boolean mayTake(TakingRules rules, TakingUnit winner, TakingUnit... taken) {
    Taking taking = new Taking(winner, List.of(taken), List.of(), new ScarceResources(List.of(0)));
    return new MutualTaking(rules, running, NOW).allows(taking);
  }

  /** 88 of 96 cores are idle; the team of the cores has borrowed all GPUs. */
  @Test
  void aGuaranteeOfSomethingThatNobodyLacksProtectsNobody() {
    a.withGuarantee(8, 0).withShare(4, 4);
    b.withGuarantee(0, 88).withShare(4, 8);
    TakingUnit[] borrowed = new TakingUnit[4];
    for (int i = 0; i < 4; i++) {
      runs(b, 0, 1, 1);
      borrowed[i] = runs(b, 0, 1, 1);
    }
    TakingUnit owner = waits(a, 0, 4, 4);

    assertThat(mayTake(BY_SHARES, owner, borrowed)).isTrue();
  }

  @Test
  void anOwnerGetsItsGuaranteeFromOneLargeGangThatBorrows() {
    a.withGuarantee(8).withShare(8);
    b.withGuarantee(8).withShare(8);
    TakingUnit gang = runs(b, 0, 16, 0);

    assertThat(mayTake(BY_SHARES, waits(a, 0, 1, 0), gang)).isTrue();
  }

  @Test
  void aGangWithinItsGuaranteeStaysWhereASmallJobBesideItBorrows() {
    a.withGuarantee(8).withShare(8);
    b.withGuarantee(8).withShare(8);
    TakingUnit small = runs(b, 0, 1, 0);
    TakingUnit gang = runs(b, 0, 8, 0);
    TakingUnit owner = waits(a, 0, 1, 0);

    assertThat(mayTake(BY_SHARES, owner, gang)).isFalse();
    assertThat(mayTake(BY_SHARES, owner, small)).isTrue();
  }

  @Test
  void noMoreThanAQueueBorrowsIsTaken() {
    a.withShare(4);
    b.withShare(4);
    TakingUnit first = runs(b, 0, 2, 0);
    TakingUnit second = runs(b, 0, 2, 0);
    TakingUnit third = runs(b, 0, 2, 0);
    TakingUnit owner = waits(a, 0, 4, 0);

    assertThat(mayTake(BY_SHARES, owner, third)).isTrue();
    assertThat(mayTake(BY_SHARES, owner, third, second)).isFalse();
    assertThat(mayTake(BY_SHARES, owner, first)).isFalse();
  }

  @Test
  void twoQueuesThatHoldTheirSharesTakeNothingFromEachOther() {
    a.withShare(2);
    b.withShare(2);
    runs(a, 0, 2, 0);
    TakingUnit other = runs(b, 0, 2, 0);

    assertThat(mayTake(BY_SHARES, waits(a, 0, 1, 0), other)).isFalse();
  }

  @Test
  void anUrgentSmallJobStopsALargeOneOfItsQueueThoughGpusAreIdleAfterwards() {
    a.withShare(8).withGuarantee(8);
    TakingUnit large = runs(a, 5, 8, 0);

    assertThat(mayTake(BY_RANK, waits(a, 1, 4, 0), large)).isTrue();
    assertThat(mayTake(BY_RANK, waits(a, 5, 4, 0), large)).isFalse();
    assertThat(mayTake(BY_SHARES, waits(a, 1, 4, 0), large)).isFalse();
  }

  @Test
  void preemptionInsideAQueueLeavesItWithinItsShareOrNoLarger() {
    a.withShare(6);
    TakingUnit least = runs(a, 9, 4, 0);

    assertThat(mayTake(BY_RANK, waits(a, 1, 6, 0), least)).isTrue();
    assertThat(mayTake(BY_RANK, waits(a, 1, 7, 0), least)).isFalse();
    runs(a, 0, 4, 0);
    assertThat(mayTake(BY_RANK, waits(a, 1, 4, 0), least)).isTrue();
    assertThat(mayTake(BY_RANK, waits(a, 1, 5, 0), least)).isFalse();
  }

  @Test
  void anUrgentJobThatExceedsTheGuaranteeStopsALessUrgentOneWithinIt() {
    a.withGuarantee(4).withShare(8);
    TakingUnit least = runs(a, 9, 4, 0);

    assertThat(mayTake(BY_RANK, waits(a, 1, 6, 0), least)).isTrue();
  }

  /** Another queue would take back the cores, this one the GPUs from that, and so on. */
  @Test
  void aJobBeyondTheShareOfWhatIsNotShortNowStopsNobodyForWhatIs() {
    a.withShare(5, 4);
    TakingUnit onGpus = runs(a, 1, 5, 1);

    assertThat(mayTake(BY_RANK, waits(a, 0, 1, 5), onGpus)).isFalse();
    assertThat(mayTake(BY_RANK, waits(a, 0, 1, 4), onGpus)).isTrue();
  }

  @Test
  void prioritiesGiveNoRightBetweenQueues() {
    a.withShare(4);
    b.withShare(4);
    TakingUnit other = runs(b, 9, 4, 0);

    assertThat(mayTake(BY_RANK, waits(a, 1, 5, 0), other)).isFalse();
  }

  @Test
  void surplusIsTakenWhateverTheQueueButGivesNoRightItself() {
    a.withShare(0);
    b.withShare(4);
    TakingUnit surplus = runs(unit(b, 0, TakingUnit.Kind.SURPLUS, 1, 0));
    TakingUnit borrowed = runs(b, 9, 6, 0);

    assertThat(mayTake(BY_SHARES, waits(a, 0, 1, 0), surplus)).isTrue();
    assertThat(mayTake(BY_RANK, unit(b, 0, TakingUnit.Kind.SURPLUS, 1, 0), borrowed)).isFalse();
  }

  @Test
  void anOpportunisticJobGivesWayToAnyOtherAndToNoneOfItsKind() {
    a.withShare(0);
    TakingUnit resident = runs(unit(b, 0, TakingUnit.Kind.OPPORTUNISTIC, 1, 0));

    assertThat(mayTake(BY_SHARES, waits(a, 9, 1, 0), resident)).isTrue();
    assertThat(mayTake(BY_RANK, unit(b, 0, TakingUnit.Kind.OPPORTUNISTIC, 1, 0), resident))
        .isFalse();
  }

  @Test
  void nobodyIsTakenOrMovedAtTheInstantOfItsLastChange() {
    a.withShare(8);
    TakingUnit old = runs(a, 9, 8, 0);
    TakingUnit winner = waits(a, 1, 8, 0);
    Taking moving = new Taking(winner, List.of(), List.of(old), new ScarceResources(List.of(0)));

    for (Instant changed : List.of(NOW.minusNanos(1), NOW)) {
      MutualTaking rules = new MutualTaking(BY_RANK, List.of(changedAt(old, changed)), NOW);
      Taking taking =
          new Taking(
              winner, List.of(changedAt(old, changed)), List.of(), new ScarceResources(List.of(0)));
      assertThat(rules.allows(taking)).isEqualTo(changed.isBefore(NOW));
      Taking move =
          new Taking(winner, List.of(), List.of(changedAt(old, changed)), moving.shortage());
      assertThat(rules.allows(move)).isEqualTo(changed.isBefore(NOW));
    }
  }

  private static TakingUnit changedAt(TakingUnit unit, Instant at) {
    return new TakingUnit(
        unit.queue(),
        unit.rank(),
        unit.sequence(),
        unit.part(),
        unit.amounts(),
        unit.kind(),
        unit.isPreemptible(),
        at);
  }

  /** Each queue is entitled to half; the second level decides between its children only. */
  @Test
  void aBranchBeyondItsShareTakesNothingFromAnotherBranch() {
    SomeQueue lab = new SomeQueue(2, null, 2).withShare(4);
    SomeQueue x = new SomeQueue(3, lab, 2).withShare(2);
    SomeQueue y = new SomeQueue(4, lab, 2).withShare(2);
    b.withShare(4);
    TakingUnit sibling = runs(x, 0, 4, 0);
    TakingUnit outside = runs(b, 0, 6, 0);
    TakingUnit winner = waits(y, 0, 2, 0);

    assertThat(mayTake(BY_SHARES, winner, outside)).isFalse();
    assertThat(mayTake(BY_SHARES, winner, sibling)).isTrue();
  }

  @Test
  void bySubmissionOnlyWhereTheQueueSaysSo() {
    TakingRules byAge = new TakingRules(Reclaiming.LENT_QUOTA, RankRule.LOWER_OR_NEWER);
    a.withGuarantee(4);
    TakingUnit older = waits(a, 0, 2, 0);
    TakingUnit newer = runs(a, 0, 4, 0);

    assertThat(mayTake(byAge, older, newer)).isTrue();
    assertThat(mayTake(byAge, waits(a, 0, 2, 0), newer)).isFalse();
    assertThat(mayTake(new TakingRules(Reclaiming.LENT_QUOTA, RankRule.LOWER), older, newer))
        .isFalse();
  }

  @Test
  void whereNothingIsReclaimedABorrowerKeepsWhatItHas() {
    a.withGuarantee(8).withShare(8);
    TakingUnit borrowed = runs(b, 0, 8, 0);

    assertThat(
            mayTake(new TakingRules(Reclaiming.NEVER, RankRule.LOWER), waits(a, 0, 8, 0), borrowed))
        .isFalse();
  }
}
