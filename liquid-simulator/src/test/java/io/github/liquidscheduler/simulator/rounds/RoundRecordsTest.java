package io.github.liquidscheduler.simulator.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.json.RoundCodecs;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What was recorded as JSON leads to the same decisions. */
class RoundRecordsTest {

  private static RoundScheduler scheduler() {
    return RoundScheduler.builder(RoundPolicy.hlas(5, 40))
        .relativeSpeed(GpuModel.of("V100"), 3)
        .build();
  }

  private static JobSpec job(int number) {
    int scale = 1 + number % 3;
    return JobSpec.builder("j" + number)
        .gpus(scale)
        .synchronization(new Synchronization.RelaxedRounds(scale, 4))
        .build();
  }

  /** Runs jobs to their ends and records what happened, with a lost GPU among it. */
  private static List<RoundEvent> events() {
    RoundScheduler scheduler = scheduler();
    Random random = new Random(7);
    PriorityQueue<RoundEvent> due = new PriorityQueue<>(Comparator.comparing(RoundEvent::at));
    for (int gpu = 0; gpu < 4; gpu++) {
      GpuModel model = GpuModel.of(gpu < 2 ? "V100" : "T4");
      due.add(new RoundEvent.GpuAdded(at(gpu), GpuId.of("n", gpu), model));
    }
    for (int job = 0; job < 8; job++) {
      due.add(new RoundEvent.JobSubmitted(at(5 + 3 * job), job(job), ComputeTimes.UNKNOWN));
    }
    due.add(new RoundEvent.GpuLost(at(31), GpuId.of("n", 1)));
    List<RoundEvent> taken = new ArrayList<>();
    while (!due.isEmpty()) {
      RoundEvent event = due.remove();
      if (event instanceof RoundEvent.GpuLost lost) {
        due.removeIf(
            each ->
                each instanceof RoundEvent.AboutRun about && about.run().gpu().equals(lost.gpu()));
      }
      taken.add(event);
      for (RoundDecision decision : scheduler.on(event)) {
        if (decision instanceof RoundDecision.RunTask start) {
          due.add(new RoundEvent.TaskSynchronized(end(event, start.run(), random), start.run()));
        }
      }
    }
    return taken;
  }

  private static Instant end(RoundEvent event, TaskRun run, Random random) {
    return event.at().plusSeconds((run.gpu().index() < 2 ? 2 : 6) + random.nextInt(3));
  }

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  private static String decide(RoundScheduler scheduler, RoundEvent event) {
    return scheduler.on(event).stream().map(RoundCodecs.DECISION::write).reduce("", String::concat);
  }

  @Test
  void recordedEventsAndSnapshotsLeadToTheSameDecisions() {
    RoundScheduler original = scheduler();
    RoundScheduler replay = scheduler();
    for (RoundEvent event : events()) {
      String written = RoundCodecs.EVENT.write(event);
      String decisions = decide(original, event);

      assertThat(decide(replay, RoundCodecs.EVENT.read("event", written))).isEqualTo(decisions);
      String state = JsonCodecs.SNAPSHOT.write(original.snapshot());
      replay =
          RoundScheduler.builder(RoundPolicy.hlas(5, 40))
              .relativeSpeed(GpuModel.of("V100"), 3)
              .restore(JsonCodecs.SNAPSHOT.read("state", state));
    }
    assertThat(original.jobs()).isEmpty();
  }
}
