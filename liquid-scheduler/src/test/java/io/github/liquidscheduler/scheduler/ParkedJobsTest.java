package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.BatchWindowTest.WINDOW;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What becomes of jobs in a batch window that no plan has started. */
class ParkedJobsTest {

  @Test
  void theNextWindowRunsFromWhenItsFirstJobCame() {
    Session session = session(Policies.bestEffortFifo(), WINDOW, 4);
    session.submit("a", 1);
    session.at(15).pass();
    session.at(18).submit("b", 1);
    session.at(19).plan(1, "a on n0 0");

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(33));
  }

  @Test
  void aJobThatAnUnaskedPlanPassesByStillCountsAsNew() {
    Session session = session(Policies.bestEffortFifo(), WINDOW.maxJobs(3), 4);
    session.submit("x", 1);
    session.plan(0, "x on n0 0");
    session.submit("wide", 4);
    session.submit("b", 1);

    assertThat(session.plan(0, "b on n0 1")).containsExactly("start b");
    assertThat(session.submit("c", 1)).isEmpty();
    assertThat(session.submit("d", 1)).containsExactly("plan [wide, c, d]");
  }

  @Test
  void aJobThatComesAfterTheRequestWaitsForAPlanOfItsOwn() {
    Session session = session(Policies.shortestJobFirst(), WINDOW, 4);
    session.submit("x", 1);
    session.plan(0, "x on n0 0");
    session.submit(aJobOf("short", 1, 10));
    session.submit(aJobOf("long", 4, 30));
    session.at(15).pass();
    session.at(16).submit(aJobOf("between", 1, 20));

    assertThat(session.at(17).plan(1, "short on n0 1")).containsExactly("start short");
    assertThat(session.waiting()).containsExactly("between", "long");
  }

  @Test
  void theFirstOfAStrictQueueThatAPlanCouldNotStartIsInTheNextPlan() {
    Session session = full(Policies.fifo(), WINDOW);
    session.submit("a", 4);
    session.at(15).pass();
    session.at(16).plan(1);

    assertThat(session.at(20).finish("x")).isEmpty();
    assertThat(session.at(35).pass()).containsExactly("plan [a]");
  }

  @Test
  void strictOrderParksJobsBehindOneWhosePlanTimedOut() {
    Session session = full(Policies.fifo(), WINDOW);
    session.submit("a", 2);
    session.at(15).pass();
    session.at(20).pass();
    session.submit("b", 1);
    session.at(35).pass();
    assertThat(session.at(36).plan(2, "b on n0 0")).isEmpty();

    assertThat(session.at(40).finish("x")).containsExactly("start a");
    assertThat(session.at(55).pass()).containsExactly("plan [b]");
  }

  @Test
  void jobsBeyondThePlanSizeAreInTheNextPlan() {
    Session session = full(Policies.shortestJobFirst(), WINDOW.maxPlanSize(1));
    session.submit(aJobOf("long", 4, 30));
    session.at(15).pass();
    session.at(16).plan(1);
    session.submit(aJobOf("short", 1, 10));
    assertThat(session.at(31).pass()).containsExactly("plan [short]");

    assertThat(session.at(32).plan(2, "short on n1 0")).containsExactly("start short");
    assertThat(session.at(46).pass()).containsExactly("plan [long]");
  }

  /** Returns a session on a node of four GPUs that job x holds, and one of one GPU. */
  private static Session full(SchedulingPolicy policy, BatchWindow window) {
    Session session = session(policy, window, 4, 1);
    session.submit("x", 4);
    session.plan(0, "x on n0 0 1 2 3");
    return session;
  }

  private static Session session(SchedulingPolicy policy, BatchWindow window, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes)).policy(policy).batch(window).build());
  }
}
