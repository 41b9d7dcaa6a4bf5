package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Judges lists of losses by the rules of reclaim, each from where it differs from the one before:
 * hundreds of jobs are tried one by one whether they may stay, and most lists begin alike.
 *
 * @param <L> the losses
 */
final class JudgedLosses<L> {

  private final Reclaim rules;
  private final Function<L, QueueAccount> queue;
  private final Function<L, Charge> charge;
  // Each is allowed after those before it.
  private final List<L> noted = new ArrayList<>();

  /**
   * Makes a judge.
   *
   * @param rules the rules, without losses; used by nobody else
   * @param queue the queue that has a loss
   * @param charge what it loses
   */
  JudgedLosses(Reclaim rules, Function<L, QueueAccount> queue, Function<L, Charge> charge) {
    this.rules = rules;
    this.queue = queue;
    this.charge = charge;
  }

  /** Returns the rules after the losses of the last list, if that was allowed. */
  Reclaim rules() {
    return rules;
  }

  /** Returns true if each loss is allowed after those before it. */
  boolean areAllowed(List<? extends L> losses) {
    int same = 0;
    int most = Math.min(noted.size(), losses.size());
    while (same < most && noted.get(same).equals(losses.get(same))) {
      same++;
    }
    List<L> others = noted.subList(same, noted.size());
    others.forEach(loss -> rules.lose(queue.apply(loss), charge.apply(loss), -1));
    others.clear();
    for (L loss : losses.subList(same, losses.size())) {
      if (!rules.mayLose(queue.apply(loss), charge.apply(loss))) {
        return false;
      }
      rules.lose(queue.apply(loss), charge.apply(loss), 1);
      noted.add(loss);
    }
    return true;
  }
}
