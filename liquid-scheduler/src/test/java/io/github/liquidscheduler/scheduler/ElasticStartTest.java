package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElasticStartTest {

  private static JobSpec.Builder elastic(String id, int min, int preferred, int max) {
    return aJob(id, preferred).parallelism(Parallelism.between(min, preferred, max));
  }

  private static int gpus(Session session, String job) {
    return session.scheduler.view().placement(JobId.of(job)).map(Placement::gpus).orElse(0);
  }

  @Test
  void aJobStartsAtItsPreferredSizeDespiteMoreFreeGpus() {
    Session session = Session.of(Policies.fifo(), 8);

    session.submit(elastic("e", 1, 4, 8));

    assertThat(gpus(session, "e")).isEqualTo(4);
  }

  @Test
  void aJobStartsAtTheLargestSizeThatFits() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit("other", 1);

    session.submit(aJob("e", 4).parallelism(new Parallelism(List.of(1, 2, 4), 4)));

    assertThat(gpus(session, "e")).isEqualTo(2);
  }

  @Test
  void ofManySizesTheLargestThatFitsIsFound() {
    for (int taken = 0; taken < 64; taken++) {
      Session session = Session.of(Policies.fifo(), 32, 32);
      if (taken > 0) {
        session.submit("other", taken);
      }

      session.submit(elastic("e", 1, 64, 64));

      assertThat(gpus(session, "e")).isEqualTo(64 - taken);
    }
  }

  @Test
  void aJobWaitsWhileItsSmallestSizeDoesNotFitAndIsToldWhatThatLacks() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit("other", 3);

    assertThat(session.submit(elastic("e", 2, 4, 4))).isEmpty();

    assertThat(session.scheduler.explain(JobId.of("e")).unmetConstraints())
        .filteredOn(unmet -> unmet.constraint() == Constraint.GPUS)
        .extracting(UnmetConstraint::requested)
        .containsExactly(2L);
    assertThat(session.finish("other")).containsExactly("start e");
    assertThat(gpus(session, "e")).isEqualTo(4);
  }

  @Test
  void aJobIsRejectedOnlyIfItsSmallestSizeNeverFits() {
    Session session = Session.of(Policies.fifo(), 4);

    assertThat(session.submit(elastic("large", 5, 6, 8))).containsExactly("reject large");
    assertThat(session.submit(elastic("small", 3, 6, 8))).containsExactly("start small");
    assertThat(gpus(session, "small")).isEqualTo(4);
  }

  @Test
  void noMoreIsPreemptedThanTheSmallestSizeNeeds() {
    Session session = Session.of(Policies.priority(), 4);
    session.submit("a", 2);
    session.submit("b", 2);

    List<String> decisions = session.submit(elastic("e", 2, 4, 4).priority(1));

    assertThat(decisions).containsExactly("preempt b", "start e");
    assertThat(gpus(session, "e")).isEqualTo(2);
  }

  @Test
  void aSmallerSizeTakesLongerInProportion() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit(aJobOf("other", 2, 1000));
    session.submit(aJobOf("e", 4, 100).parallelism(Parallelism.between(1, 4, 4)));
    session.at(50).submit("w", 2);

    assertThat(session.scheduler.explain(JobId.of("w")).remedies())
        .contains(
            new Counterfactual.AfterJobsEnd(
                List.of(JobId.of("e")), Optional.of(Instant.ofEpochSecond(200))));
  }

  @Test
  void whatWasDoneAtASmallerSizeCountsInProportion() {
    Session session = Session.of(Policies.priority(), 4);
    session.submit("other", 2);
    session.submit(aJobOf("e", 4, 100).parallelism(Parallelism.between(2, 4, 4)));
    session.at(100).submit(aJob("high", 2).priority(1));
    assertThat(gpus(session, "e")).isZero();
    session.at(200).finish("high");
    session.at(200).finish("other");
    assertThat(gpus(session, "e")).isEqualTo(2);

    session.at(220).submit("w", 4);

    assertThat(session.scheduler.explain(JobId.of("w")).remedies())
        .contains(
            new Counterfactual.AfterJobsEnd(
                List.of(JobId.of("e")), Optional.of(Instant.ofEpochSecond(300))));
  }

  @Test
  void aRestoredSchedulerKnowsTheSize() {
    Session session = Session.of(Policies.fifo(), 4);
    session.submit("other", 1);
    session.submit(elastic("e", 1, 4, 4));

    LiquidScheduler restored =
        LiquidScheduler.builder(Session.cluster(4))
            .policy(Policies.fifo())
            .restore(session.scheduler.snapshot());

    assertThat(restored.view().placement(JobId.of("e")))
        .isEqualTo(session.scheduler.view().placement(JobId.of("e")));
    assertThat(restored.job(JobId.of("e"))).contains(elastic("e", 1, 4, 4).build());
    assertThat(restored.view().job(JobId.of("e"))).contains(aJob("e", 3).build());
  }

  @Test
  void aPlanMayGiveAnySizeThatAJobAllows() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .batch(BatchWindow.of(Duration.ZERO))
                .build());

    session.submit(elastic("e", 1, 4, 4));

    Decision.RequestPlan request = (Decision.RequestPlan) session.last().getLast();
    assertThat(request.request().pending()).containsExactly(elastic("e", 1, 4, 4).build());
  }
}
