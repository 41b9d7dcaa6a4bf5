package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.rounds.RoundTask;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far a job of rounds has come. Each task of its round waits for the policy, or for its turn in
 * the sequence of a GPU, or runs, or has synchronized. Mutable.
 */
final class JobRounds {

  /** The positions of the GPUs whose next task is one of a later round of this job. */
  final TreeSet<Long> gpusBehindBarrier = new TreeSet<>();

  private final JobSpec spec;
  private final long order;
  private final int scale;
  private final int rounds;
  private final TaskTimeEstimates times;
  private final BitSet waiting = new BitSet();
  private final TreeMap<Integer, RunningTask> running = new TreeMap<>();

  /** The tasks in the sequences of GPUs; never iterated. */
  private final Set<RoundTask> planned = new HashSet<>();

  private int waitingTasks;
  private int round;
  private int synchronizedTasks;
  private long servedTasks;
  private long servedNanos;
  private long repeatedRuns;

  /** Makes a job that is not in a round yet; it was submitted after all of lower order. */
  JobRounds(JobSpec spec, long order, TaskTimeEstimates times) {
    this.spec = spec;
    this.order = order;
    this.times = times;
    Synchronization.RelaxedRounds form = (Synchronization.RelaxedRounds) spec.synchronization();
    scale = form.tasksPerRound();
    rounds = form.rounds();
  }

  JobId id() {
    return spec.id();
  }

  JobSpec spec() {
    return spec;
  }

  long order() {
    return order;
  }

  TaskTimeEstimates times() {
    return times;
  }

  int scale() {
    return scale;
  }

  int rounds() {
    return rounds;
  }

  int round() {
    return round;
  }

  /** Returns true if all rounds are over. */
  boolean isComplete() {
    return round == rounds;
  }

  /** Returns how many of its tasks have computed or do. */
  long servedTasks() {
    return servedTasks;
  }

  /** Returns for how long its tasks have computed, and are expected to where they do, in ns. */
  long servedNanos() {
    return servedNanos;
  }

  /** Returns how many tasks wait for the policy. */
  int waitingTasks() {
    return waitingTasks;
  }

  /** Returns the tasks of the round that wait for the policy. Not to be changed. */
  BitSet waiting() {
    return waiting;
  }

  /** Returns what computes or synchronizes, by the number of the task in the round. */
  SortedMap<Integer, RunningTask> running() {
    return running;
  }

  RoundProgress progress() {
    return new RoundProgress(round, synchronizedTasks, running.size(), repeatedRuns);
  }

  /** Has the tasks of the round wait that are not planned. */
  void openRound() {
    if (planned.isEmpty()) {
      waiting.set(0, scale);
      waitingTasks = scale;
      return;
    }
    for (int index = 0; index < scale; index++) {
      if (!planned.contains(new RoundTask(id(), round, index))) {
        await(index);
      }
    }
  }

  /** Has a task of this round wait for the policy. */
  void await(int index) {
    waiting.set(index);
    waitingTasks++;
  }

  /** Returns the first task that waits for the policy. */
  RoundTask firstWaiting() {
    return new RoundTask(id(), round, waiting.nextSetBit(0));
  }

  /** Returns true if a task waits, for the policy or for a round to come. */
  boolean isAhead(RoundTask task) {
    return task.round() < rounds
        && task.index() < scale
        && (task.round() > round || (task.round() == round && waiting.get(task.index())));
  }

  /** Returns true if some of its tasks are in the sequences of GPUs. */
  boolean isPlanned() {
    return !planned.isEmpty();
  }

  /** Has a task wait for its turn on a GPU instead of for the policy. */
  void plan(RoundTask task) {
    planned.add(task);
    if (task.round() == round) {
      leave(task.index());
    }
  }

  /** Has a task wait for the policy, or for its round, instead of for its turn on a GPU. */
  void unplan(RoundTask task) {
    if (planned.remove(task) && task.round() == round) {
      await(task.index());
    }
  }

  private void leave(int index) {
    waiting.clear(index);
    waitingTasks--;
  }

  /** Takes note that a task of this round runs. */
  void start(RunningTask run) {
    RoundTask task = run.run().task();
    if (!planned.remove(task)) {
      leave(task.index());
    }
    running.put(task.index(), run);
    servedTasks++;
    servedNanos += run.charged();
  }

  /** Takes note of how long a task has computed. */
  void computed(RunningTask run, long nanos) {
    servedNanos += nanos - run.charged();
  }

  /** Takes note that a run of a task does not count; it waits for the policy again. */
  void repeat(RunningTask run) {
    int index = run.run().task().index();
    running.remove(index);
    servedTasks--;
    repeatedRuns++;
    await(index);
  }

  /** Takes note that a task has synchronized; returns whether that ends the round. */
  boolean synchronizeTask(RunningTask run) {
    running.remove(run.run().task().index());
    synchronizedTasks++;
    if (synchronizedTasks < scale) {
      return false;
    }
    round++;
    synchronizedTasks = 0;
    if (round < rounds) {
      openRound();
    }
    return true;
  }

  /** Brings back what was saved; runs, and what waits, are brought back apart from it. */
  void restore(int round, int synchronizedTasks, long servedTasks, long nanos, long repeatedRuns) {
    this.round = round;
    this.synchronizedTasks = synchronizedTasks;
    this.servedTasks = servedTasks;
    this.servedNanos = nanos;
    this.repeatedRuns = repeatedRuns;
  }

  /** Brings back a task that runs. */
  void restore(RunningTask run) {
    running.put(run.run().task().index(), run);
  }

  /** Brings back a task that waits for its turn on a GPU. */
  void restorePlanned(RoundTask task) {
    planned.add(task);
  }

  /** Returns true if each task of the round waits, is planned, runs or has synchronized, once. */
  boolean isWhole() {
    int there = synchronizedTasks + waitingTasks + running.size();
    for (int index = 0; index < scale; index++) {
      there += planned.contains(new RoundTask(id(), round, index)) ? 1 : 0;
    }
    return there == scale && waiting.cardinality() == waitingTasks && waiting.length() <= scale;
  }
}
