package io.github.liquidscheduler.lab.reference.lucid;

import io.github.liquidscheduler.simulator.metrics.RunDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * One run. The original looks at every second; this one only at those at which something can
 * change: jobs come or end, or a policy that pre-empts decides while jobs wait. Policies that
 * pre-empt notice an end one second late, as in the original.
 */
final class LucidSimulation {

  private static final long NEVER = Long.MAX_VALUE;

  private final ConsolidatedNodes nodes;
  private final LucidPolicy policy;
  private final RunDigest digest;
  private final Deque<LucidJob> toArrive;
  private final List<LucidJob> queue = new ArrayList<>();
  private final List<LucidJob> running = new ArrayList<>();
  private final long lateness;
  private long now;

  LucidSimulation(
      ConsolidatedNodes nodes,
      LucidPolicy policy,
      Collection<LucidJob> bySubmission,
      RunDigest digest) {
    this.nodes = nodes;
    this.policy = policy;
    this.digest = digest;
    toArrive = new ArrayDeque<>(bySubmission);
    lateness = policy.preempts() ? 1 : 0;
  }

  void run() {
    while (!toArrive.isEmpty() || !queue.isEmpty() || !running.isEmpty()) {
      pass(next());
      endDone();
      takeArrivals();
      if (!policy.preempts()) {
        startInOrder();
      } else if (now % policy.interval() == 0) {
        chooseAnew();
      }
    }
  }

  private long next() {
    long next = toArrive.isEmpty() ? NEVER : toArrive.getFirst().submit();
    for (LucidJob job : running) {
      next = Math.min(next, now + job.remaining() + lateness);
    }
    if (policy.preempts() && !queue.isEmpty()) {
      next = Math.min(next, now - now % policy.interval() + policy.interval());
    }
    return next;
  }

  private void pass(long until) {
    running.forEach(job -> job.pass(until - now));
    now = until;
  }

  private void endDone() {
    for (LucidJob job : List.copyOf(running)) {
      if (job.remaining() + lateness <= 0) {
        nodes.release(job);
        running.remove(job);
        job.finish(now);
        note("finish", job);
      }
    }
  }

  private void takeArrivals() {
    while (!toArrive.isEmpty() && toArrive.getFirst().submit() == now) {
      queue.add(toArrive.removeFirst());
    }
  }

  private void startInOrder() {
    for (LucidJob job : policy.order(queue, running)) {
      if (!start(job)) {
        return;
      }
    }
  }

  /** Lets as many run as the number of GPUs allows, in order, and stops the others. */
  private void chooseAnew() {
    int quota = nodes.gpus();
    List<LucidJob> chosen = new ArrayList<>();
    List<LucidJob> displaced = new ArrayList<>();
    for (LucidJob job : policy.order(queue, running)) {
      if (job.gpus() <= quota) {
        quota -= job.gpus();
        chosen.add(job);
      } else if (job.isRunning()) {
        displaced.add(job);
      }
    }
    displaced.forEach(this::preempt);
    chosen.stream().filter(job -> !job.isRunning()).forEach(this::start);
  }

  private void preempt(LucidJob job) {
    nodes.release(job);
    running.remove(job);
    queue.add(job);
    job.preempt();
    note("preempt", job);
  }

  private boolean start(LucidJob job) {
    if (!nodes.place(job)) {
      return false;
    }
    queue.remove(job);
    running.add(job);
    job.start(now);
    note("start", job);
    return true;
  }

  private void note(String what, LucidJob job) {
    digest.add(now + " " + what + " " + job.id());
  }
}
