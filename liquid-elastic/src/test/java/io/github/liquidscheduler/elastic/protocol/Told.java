package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A leader and its workers, spoken to step by step, with what they said in return. */
final class Told {
  static final Partitioning DATA = new Partitioning(400, 20, 5, 3);
  static final Duration BATCH = Duration.ofMillis(100);

  final Leader leader;
  private final List<LeaderOutput> outputs = new ArrayList<>();
  private final Map<WorkerId, Worker> workers = new HashMap<>();
  private final Map<WorkerId, WorkerOutput.Run> runs = new HashMap<>();
  private final Map<WorkerId, ToWorker.StopReason> stops = new HashMap<>();
  private Instant now = Instant.EPOCH;

  Told(ElasticOptions options) {
    this(options, 1, null);
  }

  Told(ElasticOptions options, long term, @Nullable LeaderState saved) {
    leader = new Leader(options, DATA, term, saved, now);
  }

  /** Returns a job that trains with workers of these names. */
  static Told training(String... names) {
    Told told = new Told(ElasticOptions.builder().initialWorkers(names.length).build());
    for (String name : names) {
      told.starts(name);
      told.isReady(name);
    }
    return told;
  }

  static WorkerId id(String name) {
    return WorkerId.of(name);
  }

  /** A process starts and asks to train. */
  void starts(String name) {
    Worker worker = new Worker(id(name));
    workers.put(id(name), worker);
    deliver(worker.connected(1));
  }

  void isReady(String name) {
    deliver(worker(name).contextReady());
  }

  void asks(ScalingRequest request) {
    perform(leader.on(now, request));
  }

  void hears(ToLeader message) {
    perform(leader.on(now, message));
  }

  void passes(Duration time) {
    now = now.plus(time);
    perform(leader.tick(now));
  }

  /** All members train a mini-batch that takes as long as one takes. */
  void trains(String... names) {
    now = now.plus(BATCH);
    for (String name : names) {
      reports(name, BATCH);
    }
  }

  void reports(String name, Duration compute) {
    WorkerOutput.Run run = run(name);
    deliver(worker(name).batchEnd(run.topology().number(), run.step(), compute));
  }

  void fails(String name) {
    WorkerOutput.Run run = run(name);
    deliver(worker(name).batchFailed(run.topology().number(), run.step()));
  }

  Worker worker(String name) {
    return Objects.requireNonNull(workers.get(id(name)), name);
  }

  WorkerOutput.Run run(String name) {
    return Objects.requireNonNull(runs.get(id(name)), name);
  }

  ToWorker.@Nullable StopReason stopped(String name) {
    return stops.get(id(name));
  }

  List<ScalingAnswer> answers() {
    return outputs.stream()
        .filter(LeaderOutput.Answer.class::isInstance)
        .map(output -> ((LeaderOutput.Answer) output).answer())
        .toList();
  }

  Optional<LeaderState> saved() {
    return outputs.stream()
        .filter(LeaderOutput.Save.class::isInstance)
        .map(output -> ((LeaderOutput.Save) output).state())
        .reduce((first, second) -> second);
  }

  private void deliver(List<WorkerOutput> said) {
    for (WorkerOutput output : said) {
      if (output instanceof WorkerOutput.Send send) {
        perform(leader.on(now, send.message()));
      }
    }
  }

  private void perform(List<LeaderOutput> said) {
    outputs.addAll(said);
    for (LeaderOutput output : said) {
      if (output instanceof LeaderOutput.Send send && workers.containsKey(send.to())) {
        List<WorkerOutput> heard = worker(send.to().value()).on(send.message());
        heard.forEach(answer -> note(send.to(), answer));
        deliver(heard);
      }
    }
  }

  private void note(WorkerId worker, WorkerOutput output) {
    switch (output) {
      case WorkerOutput.Run run -> runs.put(worker, run);
      case WorkerOutput.Stopped stopped -> stops.put(worker, stopped.reason());
      case WorkerOutput.Send send -> {}
    }
  }
}
