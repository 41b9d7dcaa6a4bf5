package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What running jobs hold beyond their preferred sizes goes to waiting ones. */
class SurplusTest {

  private static final List<SizingPolicy> SIZINGS =
      List.of(
          SizingPolicy.elasticTiresias(),
          SizingPolicy.marginalGain(),
          SizingPolicy.optimus(),
          SizingPolicy.afs(),
          SizingPolicy.goodput());

  /** No queues, and one queue of each form of a tree. */
  private static final List<Optional<Reclaiming>> FORMS =
      Stream.concat(
              Stream.of(Optional.<Reclaiming>empty()),
              Arrays.stream(Reclaiming.values()).map(Optional::of))
          .toList();

  private static Session session(SchedulingPolicy policy, SizingPolicy sizing, int limit) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(16))
            .policy(policy)
            .elasticity(
                Elasticity.by(sizing)
                    .pendingLimit(limit)
                    .coolDown(Duration.ofSeconds(1))
                    .worthwhile(0)
                    .cost(ResizeCost.NONE)
                    .build())
            .build());
  }

  private static Session session(SchedulingPolicy policy, Optional<Reclaiming> form) {
    Session session = session(policy, SizingPolicy.marginalGain(), 10);
    form.ifPresent(
        reclaiming ->
            session.on(
                new ClusterEvent.QueuesChanged(
                    Instant.EPOCH,
                    QueueTree.of(QueueSpec.named("default").withGpus(16)).with(reclaiming))));
    return session;
  }

  private static JobSpec.Builder elastic(String id, int min, int preferred) {
    return aJobOf(id, preferred, 1_000_000).parallelism(Parallelism.between(min, preferred, 16));
  }

  /** Lets the job grow to all GPUs. */
  private static Session grown(Session session, int preferred) {
    session.submit(elastic("e", 1, preferred));
    for (int second = 10; gpus(session, "e") < 16; second += 10) {
      session.at(second).pass();
      settle(session);
    }
    return session.at(1000);
  }

  private static void settle(Session session) {
    while (session.scheduler.status(JobId.of("e")).orElseThrow() instanceof JobStatus.Resizing) {
      session.resizeReported("e", ResizeStep.SWITCHED);
    }
  }

  private static int gpus(Session session, String job) {
    return session.scheduler.view().placement(JobId.of(job)).map(Placement::gpus).orElse(0);
  }

  @Test
  void underEachPolicyOfSizesAJobGivesOneTaskForOne() {
    for (SizingPolicy sizing : SIZINGS) {
      Session session = grown(session(Policies.bestEffortFifo(), sizing, 10), 8);

      assertThat(session.submit(aJobOf("one", 1, 3600)))
          .as(sizing.name())
          .containsExactly("resize e to 15", "start one");
    }
  }

  @Test
  void aJobOfLowerPriorityGivesOneTaskForOne() {
    for (Optional<Reclaiming> form : FORMS) {
      Session session = session(Policies.priority(), form);
      session.submit(elastic("low", 1, 16).priority(10));

      assertThat(session.at(1000).submit(aJob("high", 1).priority(100)))
          .as("%s", form)
          .containsExactly("resize low to 15", "start high");
    }
  }

  @Test
  void aJobGivesOneTaskForOneWhileManyWait() {
    Session session = session(Policies.priority(), SizingPolicy.marginalGain(), 0);
    session.submit(elastic("low", 1, 16).priority(10));

    assertThat(session.at(1000).submit(aJob("high", 1).priority(100)))
        .containsExactly("resize low to 15", "start high");
  }

  @Test
  void whileManyWaitOneThatNeedNotStopGivesTasksBesideOneThatStops() {
    Session session = session(Policies.priority(), SizingPolicy.marginalGain(), 0);
    session.submit(elastic("first", 1, 8).priority(10));
    session.submit(aJob("last", 8));

    assertThat(session.at(1000).submit(aJob("high", 12).priority(5)))
        .containsExactly("resize first to 4", "preempt last", "start high");
  }

  @Test
  void surplusGoesToJobsOfTheSameQueue() {
    for (Optional<Reclaiming> form : FORMS) {
      assertThat(grown(session(Policies.bestEffortFifo(), form), 8).submit(aJobOf("one", 1, 600)))
          .as("%s", form)
          .containsExactly("resize e to 15", "start one");
    }
  }

  @Test
  void nobodyOfLowerPriorityGivesMoreThanTheSmallestSizeNeeds() {
    for (Optional<Reclaiming> form : FORMS) {
      Session session = session(Policies.priority(), form);
      session.submit(elastic("low", 1, 16));

      assertThat(session.at(1000).submit(elastic("high", 2, 8).priority(9)))
          .as("%s", form)
          .containsExactly("resize low to 14", "start high");
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aJobStartsAtTheLargestSizeThatSurplusAllows(
      @ForAll @IntRange(min = 1, max = 15) int kept,
      @ForAll @IntRange(min = 1, max = 16) int least,
      @ForAll @IntRange(min = 0, max = 8) int more,
      @ForAll @IntRange(min = 0, max = 4) int form) {
    int preferred = Math.min(16, least + more);
    int surplus = 16 - kept;
    Session session = grown(session(Policies.bestEffortFifo(), FORMS.get(form)), kept);

    List<String> decisions = session.submit(elastic("w", least, preferred));

    if (least > surplus) {
      assertThat(decisions).isEmpty();
    } else {
      int size = Math.min(preferred, surplus);
      assertThat(decisions).containsExactly("resize e to " + (16 - size), "start w");
      assertThat(session.scheduler.status(JobId.of("w")).orElseThrow())
          .isInstanceOfSatisfying(
              JobStatus.Starting.class,
              starting -> assertThat(starting.placement().gpus()).isEqualTo(size));
    }
  }
}
