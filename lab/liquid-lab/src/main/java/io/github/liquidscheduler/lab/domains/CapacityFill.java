package io.github.liquidscheduler.lab.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Distributes an amount over domains in order, each as much as it holds; once the rest fits in one
 * domain, it goes to the smallest such domain.
 */
final class CapacityFill {

  private final Comparator<DomainCapacity> order;
  private final int unit;

  /**
   * Makes a rule.
   *
   * @param order the order of the domains
   * @param unit the number of tasks given at once; 0 if slices are given
   */
  CapacityFill(Comparator<DomainCapacity> order, int unit) {
    this.order = order;
    this.unit = unit;
  }

  /** Returns the amount that a domain holds. */
  int holds(DomainCapacity domain) {
    return unit == 0 ? domain.slices : domain.tasks / unit;
  }

  /** Returns the amount that a domain holds beside the leader. */
  int holdsWithLeader(DomainCapacity domain) {
    return unit == 0 ? domain.slicesWithLeader : domain.tasksWithLeader / unit;
  }

  /**
   * Gives an amount, and the leader.
   *
   * @return the domains that got something; empty if it is too much
   */
  Optional<List<DomainCapacity>> give(
      List<DomainCapacity> domains, int amount, boolean withLeader) {
    List<DomainCapacity> open = new ArrayList<>(domains);
    open.sort(order);
    List<DomainCapacity> taken = new ArrayList<>();
    open.forEach(domain -> domain.leads = false);
    int left = amount;
    if (withLeader) {
      Optional<DomainCapacity> host = leaderDomain(open, amount);
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
      DomainCapacity domain, int amount, List<DomainCapacity> open, List<DomainCapacity> taken) {
    domain.given = amount;
    open.remove(domain);
    if (amount > 0 || domain.leads) {
      taken.add(domain);
    }
    return amount;
  }

  private DomainCapacity next(List<DomainCapacity> open, int left) {
    DomainCapacity first = open.get(0);
    return holds(first) < left
        ? first
        : open.stream()
            .filter(domain -> holds(domain) >= left)
            .min(Comparator.comparingInt(this::holds))
            .orElse(first);
  }

  /**
   * Returns the smallest domain that holds all beside the leader, else the one where the leader
   * costs least.
   */
  private Optional<DomainCapacity> leaderDomain(List<DomainCapacity> open, int amount) {
    List<DomainCapacity> candidates = open.stream().filter(domain -> domain.takesLeader).toList();
    Optional<DomainCapacity> single =
        candidates.stream()
            .filter(domain -> holdsWithLeader(domain) >= amount)
            .min(Comparator.comparingInt(this::holdsWithLeader));
    return single.isPresent()
        ? single
        : candidates.stream()
            .min(Comparator.comparingInt(domain -> holds(domain) - holdsWithLeader(domain)));
  }
}
