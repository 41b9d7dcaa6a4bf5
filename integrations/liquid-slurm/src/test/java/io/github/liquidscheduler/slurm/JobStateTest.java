package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.JobLine.Column;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobStateTest {
  private static ObservedState pending(Ownership ownership, String reason) throws IOException {
    JobLine line =
        new JobLine(
            Map.of(
                Column.JOB, "7", Column.STATE, "PD", Column.PRIORITY, "0", Column.REASON, reason));
    return new JobState(ownership, Instant.EPOCH)
        .of(new ListedJob(line, new SlurmRecord(Map.of())));
  }

  @ParameterizedTest
  @EnumSource(Ownership.class)
  void aJobThatANodeRefusedToLaunchWaitsForTheScheduler(Ownership ownership) throws IOException {
    assertThat(pending(ownership, "launch failed requeued held"))
        .isInstanceOf(ObservedState.Held.class);
    assertThat(pending(ownership, "launch_failed_requeued_held"))
        .isInstanceOf(ObservedState.Held.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JobHeldUser", "JobHeldAdmin"})
  void aJobThatPeopleHoldIsNotToStart(String reason) throws IOException {
    assertThat(pending(Ownership.BEGIN_TIME, reason)).isInstanceOf(ObservedState.NotYet.class);
  }

  @Test
  void aJobThatItsUserSubmittedHeldIsTheSchedulersWithoutThePlugin() throws IOException {
    assertThat(pending(Ownership.HOLD, "JobHeldUser")).isInstanceOf(ObservedState.Held.class);
  }
}
