package io.github.liquidscheduler.lab.reference;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * One run over a cluster that is nothing but a number of GPUs. Time jumps from event to event:
 * arrivals, ends, and the moments a policy requests. At each, GPUs are reassigned in the policy's
 * order; a job that held some and gets none is pre-empted, which costs nothing.
 *
 * <p>Everything is recomputed at every event, as in the original, so that an event costs as much as
 * there are unfinished jobs (times a logarithm where the policy sorts).
 */
final class CountSimulation {

  private final int gpus;
  private final CountPolicy policy;
  private final RunObserver observer;
  private final Deque<CountedJob> toArrive;
  private final List<CountedJob> unfinished = new ArrayList<>();
  private long now;

  CountSimulation(
      int gpus, CountPolicy policy, Collection<CountedJob> bySubmission, RunObserver observer) {
    this.gpus = gpus;
    this.policy = policy;
    this.observer = observer;
    this.toArrive = new ArrayDeque<>(bySubmission);
  }

  void run() {
    while (!toArrive.isEmpty() || !unfinished.isEmpty()) {
      long wakeUp = policy.wakeUp(unfinished, now);
      long event = Math.min(nextArrival(), nextEnd());
      pass(Math.min(wakeUp, event));
      finishDone();
      takeArrivals();
      deal();
    }
  }

  private long nextArrival() {
    CountedJob next = toArrive.peekFirst();
    return next == null ? CountPolicy.NEVER : next.submit();
  }

  private long nextEnd() {
    long next = CountPolicy.NEVER;
    for (CountedJob job : unfinished) {
      if (job.isRunning()) {
        next = Math.min(next, now + job.remaining());
      }
    }
    return next;
  }

  private void pass(long until) {
    for (CountedJob job : unfinished) {
      job.pass(until - now);
    }
    now = until;
  }

  private void finishDone() {
    List<CountedJob> done = unfinished.stream().filter(CountSimulation::isDone).toList();
    unfinished.removeAll(done);
    for (CountedJob job : done) {
      policy.finished(job);
      job.finish(now);
      observer.finished(job, now);
    }
  }

  private static boolean isDone(CountedJob job) {
    return job.isRunning() && job.remaining() == 0;
  }

  private void takeArrivals() {
    while (nextArrival() == now) {
      CountedJob job = toArrive.removeFirst();
      unfinished.add(job);
      policy.arrived(job);
    }
  }

  private void deal() {
    int free = gpus;
    boolean open = true;
    for (CountedJob job : policy.order(unfinished)) {
      boolean fits = open && job.gpus() <= free;
      if (fits) {
        free -= job.gpus();
      } else {
        open &= policy.allowsBypass();
      }
      set(job, fits);
    }
  }

  private void set(CountedJob job, boolean run) {
    if (run && !job.isRunning()) {
      job.start(now);
      observer.started(job, now);
    } else if (!run && job.isRunning()) {
      job.preempt();
      observer.preempted(job, now);
    }
  }
}
