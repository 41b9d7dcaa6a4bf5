package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import io.github.liquidscheduler.elastic.protocol.ToWorker;
import io.github.liquidscheduler.elastic.protocol.Worker;
import io.github.liquidscheduler.elastic.protocol.WorkerOutput;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The workers whose training processes are connected to this agent. */
final class HostedWorkers {
  private final Map<LineConnection, Worker> workers = new LinkedHashMap<>();
  private final Consumer<ToLeader> toLeader;
  private long term;
  private boolean finished;

  HostedWorkers(Consumer<ToLeader> toLeader) {
    this.toLeader = toLeader;
  }

  /** Returns true if the job has finished here, and no worker is left that is to hear of it. */
  boolean areDone() {
    return finished && workers.isEmpty();
  }

  /** The leader of this term can be reached. */
  void connected(long leading) {
    term = leading;
    List.copyOf(workers.entrySet())
        .forEach(entry -> perform(entry.getKey(), entry.getValue().connected(leading)));
  }

  /** The leader can no longer be reached. */
  void disconnected() {
    term = 0;
  }

  void leaveAll() {
    List.copyOf(workers.entrySet())
        .forEach(entry -> perform(entry.getKey(), entry.getValue().leave()));
  }

  /**
   * Checks that no process trains under a name already.
   *
   * @throws IllegalArgumentException if one does
   */
  void check(WorkerId id) {
    if (workers.values().stream().anyMatch(worker -> worker.id().equals(id))) {
      throw new IllegalArgumentException("a process trains as '%s' already".formatted(id));
    }
  }

  void join(LineConnection process, WorkerId id) {
    Worker worker = new Worker(id);
    workers.put(process, worker);
    if (term > 0) {
      perform(process, worker.connected(term));
    }
  }

  /** A training process speaks, of which nothing is known unless it joined first. */
  void on(LineConnection process, Frame frame) {
    Worker worker = workers.get(process);
    if (worker == null) {
      return;
    }
    if (frame instanceof Frame.Ready) {
      perform(process, worker.contextReady());
    } else if (frame instanceof Frame.BatchEnd end) {
      Duration compute = Duration.ofNanos(Math.round(end.computeSeconds() * 1e9));
      perform(process, worker.batchEnd(end.topology(), end.step(), compute));
    } else if (frame instanceof Frame.BatchFailed failed) {
      perform(process, worker.batchFailed(failed.topology(), failed.step()));
    } else if (frame instanceof Frame.Leave) {
      perform(process, worker.leave());
    }
  }

  /**
   * Checks what a leader says to a worker.
   *
   * @throws IllegalArgumentException if it is about a ledger that the worker does not have
   */
  void check(WorkerId to, ToWorker message) {
    workers.values().stream()
        .filter(worker -> worker.id().equals(to))
        .forEach(worker -> worker.check(message));
  }

  void on(WorkerId to, ToWorker message) {
    List.copyOf(workers.entrySet()).stream()
        .filter(entry -> entry.getValue().id().equals(to))
        .forEach(entry -> perform(entry.getKey(), entry.getValue().on(message)));
  }

  /** A training process has ended, or its connection broke. */
  void closed(LineConnection process) {
    Worker worker = workers.remove(process);
    if (worker != null) {
      toLeader.accept(new ToLeader.Lost(worker.id()));
    }
  }

  void closeAll() {
    workers.keySet().forEach(LineConnection::close);
  }

  private void perform(LineConnection process, List<WorkerOutput> outputs) {
    for (WorkerOutput output : outputs) {
      switch (output) {
        case WorkerOutput.Send send -> toLeader.accept(send.message());
        case WorkerOutput.Run run -> process.send(frame(run));
        case WorkerOutput.Stopped stopped -> {
          workers.remove(process);
          finished |= stopped.reason() == ToWorker.StopReason.FINISHED;
          process.send(new Frame.Stop(stopped.reason(), stopped.committed()));
          process.close();
        }
      }
    }
  }

  private static Frame.Run frame(WorkerOutput.Run run) {
    return new Frame.Run(
        run.topology().number(),
        run.topology().members(),
        run.topology().broadcaster(),
        run.topology().receivers(),
        run.switched(),
        run.step(),
        run.batch(),
        run.committed(),
        run.switchAt());
  }
}
