package io.github.liquidscheduler.lab.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Discretised least attained service ({@code dlas} and its variants): three queues, served one
 * after the other. A job starts in the first and sinks, by at most one queue per event, when its
 * service reaches the queue's threshold; starved, it returns to the first as if it had never run.
 * Within a queue those that run stay ahead of those that wait, unless an order is given (Gittins).
 *
 * <p>An event without arrival or end is asked for when a running job may reach its threshold. For
 * GPU-seconds that is later than it does reach it; see {@link ServiceUnit#secondsUntil}.
 */
final class AttainedService implements CountPolicy {

  /** Leaves a queue as it is: all jobs in it are in the same one. */
  static final Comparator<CountedJob> AS_QUEUED = Comparator.comparingInt(CountedJob::queue);

  private static final long[] THRESHOLDS = {GittinsIndex.QUANTUM, 7200};
  private static final int LAST = THRESHOLDS.length;

  private final ServiceUnit unit;
  private final Starvation starvation;
  private final Comparator<CountedJob> orderInQueue;
  private final List<List<CountedJob>> queues = new ArrayList<>();

  AttainedService(ServiceUnit unit, Starvation starvation, Comparator<CountedJob> orderInQueue) {
    this.unit = unit;
    this.starvation = starvation;
    this.orderInQueue = orderInQueue;
    for (int queue = 0; queue <= LAST; queue++) {
      queues.add(new ArrayList<>());
    }
  }

  @Override
  public void arrived(CountedJob job) {
    queues.get(job.queue()).add(job);
  }

  @Override
  public void finished(CountedJob job) {
    queues.get(job.queue()).remove(job);
  }

  @Override
  public List<CountedJob> order(List<CountedJob> unfinished) {
    queues.replaceAll(RunningFirst::of);
    unfinished.forEach(this::requeue);
    List<CountedJob> ordered = new ArrayList<>(unfinished.size());
    for (List<CountedJob> queue : queues) {
      queue.sort(orderInQueue);
      ordered.addAll(queue);
    }
    return ordered;
  }

  @Override
  public long wakeUp(List<CountedJob> unfinished, long now) {
    long earliest = NEVER;
    for (CountedJob job : unfinished) {
      earliest = Math.min(earliest, wakeUp(job, now));
    }
    return earliest;
  }

  private void requeue(CountedJob job) {
    if (job.isRunning() && job.queue() < LAST && unit.attained(job) >= THRESHOLDS[job.queue()]) {
      move(job, job.queue() + 1);
    } else if (starvation.afflicts(job)) {
      job.forgetService();
      move(job, 0);
    }
  }

  private void move(CountedJob job, int queue) {
    queues.get(job.queue()).remove(job);
    job.queue(queue);
    queues.get(queue).add(job);
  }

  private long wakeUp(CountedJob job, long now) {
    if (!job.isRunning() || job.queue() == LAST) {
      return starvation.wakeUp(job, now);
    }
    long seconds = unit.secondsUntil(THRESHOLDS[job.queue()], job);
    return seconds > 0 ? now + seconds : NEVER;
  }
}
