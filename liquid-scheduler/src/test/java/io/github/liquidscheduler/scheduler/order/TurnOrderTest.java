package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.queue.Reclaiming;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The turn order by example. */
class TurnOrderTest {

  private static final SiblingOrder BY_SHARES = SiblingOrder.byShares(Amounts.of(8));

  private final SomeQueue lab = new SomeQueue(0, null, 1).withShare(8).holding(6);
  private final SomeQueue x = new SomeQueue(1, lab, 1).withShare(4).holding(3);
  private final SomeQueue z = new SomeQueue(2, lab, 1).withShare(4).holding(3);

  private static TurnOrder bestEffort(Reclaiming form) {
    return TurnOrder.inTree(form, BY_SHARES, queue -> false);
  }

  private static List<String> names(List<SomeJob> jobs) {
    return jobs.stream().map(SomeJob::name).toList();
  }

  /** Two of eight GPUs are free; each queue holds three of the four that it is entitled to. */
  @ParameterizedTest
  @EnumSource(
      value = Reclaiming.class,
      names = {"COMPUTED_SHARES", "NEVER", "DOMINANT_SHARES"})
  void aJobBehindTheHeadThatStaysWithinItsShareGoesBeforeOneBeyondTheShareOfAnotherQueue(
      Reclaiming form) {
    SomeJob head = SomeJob.of("head", z, 0, 4);
    SomeJob small = SomeJob.of("small", z, 1, 1);
    SomeJob beyond = SomeJob.of("beyond", x, 2, 2);

    assertThat(bestEffort(form).first(List.of(head, small, beyond))).contains(small);
  }

  @Test
  void whereQuotaIsLentAJobWithinTheNominalQuotaGoesFirst() {
    x.withGuarantee(3);
    z.withGuarantee(5);
    lab.withGuarantee(8);
    SomeJob borrows = SomeJob.of("borrows", x, 0, 1);
    SomeJob own = SomeJob.of("own", z, 1, 2);

    assertThat(names(bestEffort(Reclaiming.LENT_QUOTA).sorted(List.of(borrows, own))))
        .containsExactly("own", "borrows");
  }

  @Test
  void theHeadOfAQueueThatBlocksIsItsOnlyCandidate() {
    SomeJob head = SomeJob.of("head", z, 0, 4);
    SomeJob small = SomeJob.of("small", z, 1, 1);
    SomeJob beyond = SomeJob.of("beyond", x, 2, 2);
    TurnOrder strict = TurnOrder.inTree(Reclaiming.COMPUTED_SHARES, BY_SHARES, queue -> true);

    assertThat(names(strict.poll(List.of(head, small, beyond), job -> false)))
        .containsExactly("beyond", "head");
    assertThat(names(strict.sorted(List.of(head, small, beyond))))
        .containsExactly("beyond", "head", "small");
  }

  @Test
  void anAncestorBeyondItsShareMakesAStartBeyondTheShare() {
    SomeQueue other = new SomeQueue(3, null, 1).withShare(4);
    lab.withShare(6);
    SomeJob inside = SomeJob.of("inside", x, 0, 1);
    SomeJob outside = SomeJob.of("outside", other, 1, 3);

    assertThat(bestEffort(Reclaiming.COMPUTED_SHARES).first(List.of(inside, outside)))
        .contains(outside);
  }

  @Test
  void onlyResourcesThatAStartTakesCount() {
    SomeQueue gpus = new SomeQueue(0, null, 2).withShare(8, 0).holding(0, 5);
    SomeQueue cores = new SomeQueue(1, null, 2).withShare(0, 8);
    SomeJob withoutCores = SomeJob.of("without cores", gpus, 0, 2, 0);
    SomeJob withCores = SomeJob.of("with cores", cores, 1, 2, 2);
    TurnOrder order =
        TurnOrder.inTree(
            Reclaiming.COMPUTED_SHARES, SiblingOrder.byShares(Amounts.of(8, 8)), any -> false);

    assertThat(names(order.sorted(List.of(withCores, withoutCores))))
        .containsExactly("without cores", "with cores");
  }

  @Test
  void queuesThatAPolicyRanksEquallyShareOneOrderOfJobs() {
    SomeJob first = SomeJob.of("first", x, 0, 1);
    SomeJob second = SomeJob.of("second", z, 1, 1);
    SomeJob third = SomeJob.of("third", x, 2, 1);
    TurnOrder order = TurnOrder.withoutQuotas(SiblingOrder.byPolicy(queue -> 0), any -> false);

    assertThat(names(order.sorted(List.of(third, second, first))))
        .containsExactly("first", "second", "third");
  }

  @Test
  void theQueueThatAPolicyRanksFirstGoesFirstAtEachLevel() {
    SomeQueue other = new SomeQueue(3, null, 1).withShare(8);
    SomeJob inX = SomeJob.of("x", x, 0, 1);
    SomeJob inZ = SomeJob.of("z", z, 1, 1);
    SomeJob outside = SomeJob.of("outside", other, 2, 1);
    TurnOrder order =
        TurnOrder.inTree(
            Reclaiming.COMPUTED_SHARES,
            SiblingOrder.byPolicy(queue -> queue.index() == 1 ? 9 : queue.index() == 3 ? 5 : 1),
            any -> false);

    assertThat(names(order.sorted(List.of(inX, inZ, outside))))
        .containsExactly("z", "x", "outside");
  }

  @Test
  void eachPollSeesWhatEarlierOnesHaveStarted() {
    SomeJob first = SomeJob.of("first of x", x, 0, 1);
    SomeJob second = SomeJob.of("second of x", x, 1, 1);
    SomeJob other = SomeJob.of("other", z, 2, 1);
    List<SomeJob> jobs = List.of(first, second, other);

    assertThat(names(bestEffort(Reclaiming.COMPUTED_SHARES).sorted(jobs)))
        .containsExactly("first of x", "second of x", "other");
    List<SomeJob> polled =
        bestEffort(Reclaiming.COMPUTED_SHARES)
            .poll(
                jobs,
                job -> {
                  job.queue().hold(job.asks(), 1);
                  return true;
                });
    assertThat(names(polled)).containsExactly("first of x", "other", "second of x");
  }
}
