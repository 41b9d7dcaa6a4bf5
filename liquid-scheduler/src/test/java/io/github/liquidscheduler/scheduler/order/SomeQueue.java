package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.scheduler.share.Claim;
import io.github.liquidscheduler.scheduler.share.FairDivision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue whose numbers a test sets. Mutable. */
final class SomeQueue implements TurnQueue {

  private final int index;
  private final @Nullable SomeQueue parent;
  private final List<SomeQueue> children = new ArrayList<>();
  private final long[] held;
  private final long[] share;
  private final long[] guaranteed;
  private final long[] wanted;
  private final long[] limit;
  private int priority;
  private int weight = 1;

  SomeQueue(int index, @Nullable SomeQueue parent, int resources) {
    this.index = index;
    this.parent = parent;
    held = new long[resources];
    share = new long[resources];
    guaranteed = new long[resources];
    wanted = new long[resources];
    limit = new long[resources];
    Arrays.fill(limit, Long.MAX_VALUE);
    if (parent != null) {
      parent.children.add(this);
    }
  }

  SomeQueue withGuarantee(long... amounts) {
    System.arraycopy(amounts, 0, guaranteed, 0, amounts.length);
    return this;
  }

  SomeQueue withShare(long... amounts) {
    System.arraycopy(amounts, 0, share, 0, amounts.length);
    return this;
  }

  SomeQueue holding(long... amounts) {
    System.arraycopy(amounts, 0, held, 0, amounts.length);
    return this;
  }

  SomeQueue withWeight(int weight) {
    this.weight = weight;
    return this;
  }

  SomeQueue withPriority(int priority) {
    this.priority = priority;
    return this;
  }

  /** Adds to what its jobs hold, and those of its ancestors. */
  void hold(Amounts amounts, int times) {
    for (@Nullable SomeQueue queue = this; queue != null; queue = queue.parent) {
      for (int resource = 0; resource < amounts.resources(); resource++) {
        queue.held[resource] += times * amounts.get(resource);
      }
    }
  }

  /** Adds to what its jobs hold or ask for, and those of its ancestors. */
  void want(Amounts amounts) {
    for (@Nullable SomeQueue queue = this; queue != null; queue = queue.parent) {
      for (int resource = 0; resource < amounts.resources(); resource++) {
        queue.wanted[resource] += amounts.get(resource);
      }
    }
  }

  /** Divides amounts among siblings and their descendants. */
  static void divide(List<SomeQueue> siblings, long[] amounts) {
    for (int resource = 0; resource < amounts.length; resource++) {
      int of = resource;
      double[] shares =
          FairDivision.divide(
              (double) amounts[of], siblings.stream().map(queue -> queue.claim(of)).toList(), 0);
      for (int i = 0; i < shares.length; i++) {
        siblings.get(i).share[of] = Math.round(shares[i]);
      }
    }
    for (SomeQueue queue : siblings) {
      if (!queue.children.isEmpty()) {
        divide(queue.children, queue.share);
      }
    }
  }

  private Claim claim(int resource) {
    double most = limit[resource] == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : limit[resource];
    return new Claim(guaranteed[resource], most, weight, priority, wanted[resource], 0);
  }

  List<SomeQueue> children() {
    return children;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public @Nullable SomeQueue parent() {
    return parent;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public long held(int resource) {
    return held[resource];
  }

  @Override
  public long share(int resource) {
    return share[resource];
  }

  @Override
  public long guaranteed(int resource) {
    return guaranteed[resource];
  }

  @Override
  public long limit(int resource) {
    return limit[resource];
  }
}
