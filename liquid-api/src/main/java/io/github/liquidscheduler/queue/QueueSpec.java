package io.github.liquidscheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One queue of a {@link QueueTree}.
 *
 * @param name its name, which its jobs bear
 * @param parent the queue that it is a part of; empty at the top
 * @param priority the queues of higher priority are served first when what is left over is divided
 *     among siblings; it gives nobody a right to what is guaranteed to others
 * @param quotas what it may hold, by resource
 * @param preemption the jobs that its jobs may pre-empt, where queues {@linkplain
 *     Reclaiming#lends() lend} each other quota
 * @param bypass whether jobs may start before others of the queue that come before them and do not
 *     fit; if not, the first that does not fit keeps all behind it waiting
 */
public record QueueSpec(
    QueueName name,
    Optional<QueueName> parent,
    int priority,
    Map<QuotaResource, QueueQuota> quotas,
    QueuePreemption preemption,
    boolean bypass) {

  /** Checks that nothing is null, and copies the quotas. */
  public QueueSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(parent, "parent");
    Objects.requireNonNull(preemption, "preemption");
    quotas = Collections.unmodifiableMap(new TreeMap<>(quotas));
  }

  /**
   * Returns a queue at the top, of priority 0, that is guaranteed nothing and lets jobs bypass
   * others.
   */
  public static QueueSpec named(String name) {
    return new QueueSpec(
        QueueName.of(name), Optional.empty(), 0, Map.of(), QueuePreemption.DEFAULT, true);
  }

  /** Returns this queue as a part of another. */
  public QueueSpec in(String parent) {
    return new QueueSpec(
        name, Optional.of(QueueName.of(parent)), priority, quotas, preemption, bypass);
  }

  /** Returns this queue with another priority. */
  public QueueSpec withPriority(int priority) {
    return new QueueSpec(name, parent, priority, quotas, preemption, bypass);
  }

  /** Returns this queue with a guarantee in GPUs, no limit, and a weight of 1. */
  public QueueSpec withGpus(int guaranteed) {
    return with(QuotaResource.GPUS, QueueQuota.guaranteed(guaranteed));
  }

  /** Returns this queue with a quota of a resource. */
  public QueueSpec with(QuotaResource resource, QueueQuota quota) {
    Map<QuotaResource, QueueQuota> more = new TreeMap<>(quotas);
    more.put(resource, quota);
    return new QueueSpec(name, parent, priority, more, preemption, bypass);
  }

  /** Returns this queue with other jobs that its own may have stopped. */
  public QueueSpec with(QueuePreemption preemption) {
    return new QueueSpec(name, parent, priority, quotas, preemption, bypass);
  }

  /** Returns this queue, in which no job starts before one that comes before it. */
  public QueueSpec withoutBypass() {
    return new QueueSpec(name, parent, priority, quotas, preemption, false);
  }
}
