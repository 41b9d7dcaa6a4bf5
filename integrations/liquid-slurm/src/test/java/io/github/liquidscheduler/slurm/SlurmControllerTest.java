package io.github.liquidscheduler.slurm;

import static io.github.liquidscheduler.slurm.Trial.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Slurm without a submit plugin, whose controller is killed. */
@Tag("slurm")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SlurmControllerTest {
  private static Trial trial;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    trial = Trial.start(folder, Ownership.HOLD, 3);
  }

  @AfterAll
  static void stop() {
    if (trial != null) {
      trial.close();
    }
  }

  @Test
  void aJobThatIsSubmittedHeldIsStartedStoppedAndStartedAgain() throws IOException {
    String id = trial.submit("sleep 60", "-H", "-N1", "--gpus-per-node=1");
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Held());
    assertThat(trial.job(id).isOwned()).isTrue();
    assertThat(trial.carryOut(Trial.start(id, 0, 1, "gpu0003")).refused()).isEmpty();
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).on()).containsExactly(NodeId.of("gpu0003"));
    trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ZERO));
    until("it waits", () -> trial.job(id).state() instanceof ObservedState.Held);
    assertThat(trial.job(id).attempt()).isEqualTo(1);
    trial.carryOut(Trial.start(id, 1, 1, "gpu0003"));
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).on()).containsExactly(NodeId.of("gpu0003"));
    trial.run("scancel", id);
  }

  @Test
  void aJobThatIsNotSubmittedHeldIsWatchedOnly() throws IOException {
    String id = trial.submit("sleep 60", "-N1", "--gpus-per-node=1");
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).isOwned()).isFalse();
    trial.run("scancel", id);
  }

  @Test
  void nothingIsObservedOrCarriedOutWhileNobodyAnswers() throws IOException {
    // Held, so that no node remembers its id when the controller has forgotten it.
    String id = trial.submit("true", "-H", "-N1");
    String before = trial.port().observe().epoch();
    trial.slurm().killController();
    try {
      assertThatThrownBy(() -> trial.port().observe()).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> trial.port().lookUp(JobId.of(id))).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> trial.carryOut(new Command.Hold(JobId.of(id))))
          .hasRootCauseInstanceOf(IOException.class);
    } finally {
      trial.slurm().startController();
    }
    until(
        "nodes answer",
        () ->
            trial.port().observe().conditions().values().stream()
                .allMatch(NodeCondition.UP::equals));
    assertThat(trial.port().observe().epoch()).isNotEqualTo(before);
  }
}
