package io.github.liquidscheduler.simulator.reference.gavel;

import io.github.liquidscheduler.simulator.reference.RunDigest;
import io.github.liquidscheduler.simulator.reference.gavel.RoundSelection.Selected;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One run, round by round. A round lasts until the latest of its jobs is done with its steps: GPUs
 * of those that finish early idle until then. Shares are computed anew when jobs came or went, but
 * only some time after the last time. Stopping and moving jobs is free.
 */
final class RoundLoop {

  static final double ROUND = 360;
  private static final double BETWEEN_ALLOCATIONS = 1920;
  private static final int MOST_IDLE_ROUNDS = 1000;

  private final GavelPolicy policy;
  private final int[] gpus;
  private final RoundSelection selection;
  private final Deque<GavelJob> toArrive;
  private final RunDigest digest = new RunDigest();
  private final List<GavelJob> present = new ArrayList<>();
  private final double[] received;
  private List<MicroTask> running = List.of();
  private boolean isChanged;
  private double lastAllocation;
  private double roundStart;

  /** The end of the round before; what idled since then is booked too. */
  private double bookedFrom;

  private double bookedUntil;
  private double now;
  private int idleRounds;

  RoundLoop(GavelPolicy policy, int[] gpus, List<GavelJob> jobs) {
    this.policy = policy;
    this.gpus = gpus;
    this.selection = new RoundSelection(gpus, policy.runsOnlyShares());
    this.toArrive = new ArrayDeque<>(jobs);
    this.received = new double[gpus.length];
  }

  /** Runs all jobs to their end and returns the digest of what they did. */
  String run() {
    while (!toArrive.isEmpty() || !present.isEmpty()) {
      advance();
      running.forEach(this::complete);
      arrive();
      allocateIfDue();
      begin(selection.select(present, received));
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
      lastAllocation = 0;
      requireProgress();
    }
  }

  private void complete(MicroTask task) {
    GavelJob job = task.job();
    double seconds = task.finish() - bookedFrom;
    job.complete(task.steps(), roundStart, task.finish());
    job.account(task.model()).receive(seconds);
    received[task.model()] += seconds;
    if (job.isDone()) {
      present.remove(job);
      isChanged = true;
      digest.add(task.finish() + " finish " + job.id());
    }
  }

  private void arrive() {
    while (!toArrive.isEmpty() && toArrive.getFirst().arrival() <= now) {
      present.add(toArrive.removeFirst());
      isChanged = true;
    }
  }

  private void allocateIfDue() {
    boolean isDue = now - lastAllocation >= BETWEEN_ALLOCATIONS || lastAllocation == 0;
    if (isChanged && isDue && !present.isEmpty()) {
      allocate();
    }
  }

  private void allocate() {
    for (int model = 0; model < gpus.length; model++) {
      for (GavelJob job : present) {
        job.account(model).reset(now - lastAllocation);
      }
    }
    Arrays.fill(received, ShareAccount.HALF_ROUND * present.size());
    double[][] shares = policy.shares(present, gpus);
    for (int model = 0; model < gpus.length; model++) {
      for (int job = 0; job < shares.length; job++) {
        present.get(job).account(model).allocate(shares[job][model]);
      }
    }
    lastAllocation = now;
    isChanged = false;
  }

  private void begin(List<Selected> selected) {
    Set<GavelJob> runs = new HashSet<>();
    List<MicroTask> tasks = new ArrayList<>();
    for (Selected each : selected) {
      long steps = each.job().steps(each.model(), ROUND);
      double finish = now + steps / each.job().speed(each.model());
      tasks.add(new MicroTask(each.job(), each.model(), steps, finish));
      runs.add(each.job());
      digest.add(now + " run " + each.job().id() + " on " + each.model());
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

  /** The steps of a job in a round, and when they are done. */
  private record MicroTask(GavelJob job, int model, long steps, double finish) {

    static final Comparator<MicroTask> LATEST_FIRST =
        Comparator.comparingDouble(MicroTask::finish)
            .reversed()
            .thenComparingInt(task -> task.job().number());
  }
}
