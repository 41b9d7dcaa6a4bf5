package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairShareTest {

  private static final QueueName VISION = QueueName.of("vision");
  private static final QueueName SPEECH = QueueName.of("speech");

  private static JobSpec.Builder vision(String id, int gpus) {
    return aJob(id, gpus).queue(VISION.value());
  }

  private static JobSpec.Builder speech(String id, int gpus) {
    return aJob(id, gpus).queue(SPEECH.value());
  }

  @Test
  void aStartMovesItsQueuesPendingJobsBehindOtherQueues() {
    Session session = Session.of(Policies.fairShare(), 6);
    session.submit(aJob("all", 6).queue("other"));
    session.submit(aJob("a1", 1).queue("a"));
    session.submit(aJob("large", 2).queue("a"));
    session.submit(aJob("a2", 1).queue("a"));
    session.submit(aJob("b1", 1).queue("b"));
    session.submit(aJob("b2", 1).queue("b"));

    assertThat(session.finish("all"))
        .containsExactly("start a1", "start b1", "start large", "start b2", "start a2");
  }

  @Test
  void aStartLosesNobodyOfItsQueueWhoHasJustBecomeEligible() {
    Session session = Session.of(Policies.fairShare(), 4);
    session.submit(vision("v1", 1));
    session.submit(vision("v2", 2));
    session.submit(speech("s1", 1));
    for (String id : List.of("v1", "v2", "s1")) {
      session.at(5).fail(id, Failure.NOT_STARTED, Retry.now());
    }

    assertThat(session.at(15).pass()).containsExactly("start v1", "start s1", "start v2");
  }

  @Test
  void theQueueThatHoldsTheFewestGpusGoesFirst() {
    Session session = Session.of(Policies.fairShare(), 6);
    session.submit(vision("v0", 4));
    session.submit(aJob("other", 2));
    session.submit(vision("v1", 2));
    session.submit(speech("s0", 2));

    assertThat(session.waiting()).containsExactly("s0", "v1");
    assertThat(session.finish("other")).containsExactly("start s0");
  }

  @Test
  void eachStartMayChangeWhoseTurnIsNext() {
    Session session = Session.of(Policies.fairShare(), 4);
    session.submit(vision("running", 4));
    for (String id : List.of("0", "1", "2")) {
      session.submit(vision("v" + id, 1));
    }
    for (String id : List.of("0", "1", "2")) {
      session.submit(speech("s" + id, 1));
    }

    assertThat(session.finish("running"))
        .containsExactly("start v0", "start s0", "start v1", "start s1");
  }

  @Test
  void queuesComeToHoldGpusInProportionToTheirWeights() {
    Session session = Session.of(Policies.fairShare(Policies.fifo(), Map.of(SPEECH, 3.0)), 16);
    session.submit(vision("running", 16));
    IntStream.range(0, 16).forEach(i -> session.submit(vision("v" + i, 1)));
    IntStream.range(0, 16).forEach(i -> session.submit(speech("s" + i, 1)));

    List<String> started = session.finish("running");

    assertThat(started).hasSize(16).filteredOn(start -> start.startsWith("start s")).hasSize(12);
  }

  @Test
  void insideAQueueTheOtherPolicyRules() {
    SchedulingPolicy policy = Policies.fairShare(Policies.shortestJobFirst(), Map.of());
    Session session = Session.of(policy, 4);
    session.submit(vision("running", 4));
    session.submit(aJobOf("long", 2, 100).queue(VISION.value()));
    session.submit(aJobOf("short", 2, 10).queue(VISION.value()));

    assertThat(session.waiting()).containsExactly("short", "long");
  }

  @Test
  void runningJobsAreLeftAlone() {
    Session session = Session.of(Policies.fairShare(), 4);
    session.submit(vision("v0", 4));

    assertThat(session.submit(speech("s0", 1))).isEmpty();
  }

  @Test
  void aJobThatAsksForAnotherQueueStandsThere() {
    Session session = Session.of(Policies.fairShare(), 4);
    session.submit(vision("v0", 4));
    session.submit(vision("v1", 1));
    session.submit(vision("v2", 1));

    session.scheduler.on(new ClusterEvent.JobUpdated(Instant.EPOCH, speech("v2", 1).build()));

    assertThat(session.waiting()).containsExactly("v2", "v1");
  }

  @Test
  void positionsCountTheJobsOfAllQueues() {
    Session session = Session.of(Policies.fairShare(), 4);
    session.submit(vision("v0", 4));
    session.submit(vision("v1", 1));
    session.submit(speech("s0", 1));
    session.submit(aJob("d0", 1));

    List<JobId> waiting = session.scheduler.waiting();

    assertThat(waiting).extracting(JobId::value).containsExactly("s0", "d0", "v1");
    for (int i = 0; i < waiting.size(); i++) {
      assertThat(session.scheduler.queuePosition(waiting.get(i))).hasValue(i);
    }
  }

  @Test
  void aWeightMustBeMoreThanZeroAndFinite() {
    for (double weight : List.of(0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY)) {
      assertThatThrownBy(() -> Policies.fairShare(Policies.fifo(), Map.of(VISION, weight)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "a queue's weight must be more than zero and finite, but was %s, for queue 'vision'",
              weight);
    }
  }

  @Test
  void aPolicyThatPreemptsCannotOrderQueues() {
    assertThatThrownBy(() -> Policies.fairShare(Policies.priority(), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the policy inside the queues must not pre-empt and not order queues itself, but"
                + " 'priority' does");
    assertThatThrownBy(() -> Session.of(new PreemptingQueues(), 4))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a policy that pre-empts must not order queues, but 'preempting-queues' does both");
  }

  private static final class PreemptingQueues implements SchedulingPolicy {
    @Override
    public String name() {
      return "preempting-queues";
    }

    @Override
    public long rank(JobView job) {
      return 0;
    }

    @Override
    public boolean allowsBypass() {
      return true;
    }

    @Override
    public boolean preempts() {
      return true;
    }

    @Override
    public Optional<QueueOrder> queueOrder() {
      return Optional.of(queue -> queue.waiting());
    }
  }
}
