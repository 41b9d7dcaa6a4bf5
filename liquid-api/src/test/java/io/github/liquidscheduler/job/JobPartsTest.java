package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class JobPartsTest {

  @Test
  void namesAndIdsAreNotBlank() {
    refuses(() -> JobId.of(""), "a job id must not be blank");
    refuses(() -> QueueName.of("\t"), "a queue name must not be blank");
    refuses(() -> new TaskId(" ", 0), "a task's role must not be blank");
    refuses(
        () -> new TaskRole(" ", 1, ResourceRequest.ofGpus(1)), "a role's name must not be blank");
    refuses(() -> new Dataset("", Memory.ZERO), "a data set's name must not be blank");
    refuses(() -> Workload.builder(" "), "a workload's model family must not be blank");
  }

  @Test
  void aRoleHasBetweenOneAndAMillionTasks() {
    refuses(
        () -> new TaskRole("worker", 0, ResourceRequest.ofGpus(1)),
        "a role's count must be from 1 to 1000000, but was 0, for role 'worker'");
    refuses(
        () -> new TaskRole("worker", 1_000_001, ResourceRequest.ofGpus(1)),
        "a role's count must be from 1 to 1000000, but was 1000001, for role 'worker'");
  }

  @Test
  void aTasksIndexIsNotNegative() {
    refuses(
        () -> new TaskId("worker", -1),
        "a task's index must not be negative, but was -1, for role 'worker'");
  }

  @Test
  void aBatchHasAtLeastOneSample() {
    refuses(
        () -> Workload.builder("resnet50").batchSize(0),
        "a batch size must be at least 1, but was 0, for resnet50");
  }

  @Test
  void expectedWorkIsNotNegative() {
    refuses(
        () -> ExpectedWork.ofDuration(Duration.ofSeconds(-1)),
        "an expected duration must not be negative, but was PT-1S");
    refuses(
        () -> ExpectedWork.of(Duration.ZERO, 0),
        "expected iterations must be at least 1, but was 0");
  }

  @Test
  void roundsHaveTasks() {
    refuses(
        () -> new Synchronization.RelaxedRounds(0, 3),
        "tasks per round and rounds must be at least 1, but were 0 and 3");
  }

  @Test
  void aGuaranteedFloorIsAPartOfTheSpeedAlone() {
    String rule = "a guaranteed floor of retained speed must be in (0, 1], but was ";

    refuses(() -> new Sharing.Guaranteed(0), rule + "0.0");
    refuses(() -> new Sharing.Guaranteed(1.01), rule + "1.01");
    refuses(() -> new Sharing.Guaranteed(Double.NaN), rule + "NaN");
  }

  @Test
  void topologyWishesAddUp() {
    TopologyConstraint wishes =
        TopologyConstraint.required("zone").andPreferred("rack").andSlices(8, "rack");

    assertThat(wishes.required()).contains("zone");
    assertThat(wishes.preferred()).contains("rack");
    assertThat(wishes)
        .isEqualTo(TopologyConstraint.preferred("rack").andRequired("zone").andSlices(8, "rack"));
    assertThat(wishes).hasToString("required zone, preferred rack, slices of 8 in one rack");
  }

  @Test
  void slicesAndSpreadsHoldAtLeastOneTask() {
    refuses(
        () -> TopologyConstraint.NONE.andSlices(0, "rack"),
        "a slice must have at least 1 task, but had 0");
    refuses(
        () -> TopologyConstraint.NONE.andSpread(0, "rack"),
        "a spread must allow at least 1 task in a domain, but allowed 0");
  }

  private static void refuses(ThrowingCallable part, String message) {
    assertThatIllegalArgumentException().isThrownBy(part).withMessage(message);
  }
}
