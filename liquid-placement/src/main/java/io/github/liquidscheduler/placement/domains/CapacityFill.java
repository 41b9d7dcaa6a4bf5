package io.github.liquidscheduler.placement.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Gives an amount to domains one after another, each as much as it holds; as soon as the rest fits
 * in one, the one of those that holds the least.
 */
final class CapacityFill {

  private final Comparator<DomainCapacity> order;
  private final int unit;

  /**
   * Makes a rule.
   *
   * @param order which domains come first
   * @param unit how many tasks are given at once; 0 if slices are given
   */
  CapacityFill(Comparator<DomainCapacity> order, int unit) {
    this.order = order;
    this.unit = unit;
  }

  /** Returns how much a domain holds. */
  int holds(DomainCapacity room) {
    return unit == 0 ? room.slices : room.tasks / unit;
  }

  /** Returns how much a domain holds beside the leader. */
  int holdsWithLeader(DomainCapacity room) {
    return unit == 0 ? room.slicesWithLeader : room.tasksWithLeader / unit;
  }

  /**
   * Gives an amount, and the leader.
   *
   * @return the domains that got something; empty if it is too much
   */
  Optional<List<DomainCapacity>> give(List<DomainCapacity> rooms, int amount, boolean withLeader) {
    List<DomainCapacity> open = new ArrayList<>(rooms);
    open.sort(order);
    List<DomainCapacity> taken = new ArrayList<>();
    open.forEach(room -> room.leads = false);
    int left = amount;
    if (withLeader) {
      Optional<DomainCapacity> host = leaderRoom(open, amount);
      if (host.isEmpty()) {
        return Optional.empty();
      }
      host.get().leads = true;
      left -= take(host.get(), Math.min(left, holdsWithLeader(host.get())), open, taken);
    }
    while (left > 0 && !open.isEmpty()) {
      DomainCapacity next = next(open, left);
      left -= take(next, Math.min(left, holds(next)), open, taken);
    }
    return left == 0 ? Optional.of(taken) : Optional.empty();
  }

  private static int take(
      DomainCapacity room, int amount, List<DomainCapacity> open, List<DomainCapacity> taken) {
    room.given = amount;
    open.remove(room);
    if (amount > 0 || room.leads) {
      taken.add(room);
    }
    return amount;
  }

  private DomainCapacity next(List<DomainCapacity> open, int left) {
    DomainCapacity first = open.get(0);
    return holds(first) < left
        ? first
        : open.stream()
            .filter(room -> holds(room) >= left)
            .min(Comparator.comparingInt(this::holds))
            .orElse(first);
  }

  /** Returns where the leader costs the least; if all fits beside it, in the least such place. */
  private Optional<DomainCapacity> leaderRoom(List<DomainCapacity> open, int amount) {
    List<DomainCapacity> candidates = open.stream().filter(room -> room.takesLeader).toList();
    Optional<DomainCapacity> single =
        candidates.stream()
            .filter(room -> holdsWithLeader(room) >= amount)
            .min(Comparator.comparingInt(this::holdsWithLeader));
    return single.isPresent()
        ? single
        : candidates.stream()
            .min(Comparator.comparingInt(room -> holds(room) - holdsWithLeader(room)));
  }
}
