package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Trains a job of two rounds of three tasks on a fast GPU and a slow one, task by task. */
public final class RoundByRound {

  private RoundByRound() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions; a task computes for 1 s on the V100 and for 3 s on the T4. */
  static List<RoundDecision> decide(Instant now) {
    // @start region="rounds"
    RoundScheduler scheduler = RoundScheduler.builder(RoundPolicy.scaleFreeHlas()).build();
    scheduler.on(new RoundEvent.GpuAdded(now, GpuId.of("fast", 0), GpuModel.of("V100")));
    scheduler.on(new RoundEvent.GpuAdded(now, GpuId.of("slow", 0), GpuModel.of("T4")));
    JobSpec job =
        JobSpec.builder("train-7")
            .gpus(3)
            .synchronization(new Synchronization.RelaxedRounds(3, 2))
            .build();
    RoundEvent submitted = new RoundEvent.JobSubmitted(now, job, ComputeTimes.UNKNOWN);
    // @end
    List<RoundDecision> decisions = new ArrayList<>();
    PriorityQueue<RoundEvent> events = new PriorityQueue<>(Comparator.comparing(RoundEvent::at));
    events.add(submitted);
    while (!events.isEmpty()) {
      RoundEvent event = events.remove();
      for (RoundDecision decision : scheduler.on(event)) {
        decisions.add(decision);
        if (decision instanceof RoundDecision.RunTask start) {
          boolean isFast = start.run().gpu().node().value().equals("fast");
          Instant computed = event.at().plusSeconds(isFast ? 1 : 3);
          events.add(new RoundEvent.TaskComputed(computed, start.run()));
          events.add(new RoundEvent.TaskSynchronized(computed.plusSeconds(1), start.run()));
        }
      }
    }
    return decisions;
  }
}
