package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The waiting jobs in turn order, by queue and by placement class. */
public final class WaitingJobs {

  private final Map<JobQueue, OrderedJobs> byQueue = new LinkedHashMap<>();
  private final WaitingClasses byClass;
  private @Nullable OrderedJobs emptied;

  WaitingJobs(ClassImages images, Agenda agenda, boolean ranksDecide) {
    byClass = new WaitingClasses(images, agenda, ranksDecide);
  }

  void add(JobEntry job) {
    byQueue.computeIfAbsent(job.queue(), each -> emptied()).add(job);
    byClass.add(job);
  }

  void remove(JobEntry job) {
    OrderedJobs queue = Objects.requireNonNull(byQueue.get(job.queue()));
    queue.remove(job);
    if (queue.isEmpty()) {
      byQueue.remove(job.queue());
      emptied = queue;
    }
    byClass.remove(job);
  }

  /** Returns an empty queue, reused if possible. */
  private OrderedJobs emptied() {
    OrderedJobs queue = emptied == null ? new OrderedJobs() : emptied;
    emptied = null;
    return queue;
  }

  /** Returns true if no job waits. */
  public boolean isEmpty() {
    return byQueue.isEmpty();
  }

  /** Returns the next job in turn, or null; O(queues). */
  public @Nullable JobEntry first() {
    @Nullable JobEntry first = null;
    for (OrderedJobs queue : byQueue.values()) {
      if (first == null || JobOrders.TURN.compare(queue.first(), first) < 0) {
        first = queue.first();
      }
    }
    return first;
  }

  /** Returns the first job of a queue, or null if none waits. */
  @Nullable JobEntry firstOf(JobQueue queue) {
    @Nullable OrderedJobs jobs = byQueue.get(queue);
    return jobs == null ? null : jobs.first();
  }

  /** Returns true if a job must wait for earlier jobs of its queue, which forbids bypass. */
  public boolean hasToWaitForTurn(JobEntry job) {
    return job.queue().isStrict() && !job.equals(firstOf(job.queue()));
  }

  /** Returns the first waiting job of a job's queue; empty if none waits there. */
  public Optional<JobEntry> headOf(JobEntry job) {
    return Optional.ofNullable(firstOf(job.queue()));
  }

  /** Returns the waiting jobs behind the first one of a queue, in the order of the queue. */
  public List<JobEntry> behind(JobEntry first) {
    List<JobEntry> jobs = new ArrayList<>();
    Objects.requireNonNull(byQueue.get(first.queue())).forEach(jobs::add);
    jobs.remove(first);
    return jobs;
  }

  /** Returns the number of waiting jobs of the same queue before this one. */
  public int positionInQueue(JobEntry job) {
    @Nullable OrderedJobs jobs = byQueue.get(job.queue());
    return jobs == null ? 0 : jobs.position(job);
  }

  /** Returns the number of waiting jobs before this one; O(queues). */
  public int position(JobEntry job) {
    int before = 0;
    for (Map.Entry<JobQueue, OrderedJobs> queue : byQueue.entrySet()) {
      int order =
          job.precedesQueues() ? 0 : Double.compare(queue.getKey().rank(), job.queue().rank());
      OrderedJobs jobs = queue.getValue();
      before += order < 0 ? jobs.size() : order == 0 ? jobs.position(job) : preceding(jobs);
    }
    return before;
  }

  /** Returns the number of jobs that come before those of all queues. */
  private static int preceding(OrderedJobs jobs) {
    int before = 0;
    for (JobEntry job : jobs) {
      if (!job.precedesQueues()) {
        break;
      }
      before++;
    }
    return before;
  }

  /** Returns the waiting jobs of a job's placement class, in turn order. */
  public OrderedJobs peers(JobEntry job) {
    return byClass.peers(job);
  }

  /** Returns the waiting jobs by placement class. */
  public WaitingClasses byClass() {
    return byClass;
  }

  /** Returns the first {@code most} jobs in turn order; O(queues x most). */
  public List<JobEntry> head(int most) {
    List<JobEntry> head = new ArrayList<>();
    for (OrderedJobs queue : byQueue.values()) {
      Iterator<JobEntry> jobs = queue.iterator();
      for (int i = 0; i < most && jobs.hasNext(); i++) {
        head.add(jobs.next());
      }
    }
    head.sort(JobOrders.TURN);
    return head.subList(0, Math.min(most, head.size()));
  }

  /** Returns the number of jobs; O(queues). */
  public int size() {
    return byQueue.values().stream().mapToInt(OrderedJobs::size).sum();
  }

  /** Returns the ids in turn order, as a copy; O(n). */
  public List<JobId> ids() {
    return inOrder().stream().map(JobEntry::id).toList();
  }

  /** Returns the jobs in turn order, as a copy; O(n), with several queues O(n log n). */
  public List<JobEntry> inOrder() {
    List<JobEntry> jobs = new ArrayList<>();
    byQueue.values().forEach(queue -> queue.forEach(jobs::add));
    if (byQueue.size() > 1) {
      jobs.sort(JobOrders.TURN);
    }
    return jobs;
  }
}
