package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LendingTest {

  private final Session session = Session.of(Policies.priority(), 4, 4, 4, 4, 4, 4);

  private void lend(Reclaiming rules, QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues).with(rules)));
  }

  private static QueueSpec inLab(String name, QueueQuota quota) {
    return QueueSpec.named(name).in("lab").with(QuotaResource.GPUS, quota);
  }

  private static QueueSpec inLab(String name, int guaranteed) {
    return inLab(name, QueueQuota.guaranteed(guaranteed));
  }

  private static QueueSpec lab() {
    return QueueSpec.named("lab");
  }

  private List<String> submit(String queue, String job, int gpus, int priority) {
    return session.submit(aJob(job, gpus).queue(queue).priority(priority));
  }

  private List<String> submit(String queue, String job, int gpus) {
    return submit(queue, job, gpus, 0);
  }

  private List<ReclaimRule> rules() {
    return session.last().stream()
        .filter(Decision.Preempt.class::isInstance)
        .map(decision -> ((Reason.Reclaimed) ((Decision.Preempt) decision).why()).rule())
        .toList();
  }

  /** Has a and c hold half of their 8, and b its own 8 and the other halves. */
  private void fill(Reclaiming rules) {
    lend(rules, lab(), inLab("a", 8), inLab("b", 8), inLab("c", 8));
    submit("a", "a1", 4);
    submit("c", "c1", 4);
    for (int n = 1; n <= 4; n++) {
      submit("b", "b" + n, 4);
    }
  }

  @Test
  void aQueueTakesBackWhatIsItsOwn() {
    fill(Reclaiming.LENT_QUOTA);

    assertThat(submit("a", "a2", 4)).containsExactly("preempt b4", "start a2");
    assertThat(rules()).containsExactly(ReclaimRule.OWN_QUOTA);
    assertThat(session.last().getFirst().why().describe())
        .isEqualTo("queue 'b' borrows what is guaranteed to 'a', which takes it back for a2");
  }

  @Test
  void byLentQuotaWhoWouldBorrowTakesNothing() {
    fill(Reclaiming.LENT_QUOTA);

    assertThat(submit("a", "a2", 6)).isEmpty();
  }

  /** What its queue lends to nobody counts for the parent already. */
  @Test
  void aQueueTakesBackWhatItsSiblingLendsBesideWhatItDoesNotLendItself() {
    Session two = Session.of(Policies.priority(), 4, 4);
    QueueTree tree =
        QueueTree.of(
                QueueSpec.named("all"),
                lab().in("all"),
                inLab("a", QueueQuota.guaranteed(4).withLendingLimit(0)),
                inLab("sibling", 4),
                QueueSpec.named("guests")
                    .in("all")
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(0)))
            .with(Reclaiming.LENT_QUOTA);
    two.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    two.submit(aJob("g1", 4).queue("guests"));

    assertThat(two.submit(aJob("a1", 6).queue("a"))).containsExactly("preempt g1", "start a1");
  }

  /** The example of the specification of fair sharing. */
  @Test
  void byDominantSharesTheLargerBorrowerYieldsToTheSmaller() {
    fill(Reclaiming.DOMINANT_SHARES);

    assertThat(submit("a", "a2", 6)).containsExactly("preempt b4", "preempt b3", "start a2");
    assertThat(rules()).containsExactly(ReclaimRule.DOMINANT_SHARE, ReclaimRule.DOMINANT_SHARE);
  }

  @Test
  void reclaimByDominantSharesStopsBeforeBorrowerAndLenderSwap() {
    fill(Reclaiming.DOMINANT_SHARES);

    assertThat(submit("a", "a2", 8)).isEmpty();
  }

  /** With the gang its queue would lose what it owns, so that the small ones could come back. */
  @Test
  void byDominantSharesNoGangIsStoppedBesideJobsThatTakeBackWhatItsQueueOwns() {
    lend(Reclaiming.DOMINANT_SHARES, lab(), inLab("a", 8), inLab("b", 8), inLab("c", 8));
    session.submit(aJob("kept", 5).queue("a").preemptible(false));
    submit("c", "c1", 8);
    for (int n = 1; n <= 3; n++) {
      submit("a", "small" + n, 1);
    }
    session.at(5);
    submit("a", "gang", 7);

    session.at(10);
    assertThat(submit("b", "large", 11)).isEmpty();
    assertThat(submit("b", "less", 8)).containsExactly("preempt gang", "start less");
  }

  @Test
  void byDominantSharesNoGangIsStoppedBesideJobsWithWhichItsQueueWouldBorrowLess() {
    lend(Reclaiming.DOMINANT_SHARES, lab(), inLab("a", 8), inLab("b", 8), inLab("c", 8));
    session.submit(aJob("kept", 8).queue("a").preemptible(false));
    for (int n = 1; n <= 3; n++) {
      submit("a", "small" + n, 1);
    }
    session.at(5);
    submit("a", "gang", 7);

    session.at(10);
    assertThat(submit("b", "large", 14)).isEmpty();
    assertThat(submit("b", "less", 13)).containsExactly("preempt gang", "start less");
  }

  @Test
  void whoBorrowsTakesFromJobsOfLowPriorityIfThatIsAllowed() {
    QueuePreemption bold =
        QueuePreemption.NONE.withOthers(Victims.LOWER_PRIORITY).withBorrowingUpTo(3);
    lend(
        Reclaiming.LENT_QUOTA,
        lab().withGpus(24),
        inLab("a", 0).with(bold),
        inLab("b", 0).with(QueuePreemption.NONE));
    submit("b", "important", 8, 4);
    submit("b", "cheap", 8, 3);
    submit("b", "cheaper", 8, 1);

    assertThat(submit("a", "a1", 8, 5)).containsExactly("preempt cheaper", "start a1");
    assertThat(rules()).containsExactly(ReclaimRule.WHILE_BORROWING);
    assertThat(submit("a", "a2", 8, 3)).isEmpty();
    assertThat(submit("a", "a3", 8, 5)).containsExactly("preempt cheap", "start a3");
    assertThat(submit("a", "a4", 8, 5)).isEmpty();
  }

  @Test
  void whoBorrowsTakesNothingThatTheOtherCouldTakeBack() {
    QueuePreemption bold =
        QueuePreemption.NONE.withOthers(Victims.LOWER_PRIORITY).withBorrowingUpTo(3);
    lend(
        Reclaiming.LENT_QUOTA,
        lab().withGpus(24),
        inLab("a", 0).with(bold),
        inLab("b", 20).with(QueuePreemption.NONE));
    submit("b", "large", 16);
    submit("b", "eight", 8);

    assertThat(submit("a", "a1", 8, 5)).isEmpty();
    session.cancel("a1");
    session.finish("eight");
    submit("b", "four", 4);
    submit("b", "borrowed", 4);
    assertThat(submit("a", "a2", 4, 5)).containsExactly("preempt borrowed", "start a2");
  }

  @Test
  void whoBorrowsTakesNothingFromJobsOfItsOwnPriority() {
    QueuePreemption bold = QueuePreemption.NONE.withOthers(Victims.ANY).withBorrowingUpTo(3);
    lend(
        Reclaiming.LENT_QUOTA,
        lab().withGpus(24),
        inLab("a", 0).with(bold),
        inLab("b", 0).with(QueuePreemption.NONE));
    submit("b", "cheap", 24, 3);

    assertThat(submit("a", "a1", 8, 3)).isEmpty();
    assertThat(submit("a", "a2", 8, 4)).contains("preempt cheap", "start a2");
  }

  @Test
  void jobsOfTheSameQueueLeaveByPriority() {
    lend(
        Reclaiming.LENT_QUOTA,
        lab(),
        inLab("a", 8).with(QueuePreemption.NONE.withOwn(Victims.LOWER_PRIORITY)));
    submit("a", "low", 8);

    assertThat(submit("a", "high", 4, 1)).containsExactly("preempt low", "start high");
    assertThat(((Decision.Preempt) session.last().getFirst()).why())
        .isEqualTo(new Reason.PreemptedByPriority("priority", JobId.of("high")));
  }

  @Test
  void byDominantSharesJobsOfTheSameQueueLeaveByPriorityToo() {
    lend(
        Reclaiming.DOMINANT_SHARES,
        lab(),
        inLab("a", 8).with(QueuePreemption.NONE.withOwn(Victims.LOWER_PRIORITY)));
    submit("a", "low", 8);

    assertThat(submit("a", "high", 4, 1)).containsExactly("preempt low", "start high");
  }

  @Test
  void ofAllWhoBorrowTheJobOfTheLowestPriorityLeaves() {
    lend(Reclaiming.LENT_QUOTA, lab(), inLab("a", 8), inLab("b", 8), inLab("c", 8));
    submit("c", "c1", 8, 2);
    submit("c", "c2", 4, 1);
    submit("b", "b1", 8, 2);
    submit("b", "b2", 4, 2);

    assertThat(submit("a", "a1", 4, 3)).containsExactly("preempt c2", "start a1");
  }

  @Test
  void nobodyLosesMoreThanItBorrows() {
    lend(Reclaiming.LENT_QUOTA, lab(), inLab("a", 8), inLab("b", 8), inLab("c", 8));
    for (String queue : List.of("c", "b")) {
      submit(queue, queue + "1", 4);
      submit(queue, queue + "2", 4);
      submit(queue, queue + "3", 4);
    }

    assertThat(submit("a", "a1", 8)).containsExactly("preempt b3", "preempt c3", "start a1");
  }

  @Test
  void whatIsKeptForAJobDoesNotKeepOutWhoseTurnIsBefore() {
    Session protecting =
        new Session(
            LiquidScheduler.builder(Session.cluster(1))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(40)))
                .build());
    QueueTree tree =
        QueueTree.of(
                QueueSpec.named("all").with(QuotaResource.GPUS, new QueueQuota(1, 1, 0, 2)),
                QueueSpec.named("default")
                    .in("all")
                    .with(QuotaResource.GPUS, new QueueQuota(2, 2, 0, 2))
                    .with(
                        QueuePreemption.NONE
                            .withOwn(Victims.LOWER_PRIORITY)
                            .withOthers(Victims.ANY)),
                QueueSpec.named("research")
                    .in("all")
                    .with(QuotaResource.GPUS, new QueueQuota(1, 1, 0, 2))
                    .with(QueuePreemption.NONE.withOthers(Victims.LOWER_PRIORITY)))
            .with(Reclaiming.LENT_QUOTA);
    protecting.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    protecting.submit(aJob("low", 1).queue("default").preemptible(true));
    protecting.submit(aJob("high", 1).queue("default").preemptible(true).priority(1));
    protecting.submit(aJob("other", 1).queue("research").preemptible(true));

    assertThat(protecting.at(100).pass()).containsExactly("preempt low", "start high");
  }

  @Test
  void jobsOfBothKindsLeaveInOneSearch() {
    lend(Reclaiming.LENT_QUOTA, lab(), inLab("a", 12), inLab("b", 12));
    submit("a", "low", 4, -1);
    submit("a", "high", 4, 1);
    submit("b", "b1", 12);
    submit("b", "b2", 4);

    assertThat(submit("a", "a1", 8)).containsExactly("preempt b2", "preempt low", "start a1");
  }

  @Test
  void theNewerOfTwoJobsOfEqualPriorityLeavesWhereThatIsAllowed() {
    QueuePreemption byAge = QueuePreemption.NONE.withOwn(Victims.LOWER_OR_NEWER_EQUAL_PRIORITY);
    lend(Reclaiming.LENT_QUOTA, QueueSpec.named("a").withGpus(8).with(byAge));
    submit("a", "oldest", 4);

    assertThat(submit("a", "older", 8)).isEmpty();
    assertThat(submit("a", "newer", 4)).containsExactly("start newer");
    assertThat(session.finish("oldest")).containsExactly("preempt newer", "start older");
  }

  @Test
  void nobodyIsLentMoreThanALendingLimitAllows() {
    lend(
        Reclaiming.LENT_QUOTA,
        lab(),
        inLab("a", QueueQuota.guaranteed(8).withLendingLimit(4)),
        inLab("b", 8));

    assertThat(submit("b", "b1", 12)).containsExactly("start b1");
    assertThat(submit("b", "b2", 1)).isEmpty();
    assertThat(submit("a", "a1", 4)).containsExactly("start a1");
    assertThat(session.explain("b2").unmetConstraints().getFirst().describe())
        .isEqualTo("QUEUE_GPUS (limit of GPUs of queue 'lab'): requested 1 GPU, available 0 GPUs");
  }

  @Test
  void computedSharesHeedLendingLimitsToo() {
    lend(
        Reclaiming.COMPUTED_SHARES,
        QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(8).withLendingLimit(4)),
        QueueSpec.named("b").withGpus(8),
        QueueSpec.named("c"));

    assertThat(submit("b", "b1", 16)).containsExactly("start b1");
    assertThat(submit("c", "c1", 5)).isEmpty();
    assertThat(submit("c", "c2", 4)).containsExactly("start c2");
    assertThat(submit("c", "c3", 1)).isEmpty();
    assertThat(submit("a", "a1", 4)).containsExactly("start a1");
  }

  @Test
  void byComputedSharesAQueueThatMayNotBorrowStillReclaimsExcess() {
    lend(
        Reclaiming.COMPUTED_SHARES,
        QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(8).withLendingLimit(4)),
        QueueSpec.named("b"),
        QueueSpec.named("c"));
    for (int n = 1; n <= 5; n++) {
      submit("b", "b" + n, 4);
    }

    assertThat(submit("c", "c1", 4)).containsExactly("preempt b5", "start c1");
    assertThat(submit("a", "a1", 8)).containsExactly("preempt b4", "start a1");
  }

  @Test
  void aQueueAtTheTopHoldsNoMoreThanIsGuaranteedToIt() {
    lend(Reclaiming.LENT_QUOTA, QueueSpec.named("a").withGpus(4), QueueSpec.named("b").withGpus(8));

    assertThat(submit("a", "a1", 8)).isEmpty();
    assertThat(submit("a", "a2", 4)).containsExactly("start a2");
  }

  @Test
  void whatNoQueueOfATreeCountsIsNotLimited() {
    lend(Reclaiming.LENT_QUOTA, lab(), inLab("a", 4));

    assertThat(
            session.submit(aJob("cpus", 1).queue("a").role("helper", 1, ResourceRequest.ofGpus(0))))
        .containsExactly("start cpus");
  }

  @Test
  void withoutBypassAJobThatDoesNotFitBlocksLaterJobs() {
    lend(
        Reclaiming.LENT_QUOTA,
        lab(),
        inLab("a", QueueQuota.guaranteed(8).withLimit(8)).withoutBypass(),
        inLab("b", QueueQuota.guaranteed(8).withLimit(8)));
    submit("a", "a1", 4);
    submit("b", "b1", 4);

    assertThat(submit("a", "a2", 8)).isEmpty();
    assertThat(submit("b", "b2", 8)).isEmpty();
    assertThat(submit("a", "a3", 4)).isEmpty();
    assertThat(submit("b", "b3", 4)).containsExactly("start b3");
    assertThat(session.finish("a1")).containsExactly("start a2");
  }

  @Test
  void whatAWaitingJobCouldNotTakeBackIsNotLentMeanwhile() {
    QueuePreemption meek = QueuePreemption.DEFAULT.withOthers(Victims.NEVER);
    lend(Reclaiming.LENT_QUOTA, lab(), inLab("a", 8).with(meek), inLab("b", 8));
    submit("a", "a1", 4);
    submit("b", "b1", 4);

    assertThat(submit("a", "a2", 16)).isEmpty();
    assertThat(submit("b", "b2", 5)).isEmpty();
    assertThat(submit("b", "b3", 4)).containsExactly("start b3");
    assertThat(submit("a", "a3", 4)).containsExactly("start a3");
  }

  @Test
  void whatAQueueCanTakeBackIsLentMeanwhile() {
    lend(Reclaiming.LENT_QUOTA, lab(), inLab("a", 8), inLab("b", 8));
    submit("a", "a1", 4);
    submit("b", "b1", 4);

    assertThat(submit("a", "a2", 16)).isEmpty();
    assertThat(submit("b", "b2", 5)).containsExactly("start b2");
  }

  /** A gang outranks three small jobs of its queue, and the gang of another queue may take it. */
  @Test
  void whoWasStoppedTakesNothingBackAtTheSameTime() {
    Session three = Session.of(Policies.priority(), 3);
    QueueQuota none = QueueQuota.guaranteed(0).withWeight(2);
    QueueQuota one = QueueQuota.guaranteed(1).withWeight(2);
    QueueTree tree =
        QueueTree.of(lab().withGpus(3), inLab("small", none), inLab("gangs", one))
            .with(Reclaiming.DOMINANT_SHARES);
    three.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    for (int n = 1; n <= 3; n++) {
      three.submit(aJob("s" + n, 1).queue("small"));
    }
    three.at(10).submit(aJob("g", 3).queue("gangs"));

    three.stepByStep();
    List<String> decided = three.at(20).submit(aJob("s", 3).queue("small").priority(1));
    for (int again = 0; again < 20 && !decided.isEmpty(); again++) {
      decided = three.pass();
    }
    assertThat(decided).isEmpty();
    assertThat(three.running()).containsExactly("s");
  }

  /** They do not wear out the scheduler: each turn comes after twice the time. */
  @Test
  void thoseThatStopEachOtherInACircleDoSoMoreAndMoreSeldom() {
    Session three = Session.of(Policies.priority(), 3).stepByStep();
    QueueQuota none = QueueQuota.guaranteed(0).withWeight(2);
    QueueQuota one = QueueQuota.guaranteed(1).withWeight(2);
    QueueTree tree =
        QueueTree.of(lab().withGpus(3), inLab("small", none), inLab("gangs", one))
            .with(Reclaiming.DOMINANT_SHARES);
    three.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    for (int n = 1; n <= 3; n++) {
      three.submit(aJob("s" + n, 1).queue("small"));
    }
    three.at(10).submit(aJob("g", 3).queue("gangs"));
    three.at(20).submit(aJob("s", 3).queue("small").priority(1));

    int turns = 0;
    for (Instant next = three.now();
        next.isBefore(Instant.ofEpochSecond(21)) && turns < 100;
        next = three.scheduler.nextWakeUp().orElse(Instant.MAX)) {
      three.on(new ClusterEvent.TimePassed(next));
      turns++;
    }
    assertThat(turns).isLessThan(40);
  }

  @Test
  void aThousandQuietTurnsChangeNothing() {
    fill(Reclaiming.DOMINANT_SHARES);
    submit("a", "a2", 6);
    submit("c", "c2", 8);

    for (int turn = 1; turn <= 1000; turn++) {
      assertThat(session.on(new ClusterEvent.TimePassed(Instant.ofEpochSecond(turn)))).isEmpty();
    }
  }
}
