package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.QueueOrder.QueueView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two queues, of which the one that holds fewer GPUs goes first. */
class WaitingJobsTest {

  private final JobQueue busy = new JobQueue(QueueName.of("busy"), QueueView::gpus);
  private final JobQueue idle = new JobQueue(QueueName.of("idle"), QueueView::gpus);
  private final Agenda agenda = new Agenda();
  private final WaitingJobs waiting = new WaitingJobs(new ClassImages(), agenda, false);
  private final JobEntry busyFirst = in(busy, 0, 1);
  private final JobEntry idleLast = in(idle, 1, 3);
  private final JobEntry busyLast = in(busy, 2, 4);
  private final JobEntry idleFirst = in(idle, 3, 2);

  WaitingJobsTest() {
    busy.countRunning(1, 8);
    Stream.of(busyFirst, idleLast, busyLast, idleFirst).forEach(waiting::add);
  }

  @Test
  void jobsOfTheFirstQueuePrecedeAllOthers() {
    assertThat(waiting.first()).isSameAs(idleFirst);
    assertThat(waiting.inOrder()).containsExactly(idleFirst, idleLast, busyFirst, busyLast);
    assertThat(waiting.ids())
        .containsExactly(idleFirst.id(), idleLast.id(), busyFirst.id(), busyLast.id());
    assertThat(waiting.size()).isEqualTo(4);
  }

  @Test
  void queuesOfEqualRankStandInOneOrder() {
    idle.countRunning(1, 8);

    assertThat(waiting.inOrder()).containsExactly(busyFirst, idleFirst, idleLast, busyLast);
    assertThat(Stream.of(busyFirst, idleFirst, idleLast, busyLast).map(waiting::position))
        .containsExactly(0, 1, 2, 3);
    assertThat(waiting.head(3)).containsExactly(busyFirst, idleFirst, idleLast);
  }

  @Test
  void theHeadMergesAllQueues() {
    assertThat(waiting.head(0)).isEmpty();
    assertThat(waiting.head(1)).containsExactly(idleFirst);
    assertThat(waiting.head(3)).containsExactly(idleFirst, idleLast, busyFirst);
    assertThat(waiting.head(9)).containsExactly(idleFirst, idleLast, busyFirst, busyLast);
  }

  @Test
  void aPositionCountsEarlierJobsOfAllQueues() {
    assertThat(Stream.of(idleFirst, idleLast, busyFirst, busyLast).map(waiting::position))
        .containsExactly(0, 1, 2, 3);
  }

  @Test
  void sharingKindsAreOrderedByTheirFirstJob() {
    WaitingJobs sharing = new WaitingJobs(new ClassImages(), agenda, false);
    JobEntry later = sharing("a", 4, 8, new Sharing.Opportunistic());
    JobEntry first = sharing("b", 5, 4, new Sharing.Opportunistic());
    JobEntry promised = sharing("c", 6, 1, new Sharing.Guaranteed(.8));
    Stream.of(later, first, promised, in(idle, 7, 0)).forEach(sharing::add);

    assertThat(sharing.byClass().sharing().values()).containsExactly(promised.job(), first.job());

    sharing.remove(first);

    assertThat(sharing.byClass().sharing().values()).containsExactly(promised.job(), later.job());
  }

  private JobEntry sharing(String id, long sequence, int memory, Sharing sharing) {
    ResourceRequest request =
        ResourceRequest.builder()
            .gpus(1)
            .share(GpuShare.ofThousandths(500))
            .gpuMemory(Memory.ofGib(memory))
            .build();
    JobEntry job =
        Entries.waiting(JobSpec.builder(id).role("worker", 1, request).sharing(sharing), sequence);
    job.judge(PolicyState.INITIAL, memory, null);
    job.enter(idle);
    return job;
  }

  @Test
  void jobsOfOneClassShareTheirShortage() {
    busyFirst.shortage().failed(1, 7);

    assertThat(busyLast.shortage()).isSameAs(busyFirst.shortage());
    assertThat(waiting.peers(busyLast)).containsExactly(busyFirst, busyLast);
  }

  @Test
  void aFailedAttemptParksTheJobsOfItsClassBehindIt() {
    waiting.byClass().park(busyFirst);

    assertThat(waiting.byClass().isParked(busyLast)).isTrue();
    assertThat(waiting.byClass().isParked(idleFirst)).isFalse();
    assertThat(waiting.byClass().ready()).containsExactly(idleFirst);

    waiting.remove(busyFirst);
    assertThat(waiting.byClass().ready()).containsExactly(idleFirst);
    waiting.byClass().wake(busyLast.placementClass());
    assertThat(waiting.byClass().ready()).containsExactlyInAnyOrder(idleFirst, busyLast);
  }

  @Test
  void whereJobsPreemptAFailedAttemptDoesNotSpeakForLowerRanks() {
    WaitingJobs preempting = new WaitingJobs(new ClassImages(), agenda, true);
    preempting.add(idleLast);
    preempting.byClass().park(idleLast);
    preempting.add(idleFirst);

    assertThat(preempting.byClass().ready()).containsExactly(idleFirst);
    preempting.remove(idleFirst);
    assertThat(preempting.byClass().ready()).isEmpty();
  }

  @Test
  void pendingFactsMayHelpOnlyClassesThatFailedBeforeThem() {
    waiting.byClass().park(busyFirst);
    assertThat(waiting.byClass().mayBeHelped(busyFirst)).isFalse();

    agenda.relearn();
    assertThat(waiting.byClass().mayBeHelped(busyFirst)).isTrue();
    waiting.byClass().park(busyFirst);
    assertThat(waiting.byClass().mayBeHelped(busyFirst)).isFalse();
  }

  @Test
  void aRemovedJobNoLongerWaits() {
    List.of(idleFirst, idleLast, busyFirst).forEach(waiting::remove);
    assertThat(waiting.first()).isSameAs(busyLast);
    assertThat(waiting.isEmpty()).isFalse();

    waiting.remove(busyLast);

    assertThat(waiting.isEmpty()).isTrue();
    assertThat(waiting.first()).isNull();
  }

  /** Returns a job that stands in a queue; those of one queue are of one class. */
  private static JobEntry in(JobQueue queue, long sequence, long rank) {
    JobSpec.Builder spec = JobSpec.builder("j" + sequence).gpus(1).queue(queue.name().value());
    JobEntry job = Entries.waiting(spec, sequence);
    job.judge(PolicyState.INITIAL, rank, null);
    job.enter(queue);
    return job;
  }
}
