package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.Counterfactual;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What other queues would have to give back so that a job can start. */
class GivingBackTest {

  private static final String FOUR_OF_FOUR =
      "would fit if queue 'b' gave back 4 of the 4 GPUs that it borrows (job b2), which is kept: ";

  private static final String NOTHING = "which is kept: these queues reclaim nothing";

  private final Session session =
      new Session(
          LiquidScheduler.builder(Session.cluster(8, 4))
              .policy(Policies.bestEffortFifo())
              .preemption(PreemptionRules.NONE.minRunTime(Duration.ofMinutes(5)))
              .build());

  private void queues(QueueSpec... queues) {
    queues(Reclaiming.NEVER, queues);
  }

  private void queues(Reclaiming rule, QueueSpec... queues) {
    QueueTree tree = QueueTree.of(queues).with(rule);
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
  }

  private void submit(String queue, String id, int gpus) {
    session.submit(aJob(id, gpus).queue(queue));
  }

  private List<String> givenBack(String job) {
    return session.explain(job).remedies().stream()
        .filter(Counterfactual.AfterGivingBack.class::isInstance)
        .map(Counterfactual::describe)
        .toList();
  }

  @Test
  void aQueueThatBorrowsGivesBackWhatTheJobLacks() {
    queues(guaranteed("a", 4), guaranteed("b", 2), guaranteed("idle", 6));
    submit("b", "b1", 2);
    submit("b", "b2", 2);
    submit("b", "b3", 4);
    submit("a", "a1", 3);
    submit("a", "a2", 3);

    assertThat(givenBack("a2"))
        .containsExactly(
            "would fit if queue 'b' gave back 4 of the 6 GPUs that it borrows (job b3), "
                + NOTHING);
  }

  @Test
  void theLargestBorrowerGivesBackFirstAndKeepsItsGuarantee() {
    queues(guaranteed("a", 0), guaranteed("b", 2), guaranteed("c", 4));
    submit("b", "b1", 4);
    submit("c", "c1", 4);
    submit("c", "c2", 3);
    submit("a", "a1", 2);
    submit("a", "a2", 12);

    assertThat(givenBack("a1"))
        .containsExactly(
            "would fit if queue 'c' gave back 3 of the 3 GPUs that it borrows (job c2), "
                + NOTHING);
    assertThat(givenBack("a2")).isEmpty();
  }

  @Test
  void siblingsOfAQueueAtItsParentsLimitGiveBackDespiteFreeGpus() {
    QueueQuota atMostFour = QueueQuota.guaranteed(4).withLimit(4);
    queues(
        QueueSpec.named("lab").with(QuotaResource.GPUS, atMostFour),
        QueueSpec.named("vision").in("lab"),
        QueueSpec.named("speech").in("lab"));
    submit("vision", "v1", 1);
    submit("vision", "v2", 3);
    submit("speech", "s", 2);

    assertThat(givenBack("s"))
        .containsExactly(
            "would fit if queue 'vision' gave back 3 of the 4 GPUs that it borrows (job v2), "
                + NOTHING);
  }

  @Test
  void nobodyCanHelpAJobThatItsOwnQueueKeepsWaiting() {
    queues(
        QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(2).withLimit(2)),
        guaranteed("b", 0));
    submit("b", "b1", 8);
    submit("a", "a1", 2);
    submit("a", "a2", 1);

    assertThat(givenBack("a2")).isEmpty();
  }

  @Test
  void borrowedQuotaIsKeptFromAQueueBeyondItsShare() {
    queues(
        Reclaiming.COMPUTED_SHARES, guaranteed("a", 2), guaranteed("b", 6), guaranteed("idle", 4));
    submit("b", "b1", 6);
    submit("b", "b2", 4);
    submit("a", "a1", 2);
    submit("a", "a2", 3);

    assertThat(givenBack("a2"))
        .containsExactly(
            FOUR_OF_FOUR + "with the job its own queue would hold more than its share");
  }

  @Test
  void borrowedQuotaIsKeptWhileItsJobIsProtected() {
    queues(Reclaiming.COMPUTED_SHARES, guaranteed("a", 4), guaranteed("b", 8));
    takeAllAndAskForFour();

    assertThat(givenBack("a1"))
        .containsExactly(
            FOUR_OF_FOUR + "jobs are protected until they have run for the minimum run time");
    assertThat(session.at(300).pass()).containsExactly("preempt b2", "start a1");
  }

  @Test
  void borrowedQuotaIsKeptWhileOneOfItsJobsIsProtected() {
    queues(Reclaiming.COMPUTED_SHARES, guaranteed("a", 12), guaranteed("b", 0));
    submit("b", "b1", 8);
    session.at(200);
    submit("b", "b2", 4);
    session.at(301);
    submit("a", "a1", 12);

    assertThat(givenBack("a1"))
        .containsExactly(
            "would fit if queue 'b' gave back 12 of the 12 GPUs that it borrows (jobs [b1, b2]), "
                + "which is kept: jobs are protected until they have run for the minimum run time");
  }

  @Test
  void aQueueThatReclaimsNothingFromOthersIsToldSo() {
    QueueSpec shy =
        guaranteed("a", 4)
            .in("lab")
            .with(new QueuePreemption(Victims.LOWER_PRIORITY, Victims.NEVER, Optional.empty()));
    queues(Reclaiming.LENT_QUOTA, QueueSpec.named("lab"), shy, guaranteed("b", 8).in("lab"));
    takeAllAndAskForFour();

    assertThat(givenBack("a1"))
        .containsExactly(FOUR_OF_FOUR + "the queue of the job reclaims nothing from others");
  }

  /** Queue b takes all GPUs, 8 and 4 of them, and a asks for 4. */
  private void takeAllAndAskForFour() {
    submit("b", "b1", 8);
    submit("b", "b2", 4);
    submit("a", "a1", 4);
  }

  private static QueueSpec guaranteed(String name, int gpus) {
    return QueueSpec.named(name).withGpus(gpus);
  }
}
