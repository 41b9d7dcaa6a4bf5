package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import java.util.Optional;

/** The constraint of a waiting job whose queue, or an ancestor of it, lacks quota. */
public final class QuotaLimit {

  private QuotaLimit() {}

  /** Returns the constraint for an exceeded quota. */
  public static UnmetConstraint of(QuotaExcess excess) {
    String scope =
        excess.isOfGuaranteed()
            ? "%s guaranteed to queue '%s', for jobs that may not be pre-empted"
            : "limit of %s of queue '%s'";
    int grain = excess.resource().kind() == QuotaResource.Kind.GPU ? 1000 : 1;
    return new UnmetConstraint(
        switch (excess.resource().kind()) {
          case GPU -> Constraint.QUEUE_GPUS;
          case CPU -> Constraint.QUEUE_CPU;
          case MEMORY -> Constraint.QUEUE_MEMORY;
        },
        scope.formatted(excess.resource(), excess.queue()),
        Math.ceilDiv(excess.asked(), grain),
        excess.available() / grain,
        Optional.empty());
  }
}
