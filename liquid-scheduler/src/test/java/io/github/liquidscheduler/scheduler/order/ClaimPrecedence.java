package io.github.liquidscheduler.scheduler.order;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * Which claims stand where not all can: in order of precedence each that fits beside those before
 * it. So the answer depends on the claims alone, not on the order in which they were offered, and
 * no claim depends on later ones.
 *
 * @param standing the claims that stand, in order of precedence
 * @param displaced the claims that do not, in order of precedence, each with the first one that is
 *     in its way. They are repaired, not dropped: they keep kind, turn and amounts, and their
 *     devices and interval are searched again in this order
 */
public record ClaimPrecedence(
    List<CapacityClaim> standing, Map<CapacityClaim, CapacityClaim> displaced) {

  /** Copies the claims. */
  public ClaimPrecedence {
    standing = List.copyOf(standing);
    displaced = Collections.unmodifiableMap(new LinkedHashMap<>(displaced));
  }

  /**
   * Decides between claims.
   *
   * @param claims the claims, in any order; none alone exceeds the capacity of a cell
   * @param capacity the capacity of a cell
   * @throws IllegalArgumentException if a claim alone exceeds the capacity of a cell
   */
  public static ClaimPrecedence of(Collection<CapacityClaim> claims, IntToLongFunction capacity) {
    List<CapacityClaim> standing = new ArrayList<>();
    Map<CapacityClaim, CapacityClaim> displaced = new LinkedHashMap<>();
    for (CapacityClaim claim : claims.stream().sorted(CapacityClaim.PRECEDENCE).toList()) {
      blocker(claim, standing, capacity)
          .ifPresentOrElse(winner -> displaced.put(claim, winner), () -> standing.add(claim));
    }
    return new ClaimPrecedence(standing, displaced);
  }

  /** Decides again with a further claim, which may displace others and let displaced ones stand. */
  public ClaimPrecedence with(CapacityClaim further, IntToLongFunction capacity) {
    return of(
        Stream.concat(
                Stream.concat(standing.stream(), displaced.keySet().stream()), Stream.of(further))
            .toList(),
        capacity);
  }

  /**
   * Returns the first claim that is in the way; empty if the claim fits beside all. Most is claimed
   * where one of those begins that overlap.
   */
  private static Optional<CapacityClaim> blocker(
      CapacityClaim claim, List<CapacityClaim> standing, IntToLongFunction capacity) {
    List<CapacityClaim> overlapping = standing.stream().filter(claim::overlaps).toList();
    for (int cell : claim.amounts().keySet()) {
      requireFits(claim, cell, capacity);
      for (CapacityClaim begins : overlapping) {
        List<CapacityClaim> then =
            overlapping.stream()
                .filter(other -> other.of(cell) > 0 && other.includes(begins.from()))
                .toList();
        long claimed = then.stream().mapToLong(other -> other.of(cell)).sum();
        if (claim.of(cell) > capacity.applyAsLong(cell) - claimed) {
          return then.stream().findFirst();
        }
      }
    }
    return Optional.empty();
  }

  private static void requireFits(CapacityClaim claim, int cell, IntToLongFunction capacity) {
    if (claim.of(cell) > capacity.applyAsLong(cell)) {
      throw new IllegalArgumentException(
          "a claim must not exceed the capacity of a cell, but '%s' claims %d of %d of cell %d"
              .formatted(claim.name(), claim.of(cell), capacity.applyAsLong(cell), cell));
    }
  }
}
