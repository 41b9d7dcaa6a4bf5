package io.github.liquidscheduler.lab.reference;

import static io.github.liquidscheduler.lab.reference.TestTraces.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TiresiasSimulatorTest {

  private static final TiresiasPolicy FIFO = TiresiasPolicy.named("fifo");

  @Test
  void aRunTellsWhatItWasAndHowBusyTheClusterWas() {
    ReferenceRun run =
        TiresiasSimulator.of(4, FIFO).run(TestTraces.of(job("a", 4, 10, 30), job("b", 2, 20, 10)));

    assertThat(run.policy()).isEqualTo("fifo");
    assertThat(run.gpus()).isEqualTo(4);
    assertThat(run.statistics().makespan()).isEqualTo(Duration.ofSeconds(40));
    assertThat(run.utilization()).isEqualTo(0.875);
    assertThat(run.decisionsDigest()).matches("[0-9a-f]{64}");
  }

  @Test
  void aJobWithoutDurationOfItsOwnEndsWhenItStarts() {
    ReferenceRun run = TiresiasSimulator.of(1, FIFO).run(TestTraces.of(job("a", 1, 5, 0)));

    assertThat(run.outcomes().get(0).end()).isEqualTo(Duration.ofSeconds(5));
    assertThat(run.utilization()).isZero();
  }

  @Test
  void aJobLargerThanTheClusterIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TiresiasSimulator.of(4, FIFO).run(TestTraces.of(job("a", 5, 0, 1))))
        .withMessage(
            "a job must fit into the cluster of 4 GPUs, but asked for 5, for job 'a' of test");
  }

  @Test
  void aJobThatIsNotCountedInWholeSecondsIsRefused() {
    Trace trace =
        TestTraces.of(TraceJob.builder("a").duration(Duration.ofMillis(1_500)).line(7).build());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TiresiasSimulator.of(4, FIFO).run(trace))
        .withMessage("the duration must be whole seconds, but was PT1.5S, for job 'a' (line 7)");
  }

  @Test
  void aJobThatOnlyTellsItsWorkIsRefused() {
    Trace trace = TestTraces.of(TraceJob.builder("a").iterations(7).build());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TiresiasSimulator.of(4, FIFO).run(trace))
        .withMessage("a job must have a duration to be counted, but had none, for job 'a'");
  }

  @Test
  void aClusterWithoutGpusIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TiresiasSimulator.of(0, FIFO))
        .withMessage("a cluster must have at least 1 GPU, but had 0");
  }

  @Test
  void policiesKnowTheirNames() {
    assertThat(TiresiasPolicy.named("dlas-gpu-2.5").name()).isEqualTo("dlas-gpu-2.5");
    assertThat(TiresiasPolicy.gittins(ServiceSamples.of(1)).name()).isEqualTo("dlas-gpu-gittins");
    assertThat(TiresiasPolicy.needsServiceSamples("dlas-gpu-gittins")).isTrue();
    assertThat(TiresiasPolicy.needsServiceSamples("dlas-gpu")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "FIFO", "srtf", "dlas-gpu-", "dlas-gpu--1", "dlas-gpu-k", "dlas-gpu-1e9"})
  void anUnknownPolicyIsAnsweredWithAllNames(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TiresiasPolicy.named(name))
        .withMessage(
            "a Tiresias policy must be one of fifo, fjf, sjf, shortest, shortest-gpu, dlas,"
                + " dlas-gpu, dlas-gpu-k, dlas-gpu-gittins (k a number), but was '"
                + name
                + "'");
  }

  @Test
  void theGittinsPolicyAsksForItsSamples() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TiresiasPolicy.named("dlas-gpu-gittins"))
        .withMessage("the policy 'dlas-gpu-gittins' needs the service samples of past jobs");
  }
}
