package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The protocol in virtual time, with the durations of a ResNet-50-sized job: how long its workers
 * wait between mini-batches.
 */
final class ScalingSimulation {
  static final Duration MINI_BATCH = Duration.ofMillis(300);
  static final Duration LATENCY = Duration.ofNanos(250_000);
  static final Duration CONTEXT = Duration.ofSeconds(35);
  static final Duration CONNECT = Duration.ofSeconds(1);

  /** 25.6 million parameters with momentum, four bytes each, at 10 Gb/s. */
  static final Duration BROADCAST = Duration.ofMillis(25_600L * 2 * 4 / 1_250);

  private final VirtualTime time = new VirtualTime();
  private final Map<WorkerId, Worker> workers = new HashMap<>();
  private final Map<WorkerId, Duration> idle = new HashMap<>();
  private final Map<WorkerId, Instant> batchEnds = new HashMap<>();
  private final Leader leader;
  private long messages;

  ScalingSimulation(int initialWorkers) {
    ElasticOptions options = ElasticOptions.builder().initialWorkers(initialWorkers).build();
    leader = new Leader(options, new Partitioning(1_000_000, 256, 32, 0), 1, null, time.instant());
    for (int number = 0; number < initialWorkers; number++) {
      start(WorkerId.of("w" + number));
    }
    train(1);
  }

  /** A process starts, prepares its context and joins. */
  void start(WorkerId id) {
    Worker worker = new Worker(id);
    workers.put(id, worker);
    perform(id, worker.connected(1));
    time.after(CONTEXT, () -> perform(id, worker.contextReady()));
  }

  void leave(WorkerId id) {
    perform(id, Objects.requireNonNull(workers.get(id)).leave());
  }

  /** Trains until that many mini-batches more are committed. */
  void train(long batches) {
    long until = leader.step() + batches;
    if (!time.runUntil(() -> leader.step() >= until, Duration.ofDays(1))) {
      throw new IllegalStateException("The job does not proceed");
    }
  }

  void trainUntilTopology(long number) {
    while (leader.topologyEpoch() < number) {
      train(1);
    }
    train(2);
  }

  Duration elapsed() {
    return time.elapsed();
  }

  /** Returns how long a worker has waited since it first trained. */
  Duration idle(WorkerId id) {
    return idle.getOrDefault(id, Duration.ZERO);
  }

  long messages() {
    return messages;
  }

  private void perform(WorkerId id, List<WorkerOutput> outputs) {
    for (WorkerOutput output : outputs) {
      switch (output) {
        case WorkerOutput.Send send -> toLeader(send.message());
        case WorkerOutput.Run run -> begin(id, run);
        case WorkerOutput.Stopped stopped -> batchEnds.remove(id);
      }
    }
  }

  private void toLeader(ToLeader message) {
    messages++;
    time.after(LATENCY, () -> lead(leader.on(time.instant(), message)));
  }

  private void lead(List<LeaderOutput> outputs) {
    for (LeaderOutput output : outputs) {
      if (output instanceof LeaderOutput.Send send) {
        messages++;
        Worker worker = Objects.requireNonNull(workers.get(send.to()));
        time.after(LATENCY, () -> perform(send.to(), worker.on(send.message())));
      }
    }
  }

  private void begin(WorkerId id, WorkerOutput.Run run) {
    Duration before = run.switched() ? CONNECT : Duration.ZERO;
    if (run.switched() && !run.topology().receivers().isEmpty()) {
      before = before.plus(BROADCAST);
    }
    Instant last = batchEnds.get(id);
    if (last != null) {
      idle.merge(id, Duration.between(last, time.instant()).plus(before), Duration::plus);
    }
    time.after(before.plus(MINI_BATCH), () -> end(id, run));
  }

  private void end(WorkerId id, WorkerOutput.Run run) {
    batchEnds.put(id, time.instant());
    Worker worker = Objects.requireNonNull(workers.get(id));
    perform(id, worker.batchEnd(run.topology().number(), run.step(), MINI_BATCH));
  }
}
