package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QuotaResource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What queues have used of each resource, and what there was of it: the smallest amounts that are
 * counted, times seconds, of which half is forgotten with each half-life.
 *
 * @param asOf up to when
 * @param resources the resources, in the order of the amounts
 * @param queues what each queue has used, those that it is in too
 * @param total what there was
 */
public record RecentUse(
    Instant asOf, List<QuotaResource> resources, List<OfQueue> queues, List<Double> total) {

  /** Copies the lists. */
  public RecentUse {
    resources = List.copyOf(resources);
    queues = List.copyOf(queues);
    total = List.copyOf(total);
  }

  /**
   * What one queue has used.
   *
   * @param queue the queue
   * @param amounts by resource
   */
  public record OfQueue(QueueName queue, List<Double> amounts) {

    /** Copies the amounts. */
    public OfQueue {
      amounts = List.copyOf(amounts);
    }
  }

  /** Returns what has been used if these amounts have been held since. */
  RecentUse until(Instant now, DecayedUsage history, List<QueueAccount> accounts, long[] there) {
    Decay decay = Decay.of(Duration.between(asOf, now), history.halfLife());
    List<OfQueue> used = new ArrayList<>(queues.size());
    for (int queue = 0; queue < accounts.size(); queue++) {
      QueueAccount account = accounts.get(queue);
      List<Double> amounts = new ArrayList<>(there.length);
      for (int resource = 0; resource < there.length; resource++) {
        double before = queues.get(queue).amounts().get(resource);
        amounts.add(decay.after(before, account.held(resource)));
      }
      used.add(new OfQueue(account.name(), amounts));
    }
    List<Double> capacity = new ArrayList<>(there.length);
    for (int resource = 0; resource < there.length; resource++) {
      capacity.add(decay.after(total.get(resource), there[resource]));
    }
    return new RecentUse(now, resources, used, capacity);
  }

  /** Returns which part of a resource a queue has used, by the number of the queue. */
  double part(int queue, int resource) {
    double all = total.get(resource);
    return all == 0 ? 0 : Math.min(1, queues.get(queue).amounts().get(resource) / all);
  }

  /**
   * How much is left of what was used before, and for how many seconds something counts that has
   * been held since.
   */
  private record Decay(double left, double seconds) {

    static Decay of(Duration time, Duration halfLife) {
      double lives = seconds(time) / seconds(halfLife);
      double left = StrictMath.pow(0.5, lives);
      return new Decay(left, (1 - left) * seconds(halfLife) / StrictMath.log(2));
    }

    private static double seconds(Duration time) {
      return time.toNanosPart() / 1e9 + time.toSeconds();
    }

    double after(double before, long held) {
      return before * left + held * seconds;
    }
  }
}
