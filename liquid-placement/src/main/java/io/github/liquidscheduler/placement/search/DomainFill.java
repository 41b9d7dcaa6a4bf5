package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses hosts for a whole gang in a domain: fast enough ones, on which it slows others down
 * least. Works down the tree: of the parts of a domain those are taken first in which a GPU costs
 * others least; as soon as one part holds all that is left, the one is taken where that costs
 * least. So a gang crosses few uplinks, and its last node is one with little room to spare.
 */
final class DomainFill {

  private static final int PART_BITS = 20;
  private static final int MOST_ROOM = (1 << (32 - PART_BITS)) - 1;

  private final Assignment assignment;
  private final FeasibleNodes feasible;
  private final GangShape gang;
  private final int need;
  private final int[] capacity;
  private final int[] chosen;
  private final Parts[] parts;
  private int chosenSize;
  private int looked;
  private int first;
  private int end;
  private double slowest;

  DomainFill(GangShape gang, Assignment assignment) {
    this.gang = gang;
    this.assignment = assignment;
    feasible = assignment.feasible();
    capacity = new int[feasible.size()];
    chosen = new int[feasible.size()];
    parts = new Parts[depth() + 1];
    Arrays.setAll(parts, level -> new Parts());
    int total = 0;
    for (int role = 0; role < assignment.roles(); role++) {
      total += assignment.shape(role).role().count() * unit(role);
    }
    need = total;
    for (int host = 0; host < capacity.length; host++) {
      for (int role = 0; role < assignment.roles(); role++) {
        int room = Math.min(assignment.room(host, role), assignment.shape(role).role().count());
        capacity[host] = Math.max(capacity[host], room * unit(role));
      }
    }
  }

  private int depth() {
    int depth = 0;
    for (int host = 0; host < feasible.size(); host++) {
      while (feasible.domain(host, depth) >= 0) {
        depth++;
      }
    }
    return depth;
  }

  /** Returns what a task counts for: its GPUs; if no task of the gang has any, each counts one. */
  private int unit(int role) {
    return gang.wholeGpus() > 0 ? assignment.shape(role).gpus() : 1;
  }

  /** Returns what the gang needs, to compare with {@link #capacity}. */
  int need() {
    return need;
  }

  /** Returns how much of what the gang needs the host has. */
  int capacity(int host) {
    return capacity[host];
  }

  /** Returns how many hosts were looked at, all calls together. */
  int looked() {
    return looked;
  }

  /**
   * Chooses hosts for the gang.
   *
   * @param first the first host that may be used
   * @param end the host after the last that may be used
   * @param slowest the slowest transfer seconds of a link that may be used
   * @return whether they are others than those chosen last
   */
  boolean choose(int first, int end, double slowest) {
    int level = 0;
    while (feasible.domain(first, level) >= 0
        && feasible.domain(first, level) == feasible.domain(end - 1, level)) {
      level++;
    }
    return choose(first, end, slowest, level);
  }

  /** Chooses hosts for the gang as if there were no uplinks; otherwise as {@link #choose}. */
  boolean chooseScattered(int first, int end, double slowest) {
    return choose(first, end, slowest, parts.length - 1);
  }

  private boolean choose(int first, int end, double slowest, int level) {
    this.first = first;
    this.end = end;
    this.slowest = slowest;
    int before = Arrays.hashCode(Arrays.copyOf(chosen, chosenSize));
    chosenSize = 0;
    choose(first, end, level, need);
    return before != Arrays.hashCode(Arrays.copyOf(chosen, chosenSize));
  }

  private int choose(int first, int end, int level, int needed) {
    Parts here = parts[level];
    here.list(first, end, level);
    int left = needed;
    int next = 0;
    while (left > 0 && next < here.size) {
      int part = left <= here.mostCapacity ? here.cheapestFor(left) : -1;
      part = part < 0 ? here.inOrder(next++) : part;
      if (!here.taken[part]) {
        here.taken[part] = true;
        left -= take(here, part, level, left);
      }
    }
    return needed - left;
  }

  private int take(Parts here, int part, int level, int left) {
    int first = here.first[part];
    if (!here.isHost[part]) {
      return choose(first, here.end[part], level + 1, Math.min(left, here.capacity[part]));
    }
    chosen[chosenSize++] = first;
    return capacity[first];
  }

  /**
   * Assigns role by role, hardest first, to the hosts chosen; to any host of the domain if those do
   * not do. Returns whether the gang has room; none of it was assigned before.
   */
  boolean assignByRole() {
    for (TaskShape task : gang.tasks()) {
      int role = gang.roleOf(task);
      int left = task.role().count();
      for (int i = 0; i < chosenSize && left > 0; i++) {
        left -= assign(chosen[i], role, left);
      }
      for (int host = first; host < end && left > 0; host++) {
        left -= assign(host, role, left);
      }
      if (left > 0) {
        return false;
      }
    }
    return true;
  }

  private int assign(int host, int role, int most) {
    int count = Math.min(most, assignment.room(host, role));
    if (count > 0) {
      assignment.add(host, role, count);
    }
    return count;
  }

  /**
   * Assigns as many tasks of each role as it holds to the first host chosen, and the others to a
   * host each, those first that cost others least. Returns as {@link #assignByRole}.
   */
  boolean assignBesideFirst() {
    return chosenSize > 0 && assignOneEach(chosen[0]);
  }

  /**
   * Assigns each task to a host of its own as far as there are enough; as {@link #assignByRole}.
   */
  boolean assignOneEach() {
    return assignOneEach(-1);
  }

  private boolean assignOneEach(int filled) {
    int[] hosts = leastContentionFirst();
    int next = 0;
    for (TaskShape task : gang.tasks()) {
      int role = gang.roleOf(task);
      int left = task.role().count();
      left -= filled < 0 ? 0 : assign(filled, role, left);
      for (int full = 0; left > 0 && full < hosts.length; next = (next + 1) % hosts.length) {
        int here = hosts[next] == filled ? 0 : assign(hosts[next], role, 1);
        left -= here;
        full = here > 0 ? 0 : full + 1;
      }
      if (left > 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the hosts that are fast enough. */
  private int[] leastContentionFirst() {
    long[] keys = new long[end - first];
    int size = 0;
    for (int host = first; host < end; host++) {
      if (capacity[host] > 0 && feasible.transferSeconds(host) <= slowest) {
        keys[size++] = FeasibleNodes.key(feasible.contention(host), host);
      }
    }
    looked += end - first;
    return FeasibleNodes.sorted(keys, size);
  }

  /** Assigns servers and workers in turn, so that they meet; as {@link #assignByRole}. */
  boolean assignInTurn() {
    List<TaskShape> sequence = gang.interleaved();
    int next = 0;
    for (int i = 0; i < chosenSize && next < sequence.size(); i++) {
      while (next < sequence.size() && assign(chosen[i], gang.roleOf(sequence.get(next)), 1) == 1) {
        next++;
      }
    }
    return next == sequence.size();
  }

  /** The parts of one domain: its sub-domains and the hosts that are in none. */
  private final class Parts {
    private int[] first = new int[16];
    private int[] end = new int[16];
    private int[] capacity = new int[16];
    private double[] contention = new double[16];
    private double[] uplink = new double[16];
    private boolean[] isHost = new boolean[16];
    private boolean[] taken = new boolean[16];
    private long[] order = new long[16];
    private int size;
    private int mostCapacity;

    void list(int from, int until, int level) {
      size = 0;
      mostCapacity = 0;
      for (int host = from; host < until; ) {
        host = add(host, until, level);
      }
      for (int part = 0; part < size; part++) {
        order[part] = key(part);
      }
      Arrays.sort(order, 0, size);
    }

    /** Adds the part that begins with a host, and returns the host after it. */
    private int add(int host, int until, int level) {
      if (size == first.length) {
        grow();
      }
      int domain = feasible.domain(host, level);
      first[size] = host;
      capacity[size] = 0;
      contention[size] = 0;
      uplink[size] = 0;
      isHost[size] = domain < 0;
      taken[size] = false;
      int next = host;
      do {
        if (feasible.transferSeconds(next) <= slowest) {
          capacity[size] += DomainFill.this.capacity[next];
          contention[size] += feasible.contention(next);
        }
        next++;
      } while (next < until && domain >= 0 && feasible.domain(next, level) == domain);
      looked += next - host;
      end[size] = next;
      if (domain >= 0 && capacity[size] > 0) {
        uplink[size] = feasible.uplinkContention(domain);
        capacity[size] = feasible.uplinkTransferSeconds(domain) <= slowest ? capacity[size] : 0;
      }
      if (capacity[size] > 0) {
        mostCapacity = Math.max(mostCapacity, capacity[size++]);
      }
      return next;
    }

    /** Returns a key that sorts by what a GPU costs others, then by room, then by position. */
    private long key(int part) {
      double costOfGpu = (contention[part] + uplink[part]) / Math.min(need, capacity[part]);
      long lack = (long) MOST_ROOM - Math.min(capacity[part], MOST_ROOM);
      return FeasibleNodes.key(costOfGpu, (lack << PART_BITS) | part);
    }

    int inOrder(int position) {
      return (int) order[position] & ((1 << PART_BITS) - 1);
    }

    /** Returns the part that holds all at the least cost to others; -1 if none does. */
    int cheapestFor(int left) {
      int best = -1;
      double lowest = 0;
      for (int part = 0; part < size; part++) {
        if (!taken[part] && capacity[part] >= left) {
          double cost =
              uplink[part] + (isHost[part] ? 1 : (double) left / capacity[part]) * contention[part];
          if (best < 0 || cost < lowest || (cost == lowest && capacity[part] < capacity[best])) {
            best = part;
            lowest = cost;
          }
        }
      }
      return best;
    }

    private void grow() {
      int length = 2 * first.length;
      first = Arrays.copyOf(first, length);
      end = Arrays.copyOf(end, length);
      capacity = Arrays.copyOf(capacity, length);
      contention = Arrays.copyOf(contention, length);
      uplink = Arrays.copyOf(uplink, length);
      isHost = Arrays.copyOf(isHost, length);
      taken = Arrays.copyOf(taken, length);
      order = Arrays.copyOf(order, length);
    }
  }
}
