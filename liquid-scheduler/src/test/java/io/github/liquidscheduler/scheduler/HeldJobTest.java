package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that their users hold. */
class HeldJobTest {

  private final Session session = new Session(fifo().build());

  private static LiquidScheduler.Builder fifo() {
    return LiquidScheduler.builder(Session.cluster(4)).policy(Policies.fifo());
  }

  private static LiquidScheduler.Builder priority() {
    return LiquidScheduler.builder(Session.cluster(4)).policy(Policies.priority());
  }

  private static ClusterEvent.JobHeld held(Session session, String job, String why) {
    return new ClusterEvent.JobHeld(session.now(), JobId.of(job), why);
  }

  private static ClusterEvent.JobReleased released(Session session, String job) {
    return new ClusterEvent.JobReleased(session.now(), JobId.of(job));
  }

  private static ClusterEvent submitted(Session session, String job, int gpus) {
    return new ClusterEvent.JobSubmitted(session.now(), aJob(job, gpus).build());
  }

  /** Fills the cluster, and has "held" and "next" wait behind. */
  private void fill(Session any) {
    any.submit("first", 4);
    any.submit("held", 4);
    any.at(1).submit("next", 4);
    any.on(held(any, "held", "depends on 4711"));
  }

  @Test
  void aHeldJobIsNotStartedAndNobodyWaitsForIt() {
    fill(session);

    assertThat(session.at(2).finish("first")).containsExactly("start next");
    assertThat(session.at(3).finish("next")).isEmpty();
    assertThat(session.waiting()).containsExactly("held");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void itKeepsItsPositionAndStartsOnceItIsReleased() {
    fill(session);
    session.at(2).on(released(session, "held"));

    assertThat(session.waiting()).containsExactly("held", "next");
    assertThat(session.at(3).finish("first")).containsExactly("start held");
  }

  @Test
  void itStartsAtOnceWhereItFits() {
    session.on(
        ClusterEvent.together(List.of(submitted(session, "j", 4), held(session, "j", "later"))));

    assertThat(session.waiting()).containsExactly("j");
    assertThat(session.at(1).on(released(session, "j"))).containsExactly("start j");
  }

  @Test
  void itExplainsItself() {
    fill(session);

    assertThat(session.explain("held").unmetConstraints().getFirst())
        .satisfies(
            unmet -> {
              assertThat(unmet.constraint()).isEqualTo(Constraint.HELD);
              assertThat(unmet.describe())
                  .isEqualTo("HELD (depends on 4711): it is to be released");
            });
    assertThat(session.explain("held").retryConditions())
        .containsExactly(new RetryCondition.JobReleased());
    assertThat(session.explain("held").queue().expectedStart()).isEmpty();
    assertThat(session.scheduler.held(JobId.of("held"))).contains("depends on 4711");
    assertThat(session.scheduler.held(JobId.of("next"))).isEmpty();
  }

  @Test
  void anotherReasonTakesThePlaceOfTheFirst() {
    fill(session);
    session.on(held(session, "held", ""));

    assertThat(session.explain("held").unmetConstraints().getFirst().scope())
        .isEqualTo("by its user");
    session.on(released(session, "held"));
    assertThat(session.scheduler.held(JobId.of("held"))).isEmpty();
  }

  @Test
  void anUpdateDoesNotReleaseIt() {
    fill(session);
    session.update(aJob("held", 1));

    assertThat(session.at(2).finish("first")).containsExactly("start next");
    assertThat(session.at(3).finish("next")).isEmpty();
    assertThat(session.on(released(session, "held"))).containsExactly("start held");
  }

  @Test
  void aRunningJobGoesOnAndIsHeldOnceItHasStopped() {
    session.submit("r", 4);
    assertThat(session.on(held(session, "r", "maintenance of its data"))).isEmpty();
    assertThat(session.running()).containsExactly("r");

    assertThat(session.at(5).fail("r", Failure.CRASHED, Retry.now())).isEmpty();
    session.at(100).pass();
    assertThat(session.waiting()).containsExactly("r");
    assertThat(session.on(released(session, "r"))).containsExactly("start r");
  }

  @Test
  void aStoppingJobIsHeldOnceItsGracePeriodIsOver() {
    PreemptionRules grace = PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30));
    Session any = new Session(priority().preemption(grace).build());
    any.submit("low", 4);
    any.at(5).submit(aJob("high", 4).priority(1));
    any.on(held(any, "low", ""));
    any.at(35).pass();

    assertThat(any.scheduler.status(JobId.of("high"))).containsInstanceOf(JobStatus.Running.class);
    assertThat(any.at(36).finish("high")).isEmpty();
    assertThat(any.on(released(any, "low"))).containsExactly("start low");
  }

  @Test
  void whoIsEvictedWhileHeldHasNothingToStop() {
    Session any = new Session(priority().build());
    any.submit("low", 4);
    any.on(held(any, "low", ""));
    any.submit(aJob("high", 4).priority(1));

    assertThat(any.last().getFirst().toString()).contains("until=Optional.empty");
  }

  @Test
  void theDelayOfARetryMayEndWhileItIsHeld() {
    session.submit("r", 4);
    session.at(5).fail("r", Failure.CRASHED, Retry.after(Duration.ofSeconds(60)));
    session.on(held(session, "r", ""));

    assertThat(session.scheduler.nextWakeUp()).isEmpty();
    assertThat(session.copy().at(20).on(released(session, "r"))).isEmpty();
    assertThat(session.at(300).on(released(session, "r"))).containsExactly("start r");
  }

  @Test
  void itGivesItsReservationToOthers() {
    Session any = new Session(fifo().backfill(Backfill.easy()).build());
    any.submit(aJobOf("first", 3, 100));
    any.submit(aJobOf("wide", 4, 100));
    assertThat(any.submit(aJobOf("long", 1, 500))).isEmpty();

    assertThat(any.at(1).on(held(any, "wide", ""))).containsExactly("start long");
    assertThat(any.scheduler.reservedStarts()).isEmpty();
    any.at(2).on(released(any, "wide"));
    assertThat(any.scheduler.reservedStart(JobId.of("wide"))).isPresent();
  }

  @Test
  void itIsInNoPlan() {
    Session any = new Session(fifo().batch(BatchWindow.of(Duration.ZERO)).build());
    any.on(ClusterEvent.together(List.of(submitted(any, "j", 4), held(any, "j", ""))));
    assertThat(any.submit("k", 1)).containsExactly("plan [k]");

    assertThat(any.plan(1, "k on n0 0", "j on n0 0 1 2 3")).containsExactly("start k");
    assertThat(any.plan(0, "j on n0 0 1 2 3")).isEmpty();
  }

  @Test
  void nothingIsPromisedToItAndItIsAdmittedAnew() {
    Elasticity deadlines =
        Elasticity.by(SizingPolicy.marginalGain()).deadlines(LateJobs.REFUSE).build();
    Session any = new Session(fifo().elasticity(deadlines).build());
    any.submit(aJobOf("d", 4, 100).deadline(Instant.ofEpochSecond(110)));
    any.submit(aJobOf("e", 4, 100).deadline(Instant.ofEpochSecond(400)));
    any.on(held(any, "e", ""));

    assertThat(any.submit(aJobOf("f", 4, 100).deadline(Instant.ofEpochSecond(210)))).isEmpty();
    assertThat(any.explain("e").unmetConstraints().getFirst().constraint())
        .isEqualTo(Constraint.HELD);
    assertThat(any.copy().at(1).on(released(any, "e"))).isEmpty();
    assertThat(any.at(350).on(released(any, "e"))).contains("reject e");
  }

  @Test
  void itsQueueWantsNothingForIt() {
    Session any = new Session(fifo().build());
    any.on(
        new ClusterEvent.QueuesChanged(
            any.now(),
            QueueTree.of(
                QueueSpec.named("default").withGpus(2), QueueSpec.named("other").withGpus(2))));
    any.submit(aJob("a", 4).queue("other"));
    any.on(ClusterEvent.together(List.of(submitted(any, "j", 2), held(any, "j", ""))));

    assertThat(any.running()).containsExactly("a");
    assertThat(any.on(released(any, "j"))).containsExactly("preempt a", "start j");
  }

  @Test
  void aRestoredOrCopiedSchedulerKnowsWhoIsHeld() {
    fill(session);

    for (Session each : List.of(session.restored(), session.copy())) {
      assertThat(each.explain("held")).isEqualTo(session.explain("held"));
      assertThat(each.at(2).finish("first")).containsExactly("start next");
      assertThat(each.at(3).finish("next")).isEmpty();
      assertThat(each.on(released(each, "held"))).containsExactly("start held");
    }
  }

  @Test
  void aQuestionMaySupposeItsRelease() {
    fill(session);

    assertThat(
            session
                .scheduler
                .whatIf(
                    List.of(
                        released(session, "held"),
                        new ClusterEvent.JobFinished(session.now(), JobId.of("first"))),
                    0)
                .firstStart(JobId.of("held")))
        .isPresent();
    assertThat(session.scheduler.held(JobId.of("held"))).isPresent();
  }

  @Test
  void whoIsRejectedAtOnceIsHeldInVain() {
    assertThat(
            session.on(
                ClusterEvent.together(
                    List.of(submitted(session, "huge", 99), held(session, "huge", "")))))
        .containsExactly("reject huge");
    assertThat(session.on(released(session, "huge"))).isEmpty();
  }

  @Test
  void whoIsNotHeldCannotBeReleasedAndWhoIsOverNotBeHeld() {
    fill(session);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.on(released(session, "next")))
        .withMessage("only a held job can be released, but job 'next' waits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.on(held(session, "nobody", "")))
        .withMessageStartingWith("only a waiting or running job can be held, but job 'nobody'");
    session.finish("first");
    assertThatThrownBy(() -> session.on(held(session, "first", "")))
        .isInstanceOf(StaleEventException.class);
  }

  @Test
  void aReasonIsOneShortLineWhateverItsUserWrites() {
    assertThat(held(session, "j", "\t no\nlicence\u001B[2J\u202Eof\uD800 x \r").why())
        .isEqualTo("no licence [2J of  x");
    assertThat(held(session, "j", "🚀".repeat(500)).why())
        .isEqualTo("🚀".repeat(199) + "…")
        .isEqualTo(held(session, "j", held(session, "j", "🚀".repeat(500)).why()).why());
  }
}
