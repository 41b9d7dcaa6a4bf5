package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.Reclaiming;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the next jobs of queues are served, where that is not the tree's own.
 *
 * <ul>
 *   <li>By lent quota, as in Kueue (KEP 1714): first the queue whose next job borrows from the
 *       smallest subtree, or not at all; then by rank and age of that job.
 *   <li>By dominant shares (Kueue too): at each level first the child that would borrow none of the
 *       requested resources, then the one with the smaller share after the start; then by rank and
 *       age of the job.
 *   <li>By a policy: first the jobs that leave their queues and all ancestors within what is due to
 *       them, then the others; of each at every level first the child that the policy ranks lowest,
 *       then by rank and age of the job.
 * </ul>
 *
 * @param <K> the key by which siblings are compared
 */
final class NextJobOrder<K> {

  private static final Comparator<NextJob> LEAST_LOAN_FIRST =
      Comparator.<NextJob>comparingInt(job -> heightOfLoan(job))
          .thenComparing(Comparator.naturalOrder());

  private final BiFunction<QueueAccount, NextJob, K> key;
  private final Comparator<Side<K>> order;

  /** One of several siblings with its first job, those behind it, and its key with the first. */
  private record Side<K>(QueueAccount queue, NextJob job, Iterator<NextJob> rest, K key) {}

  /** A queue as it would be after the start of a job. */
  private record AfterStart(boolean borrows, DominantShare share) {

    static final Comparator<AfterStart> LEAST_FIRST =
        Comparator.comparing((AfterStart after) -> after.borrows).thenComparing(AfterStart::share);

    static AfterStart of(QueueAccount queue, NextJob job) {
      HypotheticalUsage after = HypotheticalUsage.toLend();
      after.hold(job.queue(), job.charge(), 1);
      return new AfterStart(borrows(queue, job, after), queue.lending().borrowedShare(after));
    }

    private static boolean borrows(QueueAccount queue, NextJob job, HypotheticalUsage after) {
      for (int resource = 0; resource < queue.resources(); resource++) {
        if (job.charge().of(resource) > 0 && queue.lending().borrowed(resource, after) > 0) {
          return true;
        }
      }
      return false;
    }
  }

  private NextJobOrder(BiFunction<QueueAccount, NextJob, K> key, Comparator<K> order) {
    this.key = key;
    this.order = Comparator.comparing(Side<K>::key, order).thenComparing(Side::job);
  }

  /** Returns jobs of different queues in the order of lent quota, or of dominant shares. */
  static List<NextJob> lending(QueueBooks books, Collection<NextJob> jobs) {
    return books.tree().reclaiming() == Reclaiming.DOMINANT_SHARES
        ? new NextJobOrder<>(AfterStart::of, AfterStart.LEAST_FIRST).inOrder(books, jobs)
        : jobs.stream().sorted(LEAST_LOAN_FIRST).toList();
  }

  /** Returns jobs of different queues in the order of a policy that ranks queues. */
  static List<NextJob> byPolicy(
      QueueBooks books, Collection<NextJob> jobs, ToDoubleFunction<QueueAccount> rankOf) {
    Map<Boolean, List<NextJob>> areEntitled =
        jobs.stream()
            .collect(Collectors.partitioningBy(job -> job.queue().isEntitledTo(job.charge())));
    NextJobOrder<Double> byRank =
        new NextJobOrder<>(
            (queue, job) -> rankOf.applyAsDouble(queue), Comparator.<Double>naturalOrder());
    List<NextJob> ordered =
        new ArrayList<>(byRank.inOrder(books, areEntitled.getOrDefault(true, List.of())));
    ordered.addAll(byRank.inOrder(books, areEntitled.getOrDefault(false, List.of())));
    return ordered;
  }

  /** Returns the height of the subtree that lends to a job; 0 if it does not borrow. */
  private static int heightOfLoan(NextJob job) {
    int height = 0;
    for (int resource = 0; resource < job.queue().resources(); resource++) {
      height = Math.max(height, heightOfLoan(job, resource));
    }
    return height;
  }

  private static int heightOfLoan(NextJob job, int resource) {
    long more = job.charge().of(resource);
    QueueAccount top = job.queue();
    for (@Nullable QueueAccount queue = top; queue != null; queue = queue.parent()) {
      if (more <= queue.guaranteed(resource) - queue.lending().lent().used(resource)) {
        return queue.height();
      }
      more = queue.lending().lent().rise(resource, more);
      top = queue;
    }
    return top.height();
  }

  private List<NextJob> inOrder(QueueBooks books, Collection<NextJob> jobs) {
    Map<QueueAccount, NextJob> byQueue = new LinkedHashMap<>();
    jobs.forEach(job -> byQueue.put(job.queue(), job));
    return inOrder(books.roots(), byQueue);
  }

  /** Returns the jobs below some siblings in order, each compared after those before it. */
  private List<NextJob> inOrder(List<QueueAccount> siblings, Map<QueueAccount, NextJob> jobs) {
    PriorityQueue<Side<K>> sides = new PriorityQueue<>(order);
    for (QueueAccount queue : siblings) {
      @Nullable NextJob own = jobs.get(queue);
      List<NextJob> below = own == null ? inOrder(queue.children(), jobs) : List.of(own);
      enter(sides, queue, below.iterator());
    }
    List<NextJob> ordered = new ArrayList<>();
    while (!sides.isEmpty()) {
      Side<K> best = sides.remove();
      ordered.add(best.job());
      enter(sides, best.queue(), best.rest());
    }
    return ordered;
  }

  private void enter(PriorityQueue<Side<K>> sides, QueueAccount queue, Iterator<NextJob> jobs) {
    if (jobs.hasNext()) {
      NextJob first = jobs.next();
      sides.add(new Side<>(queue, first, jobs, key.apply(queue, first)));
    }
  }
}
