package io.github.liquidscheduler.rounds.planner.switching;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The models in the memory of one GPU, whose sequence of tasks is known: Hare's speculative memory
 * management. The task that runs has precedence. Others stay, the one that finished last longest,
 * until they no longer fit; those that do not come again go first. Mutable.
 */
final class ResidentModels {

  private final double capacity;

  /** In the order in which they finished, the last first. */
  private final Deque<TrainedModel> finished = new ArrayDeque<>();

  private @Nullable TrainedModel running;

  /** Makes the memory of a GPU, in GiB. */
  ResidentModels(double capacity) {
    this.capacity = capacity;
  }

  /** Returns whether a task of this job runs, or was the last that ran. */
  boolean runs(JobId job) {
    return running != null && running.job().equals(job);
  }

  /** Switches to a model; returns whether it was in memory. */
  boolean switchTo(TrainedModel next, Predicate<JobId> comesAgain) {
    if (running != null) {
      finished.addFirst(running);
    }
    boolean wasResident = finished.remove(next);
    running = next;
    evictUnneeded(comesAgain);
    while (!finished.isEmpty() && used() > capacity) {
      finished.removeLast();
    }
    return wasResident;
  }

  private void evictUnneeded(Predicate<JobId> comesAgain) {
    Iterator<TrainedModel> oldestFirst = finished.descendingIterator();
    while (used() > capacity && oldestFirst.hasNext()) {
      if (!comesAgain.test(oldestFirst.next().job())) {
        oldestFirst.remove();
      }
    }
  }

  private double used() {
    double used = running == null ? 0 : running.gib();
    for (TrainedModel model : finished) {
      used += model.gib();
    }
    return used;
  }
}
