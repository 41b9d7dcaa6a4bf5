package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.quota.NextJob;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.QueueOrdering;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queues of a table, as policies see them, and their serving order. */
public final class JobQueues {

  // The queue of all jobs if the policy does not order queues.
  private static final QueueName EVERY_QUEUE = QueueName.of("every queue");

  private final JobTable table;
  private final JobIndexes indexes;
  private final Quotas quotas;
  private final Map<QueueName, JobQueue> queues = new HashMap<>();

  JobQueues(JobTable table, JobIndexes indexes) {
    this.table = table;
    this.indexes = indexes;
    quotas = table.quotas();
  }

  /** Forgets all queues. */
  void clear() {
    queues.clear();
  }

  /** Returns the queue of a job; made at its first use. */
  JobQueue queueOf(JobSpec job) {
    @Nullable QueueOrder order = table.policy().queueOrder().orElse(null);
    @Nullable QueueAccount account = quotas.account(job.queue());
    if (account != null) {
      return queueOf(account, order);
    }
    QueueName name = order == null ? EVERY_QUEUE : job.queue();
    return queues.computeIfAbsent(name, each -> new JobQueue(each, order));
  }

  /** Returns a queue of the tree; its ancestors are there if the policy orders queues. */
  private JobQueue queueOf(QueueAccount account, @Nullable QueueOrder order) {
    @Nullable JobQueue queue = queues.get(account.name());
    if (queue == null) {
      @Nullable QueueAccount above = order == null ? null : account.parent();
      @Nullable JobQueue parent = above == null ? null : queueOf(above, order);
      queue = new JobQueue(account, order, parent, table.policy().allowsBypass());
      queues.put(queue.name(), queue);
    }
    return queue;
  }

  /** Forgets a queue without jobs. */
  void forgetIfEmpty(JobQueue queue) {
    if (queue.isEmpty()) {
      queues.remove(queue.name());
    }
  }

  /** Ends a turn: puts queues in order, for which it may ask the policy. */
  public void settle() {
    arrange();
    if (table.policy().queueOrder().isPresent()) {
      queues.values().forEach(JobQueue::rank);
    }
  }

  /** Updates the serving order of queues. */
  public void arrange() {
    arrangeBy(
        account -> {
          @Nullable JobQueue queue = queues.get(account.name());
          return queue == null ? null : table.eligible().firstOf(queue);
        });
    table.eligible().byClass().ready().reorder();
  }

  /**
   * Updates the serving order of queues as if these were the first waiting jobs. Requires a queue
   * tree.
   */
  public void arrangeFor(Map<QueueName, JobEntry> firsts) {
    arrangeBy(account -> firsts.get(account.name()));
  }

  private void arrangeBy(Function<QueueAccount, @Nullable JobEntry> firstOf) {
    if (!quotas.hasQueueTree()) {
      return;
    }
    Function<QueueAccount, @Nullable NextJob> nextOf = account -> next(firstOf.apply(account));
    if (table.policy().queueOrder().isPresent()) {
      QueueOrdering.arrangeBy(
          quotas.books(),
          nextOf,
          account -> Objects.requireNonNull(queues.get(account.name())).rankByPolicy());
    } else {
      QueueOrdering.arrange(quotas.books(), nextOf);
    }
  }

  private @Nullable NextJob next(@Nullable JobEntry first) {
    return first == null
        ? null
        : new NextJob(first.account(), quotas.charge(first), first.rank(), first.sequence());
  }

  /**
   * Checks that every job belongs to a leaf of a tree.
   *
   * @throws IllegalArgumentException if one does not
   */
  public void require(QueueTree tree) {
    table.inOrderOfSubmission().forEach(job -> requireLeaf(tree, job.job()));
  }

  /**
   * Checks that a job belongs to a leaf of the present tree, if there is one.
   *
   * @throws IllegalArgumentException if it does not
   */
  public void require(JobSpec job) {
    quotas.tree().ifPresent(tree -> requireLeaf(tree, job));
  }

  private static void requireLeaf(QueueTree tree, JobSpec job) {
    if (!tree.isLeaf(job.queue())) {
      throw new IllegalArgumentException(
          "a job must be in a queue of the tree that has no parts, but job '%s' is in '%s', which %s"
              .formatted(
                  job.id(),
                  job.queue(),
                  tree.find(job.queue()).isPresent() ? "has parts" : "is not there"));
    }
  }

  /** Replaces the queue tree. Every job must belong to one of its leaves. */
  public void change(QueueTree tree) {
    List<JobEntry> all = table.running().inOrder();
    all.addAll(table.allWaiting());
    all.forEach(table.savepoints()::saveBefore);
    all.forEach(this::takeFromQueue);
    queues.clear();
    quotas.begin(tree, table.now());
    table.running().groupByQueue(true);
    all.forEach(this::putIntoQueue);
    measure();
    table.agenda().parkHead(null);
    table.agenda().relearn();
  }

  private void takeFromQueue(JobEntry job) {
    indexes.dequeue(job);
    if (job.isRunning()) {
      job.queue().countRunning(-1, -RunningJobs.gpus(job));
    }
  }

  private void putIntoQueue(JobEntry job) {
    job.enter(queueOf(job.job()));
    if (job.isRunning()) {
      job.queue().countRunning(1, RunningJobs.gpus(job));
      quotas.hold(job);
    }
    indexes.enqueue(job);
  }

  /** Reads the cluster's capacity for the queues. */
  public void measure() {
    quotas.measure();
    quotas.reorder();
  }

  /**
   * Reads the cluster's capacity after an event of one node. Outdates cached losses of the queues
   * with jobs there only.
   */
  public void measure(NodeId node) {
    quotas.measure();
    if (quotas.hasQueueTree()) {
      table.running().forEachOn(node, job -> job.account().noteChange());
    }
  }
}
