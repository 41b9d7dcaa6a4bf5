package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans for the jobs of a queue tree. */
class BatchQueuesTest {

  private static final BatchWindow WINDOW =
      BatchWindow.of(Duration.ofSeconds(15)).planTimeout(Duration.ofSeconds(5));

  private static Session session(SchedulingPolicy policy, QueueTree tree) {
    return session(policy, WINDOW, tree);
  }

  private static Session session(SchedulingPolicy policy, BatchWindow window, QueueTree tree) {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4)).policy(policy).batch(window).build());
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    return session;
  }

  private static QueueSpec limited(String name, double guaranteed, double limit) {
    return QueueSpec.named(name)
        .with(QuotaResource.GPUS, QueueQuota.guaranteed(guaranteed).withLimit(limit));
  }

  private static JobSpec.Builder job(String queue, String id, int gpus) {
    return aJob(id, gpus).queue(queue);
  }

  private static List<JobSpec> asked(Session session) {
    return session.last().stream()
        .filter(Decision.RequestPlan.class::isInstance)
        .map(decision -> ((Decision.RequestPlan) decision).request())
        .findFirst()
        .map(PlanRequest::pending)
        .orElse(List.of());
  }

  private static Constraint reason(Session session, String job) {
    return session.explain(job).unmetConstraints().getFirst().constraint();
  }

  @Test
  void aPlanIsAskedForTheJobsThatTheirQuotasAdmit() {
    Session session =
        session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 2), limited("b", 0, 4)));
    session.submit(job("a", "a1", 1));
    session.submit(job("a", "a2", 1));
    session.submit(job("a", "a3", 1));
    session.submit(job("b", "b1", 3));
    session.submit(job("b", "b2", 2));
    session.submit(job("b", "b3", 1));

    session.at(15).pass();

    assertThat(asked(session))
        .extracting(job -> job.id().value())
        .containsExactlyInAnyOrder("a1", "a2", "b1", "b3");
    assertThat(session.explain("a3").unmetConstraints())
        .extracting(UnmetConstraint::scope)
        .first()
        .isEqualTo("quota that the jobs of plan 1 may take");
    assertThat(reason(session, "a1")).isEqualTo(Constraint.BATCH_WINDOW);
  }

  @Test
  void jobsAreAskedForInTheTurnOrderOfTheirQueues() {
    Session session =
        session(
            Policies.bestEffortFifo(),
            WINDOW.maxPlanSize(3),
            QueueTree.of(limited("a", 1, 8), limited("b", 4, 8)));
    for (int n = 1; n < 4; n++) {
      session.submit(job("a", "a" + n, 2));
    }
    session.submit(job("b", "b1", 2));
    session.submit(job("b", "b2", 2));

    session.at(15).pass();

    assertThat(asked(session)).extracting(job -> job.id().value()).contains("b1", "b2");
  }

  @Test
  void anElasticJobIsAskedForAtTheSizesThatItsQuotasAdmit() {
    Session session = session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 3)));
    session.submit(job("a", "e", 4).parallelism(Parallelism.between(1, 4, 6)));

    session.at(15).pass();

    assertThat(asked(session).getFirst().parallelism()).isEqualTo(Parallelism.between(1, 3, 3));
    assertThat(session.at(16).plan(1, "e on n0 0 1 2")).containsExactly("start e");
  }

  @Test
  void aPlanThatExceedsQuotasIsCutJobByJobInTurn() {
    Session session =
        session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 2), limited("b", 0, 4)));
    session.submit(job("a", "a1", 1));
    session.submit(job("a", "a2", 1));
    session.submit(job("a", "a3", 1));
    session.submit(job("b", "b1", 3));

    assertThat(session.plan(0, "b1 on n1 0 1 2", "a3 on n0 2", "a2 on n0 1", "a1 on n0 0"))
        .containsExactlyInAnyOrder("start a1", "start a2", "start b1");
    assertThat(session.nodesOf("b1")).containsExactly("n1");
    assertThat(session.waiting()).containsExactly("a3");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(15));
  }

  @Test
  void aQueueBelowItsGuaranteeTakesItBackIfThePlanLeavesItsJobOut() {
    for (Reclaiming form : List.of(Reclaiming.COMPUTED_SHARES, Reclaiming.DOMINANT_SHARES)) {
      Session session =
          session(
              Policies.bestEffortFifo(),
              QueueTree.of(
                      QueueSpec.named("all").withGpus(8),
                      limited("a", 4, 8).in("all"),
                      limited("b", 4, 8).in("all"))
                  .with(form));
      session.submit(job("b", "old", 4));
      session.submit(job("b", "young", 4));
      session.at(15).pass();
      session.at(16).plan(1, "old on n0 0 1 2 3", "young on n1 0 1 2 3");
      assertThat(session.running()).containsExactlyInAnyOrder("old", "young");

      assertThat(session.at(20).submit(job("a", "mine", 4))).isEmpty();
      session.at(35).pass();
      if (!asked(session).isEmpty()) {
        session.at(36).plan(2);
      }
      while (session.scheduler.nextWakeUp().filter(session.now()::equals).isPresent()) {
        session.pass();
      }

      assertThat(session.running()).as("%s", form).contains("mine").hasSize(2);
    }
  }

  @Test
  void aJobBeyondItsLimitStopsOneOfItsQueueWhenNoPlanCanHelp() {
    Session session = session(Policies.priority(), QueueTree.of(limited("a", 0, 4)));
    session.submit(job("a", "low", 4));
    session.at(15).pass();
    session.at(16).plan(1, "low on n0 0 1 2 3");

    assertThat(session.at(20).submit(job("a", "high", 4).priority(5))).isEmpty();
    assertThat(session.at(35).pass()).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(session.now());
    assertThat(session.pass()).containsExactly("preempt low", "start high");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(50));
  }

  @Test
  void aJobBeyondItsLimitSaysSoAndIsPlannedWhenQuotaIsLeft() {
    Session session = session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 4)));
    session.submit(job("a", "first", 4));
    session.at(15).pass();
    session.at(16).plan(1, "first on n0 0 1 2 3");
    session.at(20).submit(job("a", "second", 4));
    session.at(35).pass();
    session.pass();

    assertThat(reason(session, "second")).isEqualTo(Constraint.QUEUE_GPUS);
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
    assertThat(session.at(40).finish("first")).isEmpty();
    assertThat(session.at(55).pass()).containsExactly("plan [second]");
    assertThat(session.at(56).plan(2, "second on n1 0 1 2 3")).containsExactly("start second");
    assertThat(session.nodesOf("second")).containsExactly("n1");
  }

  @Test
  void quotaThatAPlanLeavesGoesToThoseBehind() {
    Session session = session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 5)));
    session.submit(job("a", "wide", 5).parallelism(Parallelism.fixed(5)).nodeLabel("no", "node"));
    session.submit(job("a", "gang", 5));
    session.submit(job("a", "small", 1));
    session.at(15).pass();
    assertThat(asked(session)).extracting(JobSpec::id).containsExactly(JobId.of("gang"));

    assertThat(session.at(16).plan(1)).containsExactly("start gang");
  }

  @Test
  void withoutAPlanInTimeAllTakeTheOrdinaryWay() {
    Session session = session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 4)));
    session.submit(job("a", "one", 3));
    session.submit(job("a", "two", 2));
    session.submit(job("a", "three", 1));
    session.at(15).pass();
    session.cancel("one");

    assertThat(session.at(20).pass()).containsExactlyInAnyOrder("start two", "start three");
  }

  @Test
  void withinAQueueThatForbidsBypassNobodyIsPlannedBehindAJobBeyondItsQuotas() {
    Session session =
        session(Policies.bestEffortFifo(), QueueTree.of(limited("a", 0, 4).withoutBypass()));
    session.submit(job("a", "one", 2));
    session.submit(job("a", "wide", 4));
    session.submit(job("a", "small", 1));

    session.at(15).pass();

    assertThat(asked(session)).extracting(JobSpec::id).containsExactly(JobId.of("one"));
    assertThat(session.at(16).plan(1, "one on n0 0 1")).containsExactly("start one");
    assertThat(session.waiting()).containsExactly("wide", "small");
  }
}
