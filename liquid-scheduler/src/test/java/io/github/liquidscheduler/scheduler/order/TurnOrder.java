package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.queue.Reclaiming;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: each leaf queue has at most two candidates: its first job, and the first whose start leaves
 *   the queue and all its ancestors within their entitlement. If any candidate is entitled, the
 *   others wait. Among the rest a tournament from the leaves to the root decides: at each level
 *   the order of siblings, applied to the first candidates of their subtrees.
 * Invariants: total and deterministic: independent of the order in which jobs are offered, so that
 *   a restart changes nothing; no job beyond its entitlement precedes an entitled one, unless that
 *   is behind the head of a queue that blocks; jobs of one queue that are equally entitled keep
 *   their order; a policy's order of queues changes nobody's entitlement. TurnOrderLaws.
 * Cost: a poll O(jobs x depth x resources + queues log queues); jobs that are alike may be
 *   represented by their first.
 * Rejected: ordering queues by their first jobs only: a job behind the first one is not seen when
 *   another queue is let beyond its share, and reclaims a moment later what was just given away.
 */
/**
 * The turn order of waiting jobs, used wherever jobs are taken one after the other: entitled ones
 * first, then by the order of queues, then by the order inside the queue. Each poll is judged from
 * the state before it.
 */
public final class TurnOrder {

  private final Predicate<TurnJob> isEntitled;
  private final SiblingOrder siblings;
  private final Predicate<TurnQueue> blocks;

  private TurnOrder(
      Predicate<TurnJob> isEntitled, SiblingOrder siblings, Predicate<TurnQueue> blocks) {
    this.isEntitled = isEntitled;
    this.siblings = siblings;
    this.blocks = blocks;
  }

  /**
   * Returns the order in a tree of queues.
   *
   * @param siblings the tree's own order of siblings, or that of a policy in its place
   * @param blocks whether the first job of a leaf is its only candidate
   */
  public static TurnOrder inTree(
      Reclaiming form, SiblingOrder siblings, Predicate<TurnQueue> blocks) {
    return new TurnOrder(
        job -> Entitlement.covers(form, job.queue(), job.asks()), siblings, blocks);
  }

  /** Returns the order of queues without quotas, in which all jobs are entitled alike. */
  public static TurnOrder withoutQuotas(SiblingOrder siblings, Predicate<TurnQueue> blocks) {
    return new TurnOrder(job -> true, siblings, blocks);
  }

  /** Returns true if a start leaves the job's queue and its ancestors within their entitlement. */
  public boolean isEntitled(TurnJob job) {
    return isEntitled.test(job);
  }

  /** Returns the job that is polled next; empty if none is ready. */
  public <J extends TurnJob> Optional<J> first(Collection<J> ready) {
    return first(leaves(ready));
  }

  /** Returns the jobs in the order in which they are polled if none starts. */
  public <J extends TurnJob> List<J> sorted(Collection<J> jobs) {
    return poll(jobs, job -> false, false);
  }

  /**
   * Polls jobs one after the other and returns them in that order. The first job of a queue that
   * blocks, if it does not start, keeps the others of its queue from being polled.
   *
   * @param start tries to start a job; if it does, the queues have changed when it returns true
   */
  public <J extends TurnJob> List<J> poll(Collection<J> ready, Predicate<? super J> start) {
    return poll(ready, start, true);
  }

  private <J extends TurnJob> List<J> poll(
      Collection<J> ready, Predicate<? super J> start, boolean isHeadNeeded) {
    Map<Integer, NavigableSet<J>> leaves = leaves(ready);
    List<J> polled = new ArrayList<>();
    for (Optional<J> next = first(leaves); next.isPresent(); next = first(leaves)) {
      J job = next.get();
      polled.add(job);
      boolean isBlocked = !start.test(job) && isHeadNeeded && blocks.test(job.queue());
      leaves.computeIfPresent(
          job.queue().index(), (index, leaf) -> isBlocked ? null : without(job, leaf));
    }
    return polled;
  }

  private static <J extends TurnJob> @Nullable NavigableSet<J> without(
      J job, NavigableSet<J> leaf) {
    leaf.remove(job);
    return leaf.isEmpty() ? null : leaf;
  }

  private static <J extends TurnJob> Map<Integer, NavigableSet<J>> leaves(Collection<J> jobs) {
    Map<Integer, NavigableSet<J>> leaves = new TreeMap<>();
    for (J job : jobs) {
      leaves.computeIfAbsent(job.queue().index(), any -> new TreeSet<>(TurnJob.IN_QUEUE)).add(job);
    }
    return leaves;
  }

  private <J extends TurnJob> Optional<J> first(Map<Integer, NavigableSet<J>> leaves) {
    List<Path<J>> entitled = new ArrayList<>();
    List<Path<J>> heads = new ArrayList<>();
    for (NavigableSet<J> leaf : leaves.values()) {
      J head = leaf.first();
      heads.add(Path.of(head));
      Stream<J> candidates = blocks.test(head.queue()) ? Stream.of(head) : leaf.stream();
      candidates.filter(isEntitled).findFirst().map(Path::of).ifPresent(entitled::add);
    }
    List<Path<J>> candidates = entitled.isEmpty() ? heads : entitled;
    return candidates.isEmpty() ? Optional.empty() : Optional.of(best(candidates, 0).job());
  }

  /** A candidate and its queues from the root to the leaf. */
  private record Path<J extends TurnJob>(J job, List<TurnQueue> queues) {

    static <J extends TurnJob> Path<J> of(J job) {
      Deque<TurnQueue> queues = new ArrayDeque<>();
      for (@Nullable TurnQueue queue = job.queue(); queue != null; queue = queue.parent()) {
        queues.addFirst(queue);
      }
      return new Path<>(job, List.copyOf(queues));
    }

    SiblingOrder.Subtree at(int depth) {
      return new SiblingOrder.Subtree(queues.get(depth), job);
    }
  }

  /** Returns the best candidate below one queue, whose children are at {@code depth}. */
  private <J extends TurnJob> Path<J> best(List<Path<J>> candidates, int depth) {
    return byChild(candidates, depth).stream()
        .map(child -> child.size() == 1 ? child.getFirst() : best(child, depth + 1))
        .min((one, other) -> siblings.compare(one.at(depth), other.at(depth)))
        .orElseThrow();
  }

  private static <J extends TurnJob> Collection<List<Path<J>>> byChild(
      List<Path<J>> candidates, int depth) {
    Map<Integer, List<Path<J>>> children = new TreeMap<>();
    for (Path<J> path : candidates) {
      int child = path.queues().get(depth).index();
      children.computeIfAbsent(child, any -> new ArrayList<>()).add(path);
    }
    return children.values();
  }
}
