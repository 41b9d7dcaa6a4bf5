package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchedJobsTest {

  private static final Instant SOON = Instant.ofEpochSecond(10);
  private static final Instant LATER = Instant.ofEpochSecond(20);

  private final BatchedJobs batched = new BatchedJobs();
  private final JobEntry large = Entries.waiting(JobSpec.builder("large").gpus(8), 0);
  private final JobEntry small = Entries.waiting(JobSpec.builder("small").gpus(2), 1);

  @Test
  void parkedJobsAreCountedByReason() {
    assertThat(batched.isEmpty()).isTrue();
    batched.put(large, Membership.ENTERED);
    batched.put(small, Membership.ENTERED);
    assertThat(batched.isEmpty()).isFalse();
    assertCounts(2, 10, 2, 0);

    batched.put(large, Membership.REQUESTED);
    assertCounts(1, 2, 1, 1);
    batched.put(small, Membership.LEFT_OVER);
    assertCounts(0, 0, 1, 1);
    batched.remove(large);
    batched.remove(large);
    assertCounts(0, 0, 1, 0);
    assertThat(batched.contains(large)).isFalse();
    assertThat(batched.stage(small)).isEqualTo(Membership.LEFT_OVER);
  }

  @Test
  void onlyTheLastRequestedPlanIsAwaited() {
    batched.request(SOON, new WindowPhase.Idle());
    batched.request(LATER, new WindowPhase.Gathering(LATER));

    assertThat(batched.awaitedSince(plan(1))).isEmpty();
    assertThat(batched.awaitedSince(plan(2))).contains(LATER);
    batched.enter(new WindowPhase.Idle());
    assertThat(batched.awaitedSince(plan(2))).isEmpty();
  }

  @Test
  void theNextWindowOpensAndClosesWhileAPlanIsAwaited() {
    batched.request(SOON, new WindowPhase.Idle());
    batched.open(SOON);
    batched.open(LATER);
    assertThat(batched.phase())
        .isEqualTo(new WindowPhase.Awaiting(SOON, new WindowPhase.Gathering(SOON)));
    assertThat(batched.phase().openedAt()).contains(SOON);

    batched.close();
    assertThat(batched.phase()).isEqualTo(new WindowPhase.Awaiting(SOON, new WindowPhase.Idle()));
    assertThat(batched.phase().openedAt()).isEmpty();
  }

  @Test
  void anIdleWindowOpensOnceUntilItIsClosed() {
    batched.open(SOON);
    batched.open(LATER);
    assertThat(batched.phase()).isEqualTo(new WindowPhase.Gathering(SOON));

    batched.close();
    assertThat(batched.phase()).isEqualTo(new WindowPhase.Idle());
  }

  private void assertCounts(int entered, long enteredGpus, int gathered, int requested) {
    assertThat(batched.entered()).isEqualTo(entered);
    assertThat(batched.enteredGpus()).isEqualTo(enteredGpus);
    assertThat(batched.gathered()).isEqualTo(gathered);
    assertThat(batched.requested()).isEqualTo(requested);
  }

  private static BatchPlan plan(long number) {
    return new BatchPlan(
        number, List.of(), List.of(), List.of(), new PlanCertificate(0, 0, 0, 0, List.of()));
  }
}
