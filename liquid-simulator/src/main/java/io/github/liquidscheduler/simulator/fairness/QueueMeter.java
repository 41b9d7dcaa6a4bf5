package io.github.liquidscheduler.simulator.fairness;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the GPU time that each queue of a tree held and that was due to it. After each event it
 * asks the scheduler once for each leaf, so an event costs O(leaves). Not thread-safe.
 */
public final class QueueMeter implements SimulationListener {

  private final List<QueueName> leaves;
  private final QueueStatus.@Nullable Usage[] usage;
  private final double[] held;
  private final double[] due;
  private double missing;
  private double dueInAll;
  private @Nullable Instant since;

  /** Returns a meter of the leaves of a tree, which must not change during the simulation. */
  public QueueMeter(QueueTree tree) {
    leaves = tree.queues().stream().map(QueueSpec::name).filter(tree::isLeaf).toList();
    usage = new QueueStatus.Usage[leaves.size()];
    held = new double[leaves.size()];
    due = new double[leaves.size()];
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (since != null && since.isBefore(event.at())) {
      add(seconds(Duration.between(since, event.at())));
    }
    since = event.at();
    for (int queue = 0; queue < usage.length; queue++) {
      usage[queue] = scheduler.queue(leaves.get(queue)).map(QueueMeter::gpus).orElse(null);
    }
  }

  private static QueueStatus.@Nullable Usage gpus(QueueStatus status) {
    return status.usage().get(QuotaResource.GPUS);
  }

  private void add(double seconds) {
    for (int queue = 0; queue < usage.length; queue++) {
      QueueStatus.Usage now = usage[queue];
      if (now != null && now.requested() > 0) {
        held[queue] += now.held() * seconds;
        due[queue] += now.share() * seconds;
        dueInAll += now.share() * seconds;
        missing += Math.max(0, now.share() - now.held()) * seconds;
      }
    }
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }

  /** Returns the queues, in the order of the tree. */
  List<QueueName> leaves() {
    return leaves;
  }

  /** Returns the GPU time in seconds that a queue held while it wanted any. */
  double held(int queue) {
    return held[queue];
  }

  /** Returns the GPU time in seconds that was due to a queue while it wanted any. */
  double due(int queue) {
    return due[queue];
  }

  /** Returns the fraction of the GPU time due to queues that they did not hold, from 0 to 1. */
  double shareError() {
    return dueInAll > 0 ? missing / dueInAll : 0;
  }
}
