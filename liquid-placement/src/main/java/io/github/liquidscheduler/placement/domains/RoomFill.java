package io.github.liquidscheduler.placement.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Gives an amount to domains one after another, each as much as it holds; as soon as the rest fits
 * in one, the one of those that holds the least.
 */
final class RoomFill {

  private final Comparator<Room> order;
  private final int unit;

  /**
   * Makes a rule.
   *
   * @param order which domains come first
   * @param unit how many tasks are given at once; 0 if slices are given
   */
  RoomFill(Comparator<Room> order, int unit) {
    this.order = order;
    this.unit = unit;
  }

  /** Returns how much a domain holds. */
  int holds(Room room) {
    return unit == 0 ? room.slices : room.tasks / unit;
  }

  /** Returns how much a domain holds beside the leader. */
  int holdsWithLeader(Room room) {
    return unit == 0 ? room.slicesWithLeader : room.tasksWithLeader / unit;
  }

  /**
   * Gives an amount, and the leader.
   *
   * @return the domains that got something; empty if it is too much
   */
  Optional<List<Room>> give(List<Room> rooms, int amount, boolean withLeader) {
    List<Room> open = new ArrayList<>(rooms);
    open.sort(order);
    List<Room> taken = new ArrayList<>();
    open.forEach(room -> room.leads = false);
    int left = amount;
    if (withLeader) {
      Optional<Room> host = leaderRoom(open, amount);
      if (host.isEmpty()) {
        return Optional.empty();
      }
      host.get().leads = true;
      left -= take(host.get(), Math.min(left, holdsWithLeader(host.get())), open, taken);
    }
    while (left > 0 && !open.isEmpty()) {
      Room next = next(open, left);
      left -= take(next, Math.min(left, holds(next)), open, taken);
    }
    return left == 0 ? Optional.of(taken) : Optional.empty();
  }

  private static int take(Room room, int amount, List<Room> open, List<Room> taken) {
    room.given = amount;
    open.remove(room);
    if (amount > 0 || room.leads) {
      taken.add(room);
    }
    return amount;
  }

  private Room next(List<Room> open, int left) {
    Room first = open.get(0);
    return holds(first) < left
        ? first
        : open.stream()
            .filter(room -> holds(room) >= left)
            .min(Comparator.comparingInt(this::holds))
            .orElse(first);
  }

  /** Returns where the leader costs the least; if all fits beside it, in the least such place. */
  private Optional<Room> leaderRoom(List<Room> open, int amount) {
    List<Room> candidates = open.stream().filter(room -> room.takesLeader).toList();
    Optional<Room> single =
        candidates.stream()
            .filter(room -> holdsWithLeader(room) >= amount)
            .min(Comparator.comparingInt(this::holdsWithLeader));
    return single.isPresent()
        ? single
        : candidates.stream()
            .min(Comparator.comparingInt(room -> holds(room) - holdsWithLeader(room)));
  }
}
