package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a job crosses its stop: it has finished, whatever has become of it meanwhile. */
class LateEndTest {

  private final Session session = new Session(builder().build());

  private static LiquidScheduler.Builder builder() {
    return LiquidScheduler.builder(Session.cluster(4))
        .policy(Policies.priority())
        .preemption(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30)));
  }

  private void stopLowForHigh() {
    session.submit(aJobOf("low", 4, 100));
    session.at(5).submit(aJob("high", 4).priority(1));
  }

  private static void assertFinished(Session session, String job) {
    assertThat(session.scheduler.status(JobId.of(job)))
        .contains(new JobStatus.Ended(JobStatus.Outcome.FINISHED));
  }

  @Test
  void aStoppingJobHasFinishedAndLetsOthersBegin() {
    stopLowForHigh();

    session.at(7).finish("low");

    assertFinished(session, "low");
    assertThat(session.scheduler.status(JobId.of("high")))
        .containsInstanceOf(JobStatus.Running.class);
  }

  @Test
  void aJobThatWaitsAgainHasFinished() {
    stopLowForHigh();
    session.at(6).stop("low");
    session.submit("next", 4);

    assertThat(session.at(7).finish("low")).isEmpty();

    assertFinished(session, "low");
    assertThat(session.waiting()).containsExactly("next");
    assertThat(session.at(8).finish("high")).containsExactly("start next");
  }

  @Test
  void aRestoredSchedulerKnowsThatItHasRun() {
    stopLowForHigh();
    session.at(6).stop("low");
    session.submit("next", 4);

    Session restored = new Session(builder().restore(session.scheduler.snapshot()));

    restored.at(7).finish("low");
    assertFinished(restored, "low");
    assertThatThrownBy(() -> restored.finish("next"))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(StaleEventException.class)
        .hasMessage("only a running job can finish, but job 'next' waits");
  }

  @Test
  void aJobThatIsToStartAgainGivesItsGpusToOthers() {
    stopLowForHigh();
    session.at(6).stop("low");
    session.at(7).submit(aJob("other", 4).priority(1));
    session.finish("high");
    session.at(8).update(aJobOf("low", 4, 100).priority(2));
    assertThat(session.scheduler.status(JobId.of("low")))
        .containsInstanceOf(JobStatus.Starting.class);

    session.at(9).finish("low");

    assertFinished(session, "low");
    session.at(40).pass();
    assertThat(session.running()).containsExactly("other");
  }

  @Test
  void aRunThatTookNoTimeIsARunAlsoAfterARestart() {
    session.submit("brief", 4);
    session.fail("brief", Failure.CRASHED, Retry.after(Duration.ofSeconds(60)));
    session.submit("dud", 4);
    session.fail("dud", Failure.NOT_STARTED, Retry.after(Duration.ofSeconds(60)));

    Session restored = new Session(builder().restore(session.scheduler.snapshot()));

    restored.at(1).finish("brief");
    assertFinished(restored, "brief");
    assertThatThrownBy(() -> restored.finish("dud"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("only a running job can finish, but job 'dud' waits");
  }

  @Test
  void aJobOfALostNodeMayHaveFinishedBefore() {
    session.submit("low", 4);
    session.at(5).lose("n0");

    session.at(6).finish("low");

    assertFinished(session, "low");
    assertThatThrownBy(() -> session.finish("low")).isInstanceOf(StaleEventException.class);
  }

  @Test
  void inABundleItFreesWhatTheNextJobGets() {
    session.submit("low", 4);
    session.submit("next", 4);
    ClusterEvent.NodeLost lost = new ClusterEvent.NodeLost(session.now(), NodeId.of("n0"));
    ClusterEvent.NodeReturned back = new ClusterEvent.NodeReturned(session.now(), NodeId.of("n0"));
    ClusterEvent.JobFinished end = new ClusterEvent.JobFinished(session.now(), JobId.of("low"));

    assertThat(session.on(ClusterEvent.together(List.of(lost, end, back))))
        .containsExactly("preempt low", "start next");
    assertFinished(session, "low");
  }

  @Test
  void nothingIsLearntOfARunThatHasNotBegun() {
    Session prefetching =
        new Session(
            builder()
                .prefetch(Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).build())
                .build());
    prefetching.submit(aJob("other", 4));
    prefetching.at(5).submit(aJobOf("low", 4, 100).priority(1));

    prefetching.at(34).cancel("other");
    prefetching.at(134).finish("low");

    assertThat(prefetching.scheduler.snapshot().section("data").values())
        .doesNotContainKey("ratios");
  }
}
