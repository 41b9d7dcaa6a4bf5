package io.github.liquidscheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An urgent job takes GPUs of one that has a minute to leave. */
class HeldDecisionsTest {

  private static final PreemptionRules MINUTE =
      PreemptionRules.NONE.gracePeriod(Duration.ofMinutes(1));

  private final LoopFixture fixture = new LoopFixture();
  private final LiquidScheduler scheduler = builder().build();
  private final SchedulerLoop loop = fixture.loop(scheduler).start();

  private static LiquidScheduler.Builder builder() {
    return LoopFixture.scheduler().policy(Policies.priority()).preemption(MINUTE);
  }

  @BeforeEach
  void anUrgentJobComes() {
    submit("slow", 0);
    fixture.time.pass(Duration.ofSeconds(1));
    submit("urgent", 9);
  }

  private void submit(String id, int priority) {
    JobSpec job = JobSpec.builder(id).gpus(4).priority(priority).build();
    loop.offer(now -> new ClusterEvent.JobSubmitted(now, job));
    fixture.time.settle();
  }

  private void report(Function<Instant, ClusterEvent> event) {
    loop.offer(event);
    fixture.time.settle();
  }

  private List<String> handled() {
    return fixture.recorder.handled.stream()
        .map(decision -> (Decision.AboutJob) decision)
        .map(decision -> decision.getClass().getSimpleName() + " " + decision.job())
        .toList();
  }

  @Test
  void aStartIsHandedOutOnceThoseWhoLeaveAreReportedAsStopped() {
    assertThat(handled()).containsExactly("Start slow", "Preempt slow");

    report(now -> new ClusterEvent.JobStopped(now, JobId.of("slow")));

    assertThat(handled()).containsExactly("Start slow", "Preempt slow", "Start urgent");
    assertThat(((Decision.Start) fixture.recorder.handled.getLast()).after()).isEmpty();
  }

  @Test
  void aStartIsHandedOutWhenTheGracePeriodIsOver() {
    fixture.time.pass(Duration.ofSeconds(59));
    assertThat(handled()).doesNotContain("Start urgent");

    fixture.time.pass(Duration.ofSeconds(1));
    assertThat(handled()).endsWith("Start urgent");
  }

  @Test
  void aStartThatIsTakenBackIsNeverHandedOut() {
    report(now -> new ClusterEvent.NodeDraining(now, NodeId.of("node-0")));
    report(now -> new ClusterEvent.JobStopped(now, JobId.of("slow")));

    assertThat(handled()).containsExactly("Start slow", "Preempt slow");
  }

  @Test
  void aJobThatIsSeenToRunIsNotStartedAgain() {
    JobSpec urgent = JobSpec.builder("urgent").gpus(4).priority(9).build();
    List<NodeId> nodes = Collections.nCopies(4, NodeId.of("node-0"));
    report(now -> new ClusterEvent.JobAdopted(now, urgent, nodes, now, true));
    report(now -> new ClusterEvent.JobStopped(now, JobId.of("slow")));

    assertThat(handled()).containsExactly("Start slow", "Preempt slow");
  }

  @Test
  void aJobThatIsCancelledBeforeItBeganIsNeverStarted() {
    report(now -> new ClusterEvent.JobCancelled(now, JobId.of("urgent")));
    report(now -> new ClusterEvent.JobStopped(now, JobId.of("slow")));

    assertThat(handled()).containsExactly("Start slow", "Preempt slow", "Start slow");
  }

  @Test
  void aLoopThatIsStartedAgainHandsOutWhatWasHeld() {
    LoopFixture after = new LoopFixture();
    SchedulerLoop next = after.loop(builder().restore(scheduler.snapshot())).start();

    next.offer(now -> new ClusterEvent.JobStopped(now, JobId.of("slow")));
    after.time.settle();

    Placement there = scheduler.view().placement(JobId.of("urgent")).orElseThrow();
    assertThat(after.recorder.handled)
        .containsExactly(new Decision.Start(JobId.of("urgent"), there, new Reason.Restored()));
  }

  @Test
  void listenersAndAnswersHearWhatWasDecidedAtOnce() {
    assertThat(fixture.recorder.journal.getLast().decisions())
        .extracting(decision -> decision.getClass().getSimpleName())
        .containsExactly("Preempt", "Start");
  }
}
