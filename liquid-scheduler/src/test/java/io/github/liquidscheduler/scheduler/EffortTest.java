package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import org.junit.jupiter.api.Test;

/** How many places are looked for: no more than the event gives reason for. */
class EffortTest {

  private final CountingPlacer placer = new CountingPlacer();

  @Test
  void aSubmissionBehindABlockedHeadCostsNoSearch() {
    Session fifo = session(Policies.fifo());
    fifo.submit("running", 8);
    fifo.submit("head", 8);
    fifo.submit("of a known class", 1);
    placer.searches = 0;

    fifo.submit("next", 1);

    assertThat(placer.searches).isZero();
  }

  @Test
  void aSubmissionOfAClassThatFailsCostsNoSearch() {
    Session skipping = session(Policies.bestEffortFifo());
    skipping.submit("running", 7);
    skipping.submit("a", 2);
    placer.searches = 0;

    skipping.submit("b", 2);

    assertThat(placer.searches).isZero();
  }

  @Test
  void norDoesItWhereJobsOfHigherPriorityPreemptOthers() {
    Session priority = session(Policies.priority());
    priority.submit("running", 7);
    priority.submit("a", 2);
    placer.searches = 0;

    priority.submit("b", 2);

    assertThat(placer.searches).isZero();
  }

  @Test
  void norOfOneThatIsShorterThanOthersOfItsClass() {
    Session shortest = session(Policies.shortestJobFirst());
    shortest.submit("running", 7);
    shortest.submit(Session.aJobOf("a", 2, 100));
    placer.searches = 0;

    shortest.submit(Session.aJobOf("b", 2, 10));

    assertThat(placer.searches).isZero();
  }

  @Test
  void ofAClassThatComesBackOneIsSearchedFor() {
    Session skipping = session(Policies.bestEffortFifo());
    skipping.submit("a", 4);
    skipping.submit("b", 4);
    skipping.at(5).fail("a", Failure.NOT_STARTED, Retry.now());
    skipping.fail("b", Failure.NOT_STARTED, Retry.now());
    skipping.submit("c", 8);
    placer.searches = 0;

    assertThat(skipping.at(15).pass()).isEmpty();
    assertThat(placer.searches).isEqualTo(1);
  }

  @Test
  void capacityTooSmallForATaskCausesNoSearchIfNoElasticJobHasSurplus() {
    placer.isCapacityBound = true;
    Session elastic =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.bestEffortFifo())
                .placer(placer)
                .elasticity(Elasticity.by(SizingPolicy.marginalGain()).build())
                .build());
    elastic.submit("full", 7);
    elastic.submit("small", 1);
    elastic.submit(JobSpec.builder("large").role("worker", 1, ResourceRequest.ofGpus(2)));
    placer.searches = 0;

    assertThat(elastic.finish("small")).isEmpty();
    assertThat(placer.searches).isZero();
  }

  @Test
  void aSubmissionOfAnotherClassCostsOneSearch() {
    Session skipping = session(Policies.bestEffortFifo());
    skipping.submit("first of its class", 1);
    skipping.submit("running", 7);
    skipping.submit("a", 2);
    placer.searches = 0;

    skipping.submit("b", 1);

    assertThat(placer.searches).isEqualTo(1);
  }

  @Test
  void anEndCostsOneSearchForEachClassAndEachStart() {
    Session skipping = session(Policies.bestEffortFifo());
    skipping.submit("running", 4);
    skipping.submit("other", 4);
    for (int i = 0; i < 1000; i++) {
      skipping.submit("small" + i, 3);
      skipping.submit("large" + i, 5);
    }
    placer.searches = 0;

    assertThat(skipping.finish("running")).containsExactly("start small0");
    assertThat(placer.searches).isEqualTo(3);
  }

  @Test
  void lessCapacityCausesNoSearch() {
    Session skipping = session(Policies.bestEffortFifo());
    skipping.submit("running", 3);
    skipping.submit("a", 8);
    placer.searches = 0;

    skipping.drain("n1");
    skipping.at(60).pass();

    assertThat(placer.searches).isZero();
  }

  @Test
  void capacityTooSmallForATaskCausesNoSearch() {
    placer.isCapacityBound = true;
    Session skipping = session(Policies.bestEffortFifo());
    skipping.submit("full", 4);
    skipping.submit("small", 1);
    skipping.submit("other", 3);
    skipping.submit(JobSpec.builder("large").role("worker", 1, ResourceRequest.ofGpus(2)));
    placer.searches = 0;

    assertThat(skipping.finish("small")).isEmpty();
    assertThat(placer.searches).isZero();
  }

  @Test
  void aGangIsSearchedForOnceAllThatItLacksIsFreed() {
    placer.isCapacityBound = true;
    Session skipping = session(Policies.bestEffortFifo());
    for (int i = 0; i < 8; i++) {
      skipping.submit("j" + i, 1);
    }
    skipping.submit("gang", 3);
    placer.searches = 0;

    assertThat(skipping.finish("j0")).isEmpty();
    assertThat(skipping.finish("j5")).isEmpty();
    assertThat(placer.searches).isZero();
    assertThat(skipping.finish("j6")).containsExactly("start gang");
    assertThat(placer.searches).isEqualTo(1);
  }

  @Test
  void theEndOfAJobIsNothingNewToThoseWhoMightHaveStoppedIt() {
    Session priority = session(Policies.priority());
    priority.submit(aJob("fixed", 4).preemptible(false));
    priority.submit(aJob("low", 2).priority(0));
    priority.submit(aJob("high", 5).priority(1));
    placer.searches = 0;

    assertThat(priority.at(1).finish("low")).isEmpty();
    assertThat(placer.searches).isZero();
  }

  @Test
  void aRestoredSchedulerDoesNotTryAgainWhatFailed() {
    for (SchedulingPolicy policy : EventSequence.POLICIES) {
      Session session = session(policy);
      session.submit("running", 8);
      session.submit("waiting", 8);
      Session restored =
          new Session(
              LiquidScheduler.builder(Session.cluster(4, 4))
                  .policy(policy)
                  .placer(placer)
                  .restore(session.scheduler.snapshot()));
      placer.searches = 0;

      restored.pass();

      assertThat(placer.searches).as(policy.name()).isZero();
    }
  }

  private Session session(SchedulingPolicy policy) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4, 4)).policy(policy).placer(placer).build());
  }
}
