package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The decayed usage of queues and the decayed capacity, by resource: smallest units times seconds,
 * halved with each half-life.
 *
 * @param asOf the time of the values
 * @param resources the resources, in the order of the amounts
 * @param queues the usage of each queue, descendants included
 * @param total the capacity
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
   * The decayed usage of one queue.
   *
   * @param queue the queue
   * @param amounts the amounts by resource
   */
  public record OfQueue(QueueName queue, List<Double> amounts) {

    /** Copies the amounts. */
    public OfQueue {
      amounts = List.copyOf(amounts);
    }
  }

  /** Returns the values at {@code now} if the present amounts have been held since. */
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

  /** Returns the decayed usage of a queue, by its index, as a fraction of capacity. */
  double part(int queue, int resource) {
    double all = total.get(resource);
    return all == 0 ? 0 : Math.min(1, queues.get(queue).amounts().get(resource) / all);
  }

  /** The remaining factor of earlier usage, and the weight in seconds of usage since. */
  private record Decay(double left, double seconds) {

    static Decay of(Duration time, Duration halfLife) {
      double lives = GpuTime.exactSeconds(time) / GpuTime.exactSeconds(halfLife);
      double left = StrictMath.pow(0.5, lives);
      return new Decay(left, (1 - left) * GpuTime.exactSeconds(halfLife) / StrictMath.log(2));
    }

    double after(double before, long held) {
      return before * left + held * seconds;
    }
  }
}
