package io.github.liquidscheduler.scheduler.quota;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The usage of queues after hypothetical starts and evictions. Leaves the accounts unchanged.
 * Mutable.
 */
public final class HypotheticalUsage {

  /** The current usage, reservations for waiting jobs included. */
  static final HypotheticalUsage NOTHING =
      new HypotheticalUsage(queue -> queue.lending().claimed());

  /** The usage of queues without jobs: what they do not lend. */
  static final HypotheticalUsage IDLE = new HypotheticalUsage(queue -> queue.lending().idle());

  private final Function<QueueAccount, GuaranteedUsage> actual;
  // Never iterated.
  private final Map<QueueAccount, GuaranteedUsage> changed = new HashMap<>();
  // Never iterated.
  private final Map<QueueAccount, long[]> moreFixed = new HashMap<>();
  private long[] more = new long[0];

  private HypotheticalUsage(Function<QueueAccount, GuaranteedUsage> actual) {
    this.actual = actual;
  }

  /**
   * Starts from the current usage, reservations for waiting jobs included: the basis of admission.
   */
  public static HypotheticalUsage toAdmit() {
    return new HypotheticalUsage(queue -> queue.lending().claimed());
  }

  /** Starts from the current usage without these reservations: the basis of lending. */
  public static HypotheticalUsage toLend() {
    return new HypotheticalUsage(queue -> queue.lending().lent());
  }

  /** Adds {@code times} times a charge to the usage of a leaf and its ancestors. */
  public void hold(QueueAccount leaf, Charge charge, int times) {
    long[] rise = new long[leaf.resources()];
    charge.addTo(rise, times);
    for (@Nullable QueueAccount queue = leaf; queue != null; queue = queue.parent()) {
      GuaranteedUsage amounts = changed.computeIfAbsent(queue, each -> actual.apply(each).copy());
      for (int resource = 0; resource < rise.length; resource++) {
        rise[resource] = amounts.use(resource, rise[resource]);
      }
    }
    more = Arrays.copyOf(more, rise.length);
    for (int resource = 0; resource < rise.length; resource++) {
      more[resource] += rise[resource];
    }
  }

  /** Adds {@code times} times the charge of a job, which may be pre-empted or not. */
  public void hold(QueueAccount leaf, Charge charge, boolean preemptible, int times) {
    hold(leaf, charge, times);
    for (@Nullable QueueAccount at = leaf; at != null && !preemptible; at = at.parent()) {
      charge.addTo(moreFixed.computeIfAbsent(at, each -> new long[each.resources()]), times);
    }
  }

  /** Returns the part of a queue's guarantee that no job holds that may not be pre-empted. */
  long leftOfGuaranteed(QueueAccount queue, int resource) {
    long @Nullable [] fixed = moreFixed.get(queue);
    long left = queue.amounts().leftOfGuaranteed(resource);
    return fixed == null ? left : left - fixed[resource];
  }

  /** Returns the increase of the counted amount of all queues together. */
  long more(int resource) {
    return resource < more.length ? more[resource] : 0;
  }

  /** Returns the usage of a queue. */
  GuaranteedUsage of(QueueAccount queue) {
    @Nullable GuaranteedUsage imagined = changed.get(queue);
    return imagined == null ? actual.apply(queue) : imagined;
  }
}
