package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.json.JsonLimits;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;

/** A scheduler that shares GPUs goes on after a restart as if nothing had happened. */
class SharingRestartLaws {

  private static final int EVENTS = 150;
  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .node(Node.builder("n1").gpus(2, GpuModel.of("K80"), Memory.ofGib(12)).build())
          .build();
  private static final List<Workload> WORKLOADS =
      List.of(
          workload("ResNet-18", 32),
          workload("ResNet-50", 64),
          workload("LM", 20),
          workload("never seen", 8));

  private static final CompositePredictor PREDICTOR = CompositePredictor.shipped();

  /** Of the process after the restart: it is asked nothing of what came before. */
  private static final CompositePredictor AFTERWARDS = CompositePredictor.shipped();

  private int bans;
  private int learnedStates;

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void whatWasLearnedDecidesAfterARestartFromTextAsBefore(@ForAll Random random) {
    LiquidScheduler scheduler = options(PREDICTOR).build();
    Life life = new Life(scheduler, random);
    for (int i = 0; i < EVENTS; i++) {
      scheduler.on(life.next());
    }
    String journal = journal(scheduler, life);

    try (EventJournalReader kept = read(journal)) {
      SchedulerSnapshot start = kept.header().start().orElseThrow();
      LiquidScheduler restarted = options(AFTERWARDS).restore(start);
      assertThat(JournalReplay.of(kept, restarted).divergence()).isEmpty();
      assertThat(restarted.snapshot()).isEqualTo(scheduler.snapshot());
      count(start.section("colocations").values());
    }
  }

  private void count(Map<String, Object> learned) {
    bans += learned.containsKey("bans") ? 1 : 0;
    learnedStates += learned.containsKey("learnedStates") ? 1 : 0;
  }

  @AfterProperty
  void somethingWasLearned() {
    assertThat(bans).isPositive();
    assertThat(learnedStates).isPositive();
  }

  /** Returns a journal that goes on from where the scheduler is. */
  private static String journal(LiquidScheduler scheduler, Life life) {
    SchedulerSnapshot now = scheduler.snapshot();
    JournalHeader header =
        JournalHeader.builder(scheduler).recordDecisions(true).start(now).build();
    StringWriter text = new StringWriter();
    try (EventJournalWriter writer = EventJournalWriter.to(text, header, Flush.ON_CLOSE)) {
      for (int i = 0; i < EVENTS; i++) {
        ClusterEvent event = life.next();
        writer.append(event, scheduler.on(event));
      }
    }
    return text.toString();
  }

  private static EventJournalReader read(String journal) {
    return EventJournalReader.open(
        "kept",
        new ByteArrayInputStream(journal.getBytes(StandardCharsets.UTF_8)),
        Truncation.REFUSE,
        JsonLimits.DEFAULT);
  }

  private static LiquidScheduler.Builder options(CompositePredictor predictor) {
    return LiquidScheduler.builder(CLUSTER)
        .policy(Policies.bestEffortFifo())
        .colocation(Colocation.of(predictor));
  }

  private static Workload workload(String family, int batch) {
    return Workload.builder(family).batchSize(batch).build();
  }

  /** Jobs that come, report rates that nobody foresaw, and go. */
  private static final class Life {
    private final LiquidScheduler scheduler;
    private final Random random;
    private int jobs;
    private int seconds;

    Life(LiquidScheduler scheduler, Random random) {
      this.scheduler = scheduler;
      this.random = random;
    }

    ClusterEvent next() {
      Instant now = Instant.ofEpochSecond(seconds += 10);
      List<JobId> running = scheduler.view().runningJobs();
      int kind = random.nextInt(10);
      if (running.isEmpty() || kind < 2) {
        return new ClusterEvent.JobSubmitted(now, job());
      }
      JobId job = running.get(random.nextInt(running.size()));
      return kind == 2
          ? new ClusterEvent.JobFinished(now, job)
          : new ClusterEvent.JobProgressed(
              now, job, Progress.of(seconds, 10 - 7 * random.nextDouble()));
    }

    private JobSpec job() {
      return JobSpec.builder("j" + jobs++)
          .gpus(1)
          .workload(WORKLOADS.get(random.nextInt(WORKLOADS.size())))
          .expectedWork(ExpectedWork.of(Duration.ofSeconds(100), 1000))
          .sharing(random.nextBoolean() ? new Sharing.Opportunistic() : new Sharing.Guaranteed(0.5))
          .build();
    }
  }
}
