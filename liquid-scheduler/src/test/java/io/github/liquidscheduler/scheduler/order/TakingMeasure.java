package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.queue.Reclaiming;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/*
 * Idea: a unit that runs counts for its queue's guarantee, for its entitlement, or for neither: the
 *   units of a queue fill both in one fixed order, by rank; one that does not fit is passed over
 *   and is borrowed. Only what is short counts. A state lacks less if in the first part that differs
 *   (guarantees, then entitlements, then all that runs, then what runs opportunistically) no queue
 *   lost a unit to a later one of its order or to nobody, and some queue gained one.
 * Invariants: for one shortage "lacks less" is a strict partial order, and a start on free capacity
 *   never lacks more, so that no sequence of takings and such starts returns to an earlier state.
 *   What is within an entitlement is never lost to what is only within another. A gang that borrows
 *   is taken however large it is; one within its guarantee is not. MutualTakingLaws.
 * Cost: O(n log n) in the running units.
 * Rejected: sums of what each queue lacks, in GPUs: a queue that loses one large borrowed gang then
 *   seems to lack more than the owner gained, and the owner never gets its guarantee; and a small
 *   urgent job could not stop a large one of its own queue. The number of inversions of rank: it
 *   rises where one urgent job stops two others that wait in their turn.
 */
/** What the queues of a state lack; compared, never summed. Immutable. */
final class TakingMeasure {

  private enum Part {
    GUARANTEE,
    ENTITLEMENT,
    RUNNING,
    OPPORTUNISTIC
  }

  private final Reclaiming form;
  private final ScarceResources shortage;
  private final Comparator<TakingUnit> order;
  private final Map<Integer, List<TakingUnit>> leaves = new TreeMap<>();

  /** Measures running units with respect to what is short. */
  TakingMeasure(TakingRules rules, ScarceResources shortage, Collection<TakingUnit> running) {
    form = rules.form();
    order = rules.ranks().filling();
    this.shortage = shortage;
    for (TakingUnit unit : running) {
      leaves.computeIfAbsent(unit.queue().index(), any -> new ArrayList<>()).add(unit);
    }
    leaves.values().forEach(units -> units.sort(order));
  }

  /** Returns true if the queues lack less than in another state of the same jobs. */
  boolean isLowerThan(TakingMeasure other) {
    for (Part part : Part.values()) {
      boolean isBetter = false;
      for (int leaf : leavesOf(other)) {
        int change = compare(other.units(leaf, part), units(leaf, part));
        if (change > 0) {
          return false;
        }
        isBetter |= change < 0;
      }
      if (isBetter) {
        return true;
      }
    }
    return false;
  }

  private Collection<Integer> leavesOf(TakingMeasure other) {
    Map<Integer, List<TakingUnit>> all = new TreeMap<>(leaves);
    all.putAll(other.leaves);
    return all.keySet();
  }

  /** Returns a negative number if the first difference is a gain. */
  private int compare(List<TakingUnit> before, List<TakingUnit> after) {
    for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
      if (!before.get(i).isSameAs(after.get(i))) {
        return order.compare(after.get(i), before.get(i));
      }
    }
    return Integer.compare(before.size(), after.size());
  }

  private List<TakingUnit> units(int leaf, Part part) {
    List<TakingUnit> running = leaves.getOrDefault(leaf, Collections.emptyList());
    return switch (part) {
      case GUARANTEE, ENTITLEMENT -> filling(running, part == Part.GUARANTEE);
      case RUNNING -> running.stream().filter(TakingUnit::isOrdinary).toList();
      case OPPORTUNISTIC ->
          running.stream().filter(unit -> unit.kind() == TakingUnit.Kind.OPPORTUNISTIC).toList();
    };
  }

  /** Returns true if an ordinary running unit counts neither for a guarantee nor an entitlement. */
  boolean isBorrowed(TakingUnit unit) {
    int leaf = unit.queue().index();
    return Stream.of(Part.GUARANTEE, Part.ENTITLEMENT)
        .flatMap(part -> units(leaf, part).stream())
        .noneMatch(unit::isSameAs);
  }

  /** Returns the units that fill a quota; further tasks of a job only after the rest of it. */
  private List<TakingUnit> filling(List<TakingUnit> running, boolean isGuarantee) {
    List<TakingUnit> filling = new ArrayList<>();
    Set<Long> beyond = new HashSet<>();
    Amounts filled = Amounts.none(running.isEmpty() ? 0 : running.getFirst().amounts().resources());
    for (TakingUnit unit : running) {
      if (!unit.isOrdinary() || beyond.contains(unit.sequence())) {
        continue;
      }
      if (fits(unit, filled, isGuarantee)) {
        filling.add(unit);
        filled = filled.plus(unit.amounts());
      } else {
        beyond.add(unit.sequence());
      }
    }
    return filling;
  }

  /**
   * A unit that exceeds the rest of a guarantee counts for it too while it stays within the
   * entitlement: the queue itself prefers it to smaller ones of lower rank.
   */
  private boolean fits(TakingUnit unit, Amounts filled, boolean isGuarantee) {
    for (int resource : shortage.resources()) {
      long more = unit.amounts().get(resource);
      long guaranteed = unit.queue().guaranteed(resource);
      long due = Math.max(guaranteed, Entitlement.of(form, unit.queue(), resource));
      long has = filled.get(resource);
      boolean isLeft = more <= due - has && (!isGuarantee || has < guaranteed);
      if (more > 0 && !isLeft) {
        return false;
      }
    }
    return true;
  }
}
