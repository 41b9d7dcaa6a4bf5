package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What has to change before a waiting job is tried again. */
class RetryConditionsTest {

  private static final RetryCondition CAPACITY = new RetryCondition.CapacityReleased();
  private static final RetryCondition VICTIMS = new RetryCondition.VictimsChanged();
  private static final RetryCondition ANY = new RetryCondition.AnyChange();

  @Test
  void aJobThatFitsNowhereWaitsForCapacity() {
    Session session = Session.of(Policies.bestEffortFifo(), 4);
    session.submit("runs", 3);
    session.submit("mine", 2);

    assertThat(conditions(session, "mine")).containsExactly(CAPACITY);
  }

  @Test
  void aJobBehindTheFirstWaitsForIt() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit("runs", 3);
    session.submit("first", 2);
    session.submit("mine", 1);

    assertThat(conditions(session, "first")).containsExactly(CAPACITY);
    assertThat(conditions(session, "mine"))
        .containsExactly(new RetryCondition.HeadChanged(JobId.of("first")));
  }

  @Test
  void aJobOfAStrictLeafWaitsForTheHeadOfItsQueue() {
    Session session = Session.of(Policies.fifo(), 4);
    session.on(queues(QueueTree.of(QueueSpec.named("a"), QueueSpec.named("b"))));
    session.submit(aJob("runs", 3).queue("a"));
    session.submit(aJob("first", 2).queue("a"));
    session.submit(aJob("mine", 1).queue("a"));

    assertThat(conditions(session, "mine"))
        .containsExactly(new RetryCondition.HeadChanged(JobId.of("first")));
  }

  @Test
  void aJobBeyondALimitWaitsForTheQuotaOfThatQueue() {
    Session session = Session.of(Policies.bestEffortFifo(), 8);
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("lab").with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(2)),
            QueueSpec.named("a").in("lab"),
            QueueSpec.named("b").in("lab"));
    session.on(queues(tree.with(Reclaiming.NEVER)));
    session.submit(aJob("runs", 2).queue("a"));
    session.submit(aJob("mine", 1).queue("b"));

    assertThat(conditions(session, "mine"))
        .containsExactly(
            new RetryCondition.QuotaReleased(QueueName.of("lab"), QuotaResource.GPUS), VICTIMS);
  }

  @Test
  void aJobThatMayTakeWhatOthersBorrowWaitsForVictimsToo() {
    Session session = Session.of(Policies.bestEffortFifo(), 3);
    session.on(
        queues(QueueTree.of(QueueSpec.named("a").withGpus(2), QueueSpec.named("b").withGpus(2))));
    session.submit(aJob("runs", 2).queue("a").preemptible(false));
    session.submit(aJob("mine", 2).queue("b"));

    assertThat(conditions(session, "mine")).containsExactly(CAPACITY, VICTIMS);
  }

  @Test
  void underAPolicyThatPreemptsAJobWaitsForVictimsToo() {
    Session session = Session.of(Policies.priority(), 4);
    session.submit("runs", 3);
    session.submit("mine", 2);

    assertThat(conditions(session, "mine")).containsExactly(CAPACITY, VICTIMS);
  }

  @Test
  void aJobThatMayShareWaitsForACoRunnerToo() {
    Session session =
        session(
            options ->
                options.colocation(
                    Colocation.of(query -> new Prediction(0.7, 0.6, 0.8, Provenance.PRIOR))));
    session.submit(aJob("runs", 4));
    Sharing promised = new Sharing.Guaranteed(0.9);
    session.submit(aJob("mine", 1).sharing(promised).workload(Workload.builder("w").build()));

    assertThat(conditions(session, "mine"))
        .containsExactly(CAPACITY, new RetryCondition.CoRunnerAccepted());
  }

  @Test
  void aFailedJobWaitsForTheEndOfItsDelay() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit("mine", 2);
    session.fail("mine", Failure.CRASHED, Retry.after(Duration.ofHours(1)));

    assertThat(conditions(session, "mine")).containsExactly(at(3600));
  }

  @Test
  void aJobHeldForEverWaitsForItsUpdate() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit("mine", 2);
    session.fail("mine", Failure.CRASHED, Retry.after(Duration.ofSeconds(Long.MAX_VALUE)));

    assertThat(conditions(session, "mine")).containsExactly(new RetryCondition.JobUpdated());
  }

  @Test
  void aGatheredJobWaitsForAPlanOrTheEndOfTheWindow() {
    Session session = session(options -> options.batch(BatchWindow.of(Duration.ofSeconds(10))));
    session.submit("mine", 2);

    assertThat(conditions(session, "mine")).containsExactly(new RetryCondition.AfterPlan(), at(10));
  }

  @Test
  void besideReservationsEveryEventTriesEveryJob() {
    Session session = session(options -> options.backfill(Backfill.easy()));
    session.submit(aJobOf("runs", 3, 60));
    session.submit(aJobOf("large", 4, 60));
    session.submit(aJobOf("mine", 1, 600));

    assertThat(conditions(session, "mine")).containsExactly(ANY);
  }

  @Test
  void aJobThatABoundedEventHasLeftIsTriedAtTheNext() {
    Session session = session(options -> options.startsPerEvent(1));
    session.submit("runs", 4);
    session.submit("first", 2);
    session.submit("mine", 2);
    session.finish("runs");

    assertThat(session.waiting()).containsExactly("mine");
    assertThat(conditions(session, "mine")).containsExactly(ANY);
  }

  @Test
  void whereJobsMoveForOthersAJobWaitsForTheTimeAtWhichThatPays() {
    Session session =
        session(
            options ->
                options.preemption(
                    PreemptionRules.NONE.moving(2).movePause(Duration.ofSeconds(60))));
    session.submit("runs", 3);
    session.submit("mine", 2);

    assertThat(conditions(session, "mine")).containsExactly(CAPACITY, at(30));
  }

  private static Session session(UnaryOperator<LiquidScheduler.Builder> with) {
    return new Session(
        with.apply(LiquidScheduler.builder(Session.cluster(4)).policy(Policies.bestEffortFifo()))
            .build());
  }

  private static ClusterEvent queues(QueueTree tree) {
    return new ClusterEvent.QueuesChanged(Instant.EPOCH, tree);
  }

  private static RetryCondition at(long second) {
    return new RetryCondition.AtTime(Instant.ofEpochSecond(second));
  }

  private static List<RetryCondition> conditions(Session session, String job) {
    return session.explain(job).retryConditions();
  }
}
