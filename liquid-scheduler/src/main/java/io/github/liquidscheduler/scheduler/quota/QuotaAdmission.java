package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QuotaResource;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the quotas of a queue, and of those that it is a part of, let it hold a job besides what
 * it holds. Keeps nothing of its own: the answers are as the accounts stand.
 */
public final class QuotaAdmission {

  private final QueueBooks books;
  private final QueueAccount queue;

  /** Makes the question for jobs of a queue. */
  QuotaAdmission(QueueBooks books, QueueAccount queue) {
    this.books = books;
    this.queue = queue;
  }

  /** Returns why the queue, or one that it is a part of, may not hold a job as well, if so. */
  public Optional<QuotaExcess> excess(Charge asked, boolean preemptible) {
    if (isBelowLimits(asked)) {
      return preemptible ? Optional.empty() : excessOfGuarantee(asked);
    }
    for (int resource = 0; resource < queue.resources(); resource++) {
      Optional<QuotaExcess> excess =
          excess(resource, asked.of(resource), HypotheticalUsage.NOTHING);
      if (excess.isPresent()) {
        return excess;
      }
    }
    return preemptible ? Optional.empty() : excessOfGuarantee(asked);
  }

  /**
   * Returns true only if no limit is exceeded, whatever of that was lent before or kept for jobs of
   * the queue itself; asked often, and mostly true.
   */
  private boolean isBelowLimits(Charge asked) {
    for (@Nullable QueueAccount at = queue; at != null; at = at.parent()) {
      GuaranteedUsage amounts = at.lending().claimed();
      for (int resource = 0; resource < queue.resources(); resource++) {
        if (asked.of(resource) > 0
            && asked.of(resource) > at.limit(resource) - amounts.used(resource)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns true if the queue may hold a job as well if queues used so much. */
  public boolean admits(Charge asked, boolean preemptible, HypotheticalUsage use) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      if (excess(resource, asked.of(resource), use).isPresent()) {
        return false;
      }
    }
    return preemptible || excessOfGuarantee(asked).isEmpty();
  }

  /**
   * Returns true if a job takes nothing of what other queues do not lend, if queues used so much.
   * Whatever is guaranteed to its queue is not lent to it.
   */
  public boolean respectsUnlendable(Charge asked, HypotheticalUsage use) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      long more = asked.of(resource);
      boolean isOwn = more <= queue.guaranteed(resource) - use.of(queue).used(resource);
      for (@Nullable QueueAccount at = queue; at != null && more > 0; at = at.parent()) {
        more = use.of(at).rise(resource, more);
      }
      if (!isOwn && more > books.left(resource) - use.more(resource)) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if it would borrow with a job besides, of a resource that this asks for. */
  public boolean wouldBorrow(Charge asked, HypotheticalUsage use) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      long more = asked.of(resource);
      if (more > 0 && more > queue.guaranteed(resource) - use.of(queue).used(resource)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the resources of which it may not hold so much as well; all asked for if none is. */
  public BitSet needed(Charge asked) {
    BitSet needed = new BitSet();
    BitSet all = new BitSet();
    for (int resource = 0; resource < queue.resources(); resource++) {
      boolean exceeds = excess(resource, asked.of(resource), HypotheticalUsage.NOTHING).isPresent();
      needed.set(resource, exceeds);
      all.set(resource, asked.of(resource) > 0);
    }
    return needed.isEmpty() ? all : needed;
  }

  /**
   * Returns the excess of one resource; what is kept for a job of the queue itself does not count.
   */
  private Optional<QuotaExcess> excess(int resource, long asked, HypotheticalUsage use) {
    long more = asked;
    long forItself = 0;
    for (@Nullable QueueAccount at = queue; at != null && more > 0; at = at.parent()) {
      GuaranteedUsage amounts = use.of(at);
      long used = amounts.used(resource) - forItself;
      long left = at.limit(resource) - used;
      if (more > left) {
        return Optional.of(excess(at, resource, more, left));
      }
      GuaranteedUsage lent = at.lending().lent();
      long counted = lent.counted(resource, used);
      more = lent.counted(resource, used + more) - counted;
      forItself = amounts.counted(resource, amounts.used(resource)) - counted;
    }
    return Optional.empty();
  }

  private static QuotaExcess excess(QueueAccount of, int resource, long asked, long left) {
    return new QuotaExcess(of.name(), of.resource(resource), false, asked, Math.max(0, left));
  }

  private Optional<QuotaExcess> excessOfGuarantee(Charge asked) {
    for (@Nullable QueueAccount at = queue; at != null; at = at.parent()) {
      for (int resource = 0; resource < queue.resources(); resource++) {
        long more = asked.of(resource);
        long left = at.amounts().leftOfGuaranteed(resource);
        if (more > 0 && more > left) {
          QuotaResource what = at.resource(resource);
          return Optional.of(new QuotaExcess(at.name(), what, true, more, Math.max(0, left)));
        }
      }
    }
    return Optional.empty();
  }
}
