package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.QueueTurnsTest.on;
import static io.github.liquidscheduler.scheduler.QueueTurnsTest.owed;
import static io.github.liquidscheduler.scheduler.QueueTurnsTest.queues;
import static io.github.liquidscheduler.scheduler.QueueTurnsTest.session;
import static io.github.liquidscheduler.scheduler.QueueTurnsTest.withoutShare;
import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A job known to fail may become startable while others of the same turn start and leave; it then
 * precedes the jobs behind it.
 */
class KnownFailuresTest {

  /** The gang could use what the pre-emption leaves over, with what the first is about to take. */
  @Test
  void aJobReleasedByALimitPrecedesLaterJobsHelpedByThePreemption() {
    Session two = session(Policies.bestEffortFifo(), 4, 2);
    queues(two, withoutShare("a", 4).withPriority(1), owed("b", 3), owed("guests", 0));
    two.submit(on("n0", aJob("a1", 4).queue("a")));
    two.submit(on("n1", aJob("a2", 2).queue("a")));
    ResourceRequest oneGpu = ResourceRequest.ofGpus(1);
    two.submit(JobSpec.builder("gang").queue("guests").role("worker", 3, oneGpu));

    assertThat(two.submit(on("n0", aJob("b1", 3).queue("b"))))
        .containsExactly("preempt a1", "start b1", "start a2");
  }

  /**
   * Until the second of the other queue starts, that has no more than what is due to it. It is
   * served first since the first in turn of this one asks for even more.
   */
  @Test
  void aJobThatMayReclaimAfterAStartPrecedesLaterJobs() {
    Session three = session(Policies.priority(), 2, 2, 1);
    queues(three, owed("a", 2), owed("b", 2));
    three.submit(on("n0", aJob("small", 1).queue("a")));
    three.submit(on("n1", aJob("b1", 2).queue("b")));
    comeBackAtSecond15(three, "small", "b1");
    three.submit(on("n0", aJob("b2", 2).queue("b")));
    three.submit(aJob("too large", 5).queue("a").priority(9));
    three.submit(on("n0", aJob("large", 2).queue("a").priority(5)));
    assertThat(three.at(10).pass()).isEmpty();

    assertThat(three.at(15).pass()).containsExactly("start b1", "preempt b2", "start large");
  }

  @Test
  void atAQueueLimitTheNextOfAClassPrecedesLaterJobs() {
    Session one =
        new Session(
            LiquidScheduler.builder(Session.cluster(8))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(10)))
                .build());
    queues(one, withoutShare("a", 4), owed("b", 0));
    one.submit(aJob("behind", 1).queue("a").priority(5));
    comeBackAtSecond15(one, "behind");
    one.submit(aJob("low1", 2).queue("a"));
    one.submit(aJob("low2", 2).queue("a"));
    one.submit(aJob("first", 2).queue("a").priority(9));
    one.submit(aJob("second", 2).queue("a").priority(9));

    assertThat(one.at(15).pass())
        .containsExactly("preempt low2", "start first", "preempt low1", "start second");
  }

  /** Nothing is short but the limit of its queue, and it can use none of the GPUs that leave. */
  @Test
  void aJobAtTheLimitOfItsQueueReplacesAnotherOnceThatIsNoLongerProtected() {
    Session two =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(10)))
                .build());
    queues(two, withoutShare("a", 4), owed("b", 0));
    two.submit(aJob("low", 4).queue("a").excludeNodes(List.of("n1")));
    assertThat(two.at(5).submit(aJob("high", 4).queue("a").priority(9).excludeNodes(List.of("n0"))))
        .isEmpty();

    assertThat(two.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(10));
    assertThat(two.at(10).pass()).containsExactly("preempt low", "start high");
  }

  private static void comeBackAtSecond15(Session session, String... running) {
    for (String job : List.of(running)) {
      session.at(5).fail(job, Failure.NOT_STARTED, Retry.now());
    }
  }
}
