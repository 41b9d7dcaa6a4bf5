package io.github.liquidscheduler.scheduler.quota;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What queues would use if some jobs had left, or come. The accounts themselves stay. Mutable. */
public final class HypotheticalUsage {

  /** What queues use, unchanged, with what is kept for jobs that wait. */
  static final HypotheticalUsage NOTHING =
      new HypotheticalUsage(queue -> queue.lending().claimed());

  private final Function<QueueAccount, GuaranteedUsage> actual;
  // Never iterated.
  private final Map<QueueAccount, GuaranteedUsage> changed = new HashMap<>();
  private long[] more = new long[0];

  private HypotheticalUsage(Function<QueueAccount, GuaranteedUsage> actual) {
    this.actual = actual;
  }

  /** Begins with what may be had now, given what is kept for jobs that wait. */
  public static HypotheticalUsage toAdmit() {
    return new HypotheticalUsage(queue -> queue.lending().claimed());
  }

  /** Begins with what is lent now. */
  public static HypotheticalUsage toLend() {
    return new HypotheticalUsage(queue -> queue.lending().lent());
  }

  /** Has the jobs of a queue hold so much more, or with -1 so much less. */
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

  /** Returns by how much more would count of all queues together. */
  long more(int resource) {
    return resource < more.length ? more[resource] : 0;
  }

  /** Returns what a queue would use. */
  GuaranteedUsage of(QueueAccount queue) {
    @Nullable GuaranteedUsage imagined = changed.get(queue);
    return imagined == null ? actual.apply(queue) : imagined;
  }
}
