package io.github.liquidscheduler.rounds.scheduler;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundSnapshotsTest {

  private static final SnapshotSection NOTHING = SnapshotSection.builder().build();

  private static SchedulerSnapshot snapshot() {
    RoundScheduler scheduler = RoundScheduler.builder(RoundPolicy.hlas()).build();
    JobSpec job =
        JobSpec.builder("j")
            .gpus(2)
            .synchronization(new Synchronization.RelaxedRounds(2, 2))
            .build();
    scheduler.on(new RoundEvent.GpuAdded(Instant.EPOCH, GpuId.of("n", 0), GpuModel.of("T4")));
    scheduler.on(new RoundEvent.JobSubmitted(Instant.EPOCH, job, ComputeTimes.UNKNOWN));
    return scheduler.snapshot();
  }

  private static void refused(int version, String section, String message) {
    SchedulerSnapshot good = snapshot();
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(good.sections());
    sections.computeIfPresent(section, (name, values) -> NOTHING);
    SchedulerSnapshot bad = new SchedulerSnapshot(version, good.now(), sections);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoundScheduler.builder(RoundPolicy.hlas()).restore(bad))
        .withMessageContaining(message);
  }

  @Test
  void aSnapshotOfAnotherVersionIsRefused() {
    refused(2, "none", "a snapshot must be of version 1");
  }

  @Test
  void aRunOfAJobThatIsNotThereIsRefused() {
    refused(1, "jobs", "must not contradict itself, but does in job 'j', which is not there");
  }

  @Test
  void aRunOnAGpuThatIsNotThereIsRefused() {
    refused(1, "gpus", "must not contradict itself, but does in run j/0/0 on n:0, run 1");
  }

  @Test
  void aTaskThatNeitherWaitsNorRunsIsRefused() {
    refused(1, "runs", "must not contradict itself, but does in the round of job 'j'");
  }

  @Test
  void missingCountersAreRefused() {
    refused(1, "counters", "a snapshot must say 'gpus', but does not");
  }
}
