package io.github.liquidscheduler.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.gang.TaskShape;
import org.junit.jupiter.api.Test;

class MissingTasksTest {

  private static final TaskShape TASK =
      TaskShape.of(JobSpec.builder("asked").gpus(1).build().roles().getFirst());

  private final MissingTasks missing = new MissingTasks();

  @Test
  void aFailureSpeaksForItsRankAndHigherOnes() {
    missing.failed(5, 7);

    assertThat(missing.since(ranked(4))).isZero();
    assertThat(missing.since(ranked(5))).isEqualTo(7);
    assertThat(missing.since(ranked(6))).isEqualTo(7);
    assertThat(missing.task(ranked(6))).isNull();
    assertThat(missing.missing()).isZero();
  }

  @Test
  void missingTasksHoldForTheirRankAndHigherOnes() {
    missing.lack(TASK, 3, 5, 7);

    assertThat(missing.task(ranked(4))).isNull();
    assertThat(missing.task(ranked(5))).isSameAs(TASK);
    assertThat(missing.missing()).isEqualTo(3);
  }

  @Test
  void growthReducesTheMissingTasksToNone() {
    missing.lack(TASK, 3, 5, 7);

    missing.reduce(2, 9);
    assertThat(missing.missing()).isEqualTo(1);
    assertThat(missing.since(ranked(5))).isEqualTo(9);
    assertThat(missing.task(ranked(5))).isSameAs(TASK);

    missing.reduce(1, 11);
    assertThat(missing.missing()).isZero();
    assertThat(missing.task(ranked(5))).isNull();
    assertThat(missing.since(ranked(5))).isZero();
  }

  @Test
  void nothingIsKnownOfLowerRanksThanThoseAsked() {
    missing.lack(TASK, 3, 2, 7);

    missing.ask(5);
    assertThat(missing.task(ranked(4))).isNull();
    assertThat(missing.task(ranked(5))).isSameAs(TASK);

    missing.ask(3);
    assertThat(missing.task(ranked(4))).isNull();
  }

  @Test
  void aFailedVictimSearchHoldsForOneVersionOfUsage() {
    assertThat(missing.hasFailedAt(8)).isFalse();
    assertThat(missing.hasFailedInQueueAt(3)).isFalse();

    missing.failAt(8);
    missing.failInQueueAt(3);

    assertThat(missing.hasFailedAt(8)).isTrue();
    assertThat(missing.hasFailedAt(9)).isFalse();
    assertThat(missing.hasFailedInQueueAt(3)).isTrue();
    assertThat(missing.hasFailedInQueueAt(4)).isFalse();
  }

  @Test
  void aShortageCanBeCopiedAndCleared() {
    missing.lack(TASK, 3, 5, 7);
    missing.failAt(8);
    missing.failInQueueAt(3);
    MissingTasks other = missing.copy();
    missing.clear();

    assertThat(other.task(ranked(5))).isSameAs(TASK);
    assertThat(other.since(ranked(5))).isEqualTo(7);
    assertThat(other.hasFailedAt(8)).isTrue();
    assertThat(other.hasFailedInQueueAt(3)).isTrue();
    assertThat(missing.task(ranked(5))).isNull();
    assertThat(missing.since(ranked(5))).isZero();
    assertThat(missing.hasFailedAt(8)).isFalse();
    assertThat(missing.hasFailedInQueueAt(3)).isFalse();
  }

  private static JobEntry ranked(long rank) {
    return Entries.ranked(0, rank);
  }
}
