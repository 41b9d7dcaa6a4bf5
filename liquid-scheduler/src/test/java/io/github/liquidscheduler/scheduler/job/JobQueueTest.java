package io.github.liquidscheduler.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.QueueName;
import org.junit.jupiter.api.Test;

class JobQueueTest {

  private static final QueueName NAME = QueueName.of("research");

  @Test
  void aQueueCountsWaitingAndRunningJobsAndGpus() {
    JobQueue queue = new JobQueue(NAME, null);
    assertThat(queue.isEmpty()).isTrue();

    queue.countWaiting(1);
    assertThat(queue.isEmpty()).isFalse();
    queue.countWaiting(1);
    queue.countRunning(1, 8);
    queue.countWaiting(-1);

    assertThat(queue.name()).isEqualTo(NAME);
    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(queue.running()).isEqualTo(1);
    assertThat(queue.gpus()).isEqualTo(8);
    queue.countWaiting(-1);
    assertThat(queue.isEmpty()).isFalse();
    queue.countRunning(-1, -8);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.gpus()).isZero();
  }

  @Test
  void aQueueIsRankedAgainWithEachChange() {
    JobQueue queue =
        new JobQueue(NAME, view -> 100 * view.waiting() + 10 * view.running() + view.gpus());
    assertThat(queue.rank()).isZero();

    queue.countWaiting(1);
    assertThat(queue.rank()).isEqualTo(100);
    queue.countRunning(1, 4);
    assertThat(queue.rank()).isEqualTo(114);
    queue.countRunning(-1, -4);
    assertThat(queue.rank()).isEqualTo(100);
  }

  @Test
  void withoutAnOrderAllQueuesRankTheSame() {
    JobQueue queue = new JobQueue(NAME, null);
    queue.countRunning(1, 4);

    assertThat(queue.rank()).isZero();
  }
}
