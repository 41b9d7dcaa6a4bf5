package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QuotaResource;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The check of additional jobs against the quotas of a queue and its ancestors. Stateless: answers
 * follow the accounts.
 */
public record QuotaAdmission(QueueBooks books, QueueAccount queue) {

  /** Returns the first quota that an additional job would exceed; empty if none. */
  public Optional<QuotaExcess> excess(Charge asked, boolean preemptible) {
    if (isBelowLimits(asked)) {
      return excessOfGuarantee(asked, preemptible);
    }
    for (int resource = 0; resource < queue.resources(); resource++) {
      Optional<QuotaExcess> excess =
          excess(resource, asked.of(resource), HypotheticalUsage.NOTHING);
      if (excess.isPresent()) {
        return excess;
      }
    }
    return excessOfGuarantee(asked, preemptible);
  }

  private Optional<QuotaExcess> excessOfGuarantee(Charge asked, boolean preemptible) {
    return preemptible ? Optional.empty() : excessOfGuarantee(asked, HypotheticalUsage.NOTHING);
  }

  /**
   * Returns the quota that a job exceeds even if no other job is there, with the most that the
   * quotas ever allow it of that resource as the available amount; empty if none.
   */
  public Optional<QuotaExcess> excessAlone(Charge asked, boolean preemptible) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      Optional<QuotaExcess> excess = excessAlone(resource, asked.of(resource), preemptible);
      if (excess.isPresent()) {
        return excess;
      }
    }
    return Optional.empty();
  }

  private Optional<QuotaExcess> excessAlone(int resource, long asked, boolean preemptible) {
    Optional<QuotaExcess> last = Optional.empty();
    long most = asked;
    for (Optional<QuotaExcess> excess = excess(resource, most, HypotheticalUsage.IDLE);
        excess.isPresent();
        excess = excess(resource, most, HypotheticalUsage.IDLE)) {
      most -= excess.get().asked() - excess.get().available();
      last = excess;
    }
    for (@Nullable QueueAccount at = queue; at != null && !preemptible; at = at.parent()) {
      if (most > at.guaranteed(resource)) {
        most = at.guaranteed(resource);
        last = Optional.of(new QuotaExcess(at.name(), at.resource(resource), true, asked, most));
      }
    }
    long allowed = most;
    return last.map(excess -> excess.of(asked, allowed));
  }

  /**
   * Returns true if no limit is exceeded even without crediting unlendable quota and reservations
   * of the queue itself. A cheap test that mostly succeeds.
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

  /** Returns true if no quota is exceeded by an additional job under a hypothetical usage. */
  public boolean admits(Charge asked, boolean preemptible, HypotheticalUsage use) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      if (excess(resource, asked.of(resource), use).isPresent()) {
        return false;
      }
    }
    return preemptible || excessOfGuarantee(asked, use).isEmpty();
  }

  /**
   * Returns true if a job takes nothing of other queues' unlendable quota under a hypothetical
   * usage. The queue's own guarantee is never lent to it.
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

  /** Returns true if the queue would borrow a requested resource. */
  public boolean wouldBorrow(Charge asked, HypotheticalUsage use) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      long more = asked.of(resource);
      if (more > 0 && more > queue.guaranteed(resource) - use.of(queue).used(resource)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the resources whose limit the job would exceed. */
  public BitSet exceeded(Charge asked) {
    BitSet exceeded = new BitSet();
    for (int resource = 0; resource < queue.resources(); resource++) {
      long amount = asked.of(resource);
      exceeded.set(resource, excess(resource, amount, HypotheticalUsage.NOTHING).isPresent());
    }
    return exceeded;
  }

  /**
   * Returns the excess of one resource. The reservation for a job of the queue itself does not
   * count.
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

  private Optional<QuotaExcess> excessOfGuarantee(Charge asked, HypotheticalUsage use) {
    for (@Nullable QueueAccount at = queue; at != null; at = at.parent()) {
      for (int resource = 0; resource < queue.resources(); resource++) {
        long more = asked.of(resource);
        long left = use.leftOfGuaranteed(at, resource);
        if (more > 0 && more > left) {
          QuotaResource what = at.resource(resource);
          return Optional.of(new QuotaExcess(at.name(), what, true, more, Math.max(0, left)));
        }
      }
    }
    return Optional.empty();
  }
}
