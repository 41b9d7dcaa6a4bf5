package io.github.liquidscheduler.lab.reference.gavel;

import io.github.liquidscheduler.simulator.metrics.RunDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One run, round by round. A round lasts until the latest of its jobs is done with its steps: GPUs
 * of those that finish early idle until then. Stopping and moving jobs is free.
 */
final class RoundLoop {

  static final double ROUND = 360;
  private static final int MOST_IDLE_ROUNDS = 1000;

  private final GavelRounds rounds;
  private final Deque<GavelJob> toArrive;
  private final RunDigest digest = new RunDigest();
  private final List<GavelJob> present = new ArrayList<>();
  private List<MicroTask> running = List.of();
  private double roundStart;

  /** The end of the round before; what idled since then is booked too. */
  private double bookedFrom;

  private double bookedUntil;
  private double now;
  private int idleRounds;

  RoundLoop(GavelRounds rounds, List<GavelJob> jobs) {
    this.rounds = rounds;
    this.toArrive = new ArrayDeque<>(jobs);
  }

  /** Runs all jobs to their end and returns the digest of what they did. */
  String run() {
    while (!toArrive.isEmpty() || !present.isEmpty()) {
      advance();
      running.forEach(this::complete);
      arrive();
      begin(rounds.next(now));
    }
    return digest.hexadecimal();
  }

  private void advance() {
    if (!running.isEmpty()) {
      roundStart = now;
      bookedFrom = bookedUntil;
      now = running.stream().mapToDouble(MicroTask::finish).max().orElseThrow();
      bookedUntil = now;
      idleRounds = 0;
    } else if (!toArrive.isEmpty()) {
      now = toArrive.getFirst().arrival();
    } else {
      rounds.stuck();
      requireProgress();
    }
  }

  private void complete(MicroTask task) {
    Combination combination = task.combination();
    combination.complete(task.model(), ROUND, roundStart, task.finish());
    rounds.received(combination, task.model(), task.finish() - bookedFrom);
    for (GavelJob job : combination.jobs()) {
      if (job.isDone()) {
        present.remove(job);
        rounds.left(job);
        digest.add(task.finish() + " finish " + job.id());
      }
    }
  }

  private void arrive() {
    while (!toArrive.isEmpty() && toArrive.getFirst().arrival() <= now) {
      GavelJob job = toArrive.removeFirst();
      present.add(job);
      rounds.arrived(job);
    }
  }

  private void begin(List<SelectedRun> selected) {
    Set<GavelJob> runs = new HashSet<>();
    List<MicroTask> tasks = new ArrayList<>();
    for (SelectedRun each : selected) {
      Combination combination = each.combination();
      double finish = now + combination.duration(each.model(), ROUND);
      tasks.add(new MicroTask(combination, each.model(), finish));
      runs.addAll(combination.jobs());
      digest.add(now + " run " + combination.id() + " on " + each.model());
    }
    present.forEach(job -> job.beginRound(runs.contains(job), now));
    tasks.sort(MicroTask.LATEST_FIRST);
    running = tasks;
  }

  private void requireProgress() {
    if (++idleRounds > MOST_IDLE_ROUNDS) {
      throw new IllegalArgumentException(
          "every job must get a GPU in the end, but %d get none from %s s on"
              .formatted(present.size(), now));
    }
  }

  /** What runs in a round, and when it is done with its steps. */
  private record MicroTask(Combination combination, int model, double finish) {

    static final Comparator<MicroTask> LATEST_FIRST =
        Comparator.comparingDouble(MicroTask::finish)
            .reversed()
            .thenComparingInt(task -> task.combination().first().number());
  }
}
