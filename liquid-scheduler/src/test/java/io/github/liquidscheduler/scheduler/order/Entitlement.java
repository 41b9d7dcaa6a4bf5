package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.queue.Reclaiming;
import org.jspecify.annotations.Nullable;

/**
 * The amount that a queue is entitled to hold, by the form of reclaim; what it holds beyond is
 * borrowed.
 */
public final class Entitlement {

  private Entitlement() {}

  /**
   * Returns the amount of a resource that a queue is entitled to.
   *
   * <ul>
   *   <li>{@link Reclaiming#COMPUTED_SHARES}: the computed share, up to which the queue may
   *       reclaim.
   *   <li>{@link Reclaiming#NEVER}: the larger of computed share and guarantee.
   *   <li>{@link Reclaiming#LENT_QUOTA}: the nominal quota.
   *   <li>{@link Reclaiming#DOMINANT_SHARES}: the larger of nominal quota and computed share:
   *       beyond the latter the queue borrows more for its weight than others.
   * </ul>
   */
  public static long of(Reclaiming form, TurnQueue queue, int resource) {
    return switch (form) {
      case COMPUTED_SHARES -> queue.share(resource);
      case LENT_QUOTA -> queue.guaranteed(resource);
      case NEVER, DOMINANT_SHARES -> Math.max(queue.share(resource), queue.guaranteed(resource));
    };
  }

  /**
   * Returns true if a start leaves a queue and all its ancestors within their entitlement to each
   * resource that it takes.
   */
  public static boolean covers(Reclaiming form, TurnQueue leaf, Amounts more) {
    for (@Nullable TurnQueue queue = leaf; queue != null; queue = queue.parent()) {
      for (int resource = 0; resource < more.resources(); resource++) {
        long taken = more.get(resource);
        if (taken > 0 && taken > of(form, queue, resource) - queue.held(resource)) {
          return false;
        }
      }
    }
    return true;
  }
}
