package io.github.liquidscheduler.placement.search;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one domain with capacity on fast enough links: its sub-domains and the hosts in
 * none. Reuses its parts.
 */
final class DomainParts {

  private static final int PART_BITS = 20;
  private static final int MOST_CAPACITY = (1 << (32 - PART_BITS)) - 1;

  private final FeasibleNodes feasible;
  private final int[] capacityOfHost;
  private final int need;
  private Part[] parts = new Part[8];
  private long[] order = new long[8];
  private int size;
  private int mostCapacity;

  /**
   * Makes the parts of no domain.
   *
   * @param capacityOfHost the capacity of each host
   * @param need the capacity that the whole gang needs
   */
  DomainParts(FeasibleNodes feasible, int[] capacityOfHost, int need) {
    this.feasible = feasible;
    this.capacityOfHost = capacityOfHost;
    this.need = need;
  }

  /** A sub-domain, or a host. */
  static final class Part {

    /** Its first host. */
    int first;

    /** The host after its last. */
    int end;

    /** Whether it is a host in no sub-domain. */
    boolean isHost;

    /** Whether it was taken since the parts were listed. */
    boolean isTaken;

    /** The capacity of its fast enough hosts. */
    int capacity;

    private double contention;
    private double uplink;
  }

  /** Lists the parts of the hosts from one to before another, none of which is taken. */
  void list(int from, int end, int level, double slowest) {
    size = 0;
    mostCapacity = 0;
    for (int host = from; host < end; ) {
      host = add(host, end, level, slowest);
    }
    for (int i = 0; i < size; i++) {
      order[i] = key(parts[i], i);
    }
    Arrays.sort(order, 0, size);
  }

  /** Adds the part that begins with a host, and returns the host after it. */
  private int add(int host, int end, int level, double slowest) {
    int domain = feasible.domain(host, level);
    Part part = next();
    part.first = host;
    part.isHost = domain < 0;
    part.isTaken = false;
    part.capacity = 0;
    part.contention = 0;
    part.uplink = 0;
    int next = host;
    do {
      if (feasible.transferSeconds(next) <= slowest) {
        part.capacity += capacityOfHost[next];
        part.contention += feasible.contention(next);
      }
      next++;
    } while (next < end && domain >= 0 && feasible.domain(next, level) == domain);
    part.end = next;
    if (domain >= 0 && part.capacity > 0) {
      part.uplink = feasible.uplinkContention(domain);
      part.capacity = feasible.uplinkTransferSeconds(domain) <= slowest ? part.capacity : 0;
    }
    size += part.capacity > 0 ? 1 : 0;
    mostCapacity = Math.max(mostCapacity, part.capacity);
    return next;
  }

  private Part next() {
    if (size == parts.length) {
      parts = Arrays.copyOf(parts, 2 * size);
      order = Arrays.copyOf(order, 2 * size);
    }
    @Nullable Part next = parts[size];
    if (next == null) {
      next = new Part();
      parts[size] = next;
    }
    return next;
  }

  /**
   * Returns a key that sorts by contention per GPU, then by capacity, largest first, then by
   * position.
   */
  private long key(Part part, int position) {
    double costOfGpu = (part.contention + part.uplink) / Math.min(need, part.capacity);
    long lack = (long) MOST_CAPACITY - Math.min(part.capacity, MOST_CAPACITY);
    return FeasibleNodes.key(costOfGpu, (lack << PART_BITS) | position);
  }

  /** Returns the number of parts. */
  int size() {
    return size;
  }

  /** Returns a part by its position in the order of contention per GPU. */
  Part inOrder(int position) {
    return parts[(int) order[position] & ((1 << PART_BITS) - 1)];
  }

  /** Returns the part that holds all with the least contention; null if none does. */
  @Nullable Part cheapestFor(int left) {
    @Nullable Part best = null;
    double lowest = 0;
    for (int i = 0; i < size && left <= mostCapacity; i++) {
      Part part = parts[i];
      if (!part.isTaken && part.capacity >= left) {
        double cost =
            part.uplink + (part.isHost ? 1 : (double) left / part.capacity) * part.contention;
        boolean isTighter = best != null && cost == lowest && part.capacity < best.capacity;
        if (best == null || cost < lowest || isTighter) {
          best = part;
          lowest = cost;
        }
      }
    }
    return best;
  }
}
