package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A cluster of four GPUs, and short names for what happens on it. */
final class LoopFixture {
  final ManualTime time = new ManualTime();
  final Recorder recorder = new Recorder();

  static LiquidScheduler.Builder scheduler() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("node-0").gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    return LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo());
  }

  /** A loop in which all parts record what they hear. */
  SchedulerLoop.Builder loop(LiquidScheduler scheduler) {
    return SchedulerLoop.builder(scheduler, time)
        .executor(time)
        .timer(time)
        .journal(recorder)
        .handler(recorder)
        .listener(recorder)
        .failures(failure -> {});
  }

  SchedulerLoop started() {
    return loop(scheduler().build()).start();
  }

  static Function<Instant, ClusterEvent> submission(String id, int gpus) {
    JobSpec job = JobSpec.builder(id).gpus(gpus).build();
    return now -> new ClusterEvent.JobSubmitted(now, job);
  }

  static Function<Instant, ClusterEvent> end(String id) {
    return now -> new ClusterEvent.JobFinished(now, JobId.of(id));
  }

  static Function<Instant, ClusterEvent> report(String id, int iterations) {
    return now -> new ClusterEvent.JobProgressed(now, JobId.of(id), Progress.of(iterations, 2));
  }

  /** What an offer was answered. Fails if it was not, or badly. */
  static List<Decision> answer(CompletionStage<List<Decision>> offer) {
    CompletableFuture<List<Decision>> answer = offer.toCompletableFuture();
    if (!answer.isDone()) {
      throw new AssertionError("the offer was not answered");
    }
    return answer.join();
  }
}
