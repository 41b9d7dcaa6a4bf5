package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The program of the tutorial: a cluster, some jobs, a question, and a restart. */
public final class FirstScheduler {

  private final PrintStream out;

  FirstScheduler(PrintStream out) {
    this.out = out;
  }

  static ClusterTopology cluster() {
    // @start region="cluster"
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int i = 0; i < 4; i++) {
      cluster.node(
          Node.builder("node-" + i)
              .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
              .cpu(CpuCores.of(96))
              .memory(Memory.ofGib(1024))
              .build());
    }
    ClusterTopology topology = cluster.build();
    // @end
    return topology;
  }

  static Scheduler scheduler(ClusterTopology topology) {
    // @start region="scheduler"
    Scheduler scheduler =
        LiquidScheduler.builder(topology).policy(Policies.bestEffortFifo()).build();
    // @end
    return scheduler;
  }

  // @start region="act"
  void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> out.println("start " + start.placement());
      case Decision.Preempt preempt -> out.println("stop " + preempt.job());
      case Decision.Reject reject -> out.println("never: " + reject.why().describe());
      default -> throw new IllegalStateException("not asked for: " + decision);
    }
  }

  // @end

  void run(Instant now, Path file) {
    Scheduler scheduler = scheduler(cluster());
    // @start region="journal"
    JournalHeader header = JournalHeader.builder(scheduler).recordDecisions(true).build();
    try (EventJournalWriter journal =
        EventJournalWriter.create(file, header, EventJournalWriter.Flush.EACH_EVENT)) {
      JobSpec train =
          JobSpec.builder("train")
              .gpus(24)
              .expectedWork(ExpectedWork.ofDuration(Duration.ofHours(2)))
              .build();
      JobSpec tune = JobSpec.builder("tune").gpus(16).build();
      for (JobSpec job : List.of(train, tune)) {
        ClusterEvent event = new ClusterEvent.JobSubmitted(now, job);
        List<Decision> decisions = scheduler.on(event);
        journal.append(event, decisions);
        decisions.forEach(this::carryOut);
      }
    }
    // @end
    // @start region="why"
    out.println(scheduler.explain(JobId.of("tune")).describe());
    // @end
  }

  void recover(Instant now, Path file) {
    // @start region="recover"
    Scheduler recovered = scheduler(cluster());
    try (EventJournalReader journal =
        EventJournalReader.open(file, EventJournalReader.Truncation.ACCEPT)) {
      JournalReplay.of(journal, recovered);
    }
    recovered.on(new ClusterEvent.JobFinished(now, JobId.of("train"))).forEach(this::carryOut);
    // @end
  }

  /** Runs the steps with a journal in a new file. */
  public static void main(String[] arguments) {
    Path file = Path.of(arguments.length > 0 ? arguments[0] : "first.journal");
    FirstScheduler first = new FirstScheduler(System.out);
    first.run(Instant.now(), file);
    first.recover(Instant.now(), file);
  }
}
