package io.github.liquidscheduler.placement.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Spreads a group evenly over as few domains as possible, all below one domain of the level above
 * the one preferred.
 *
 * <p>For each such set of siblings a greedy choice says how many domains are needed, and with that
 * which least share each of them can get. The set with the largest such share is taken, of equal
 * ones the one that needs the fewest domains of the preferred level. Domains that hold less than
 * the share are left out; of the others exactly as many as are needed are chosen, those that
 * together exceed the need the least. Each gets the share, and the first of them the rest. (Kueue's
 * balanced placement.)
 *
 * <p>The choice is a dynamic programme over what is left to place: O(d · k · s) steps for d domains
 * of which k are needed and s sums that occur, at most the number of tasks and one domain.
 */
final class BalancedSearch {

  /**
   * What a greedy choice comes to.
   *
   * @param domains how many domains it takes
   * @param least how much the least of them holds, the leader considered
   */
  private record Greedy(int domains, int least) {}

  /** Siblings that hold the group when each gets a share. */
  private record Candidate(List<DomainCapacity> rooms, int share, int domains) {}

  private static final Comparator<DomainCapacity> WITH_LEADER =
      Comparator.<DomainCapacity, Boolean>comparing(room -> !room.takesLeader)
          .thenComparing(
              Comparator.<DomainCapacity>comparingInt(room -> room.slicesWithLeader).reversed())
          .thenComparingInt(room -> room.tasksWithLeader)
          .thenComparing(room -> room.path, DomainCapacity::comparePaths);

  private final CapacityTree tree;
  private final int level;
  private final int slices;
  private final boolean leader;

  BalancedSearch(CapacityTree tree, int level, int slices, boolean leader) {
    this.tree = tree;
    this.level = level;
    this.slices = slices;
    this.leader = leader;
  }

  /** Returns the domains and their slices, if an even spread is possible. */
  Optional<DomainSearch.Chosen> choose() {
    Optional<Candidate> best = Optional.empty();
    for (List<DomainCapacity> siblings : siblings()) {
      Optional<Candidate> candidate = candidate(siblings);
      if (candidate.isPresent() && (best.isEmpty() || isBetter(candidate.get(), best.get()))) {
        best = candidate;
      }
    }
    return best.flatMap(this::place);
  }

  private List<List<DomainCapacity>> siblings() {
    if (level == 0) {
      return List.of(tree.level(0));
    }
    return tree.level(level - 1).stream()
        .sorted(Comparator.comparing(room -> room.path, DomainCapacity::comparePaths))
        .map(room -> room.children)
        .toList();
  }

  private static boolean isBetter(Candidate candidate, Candidate best) {
    return candidate.share() > best.share()
        || (candidate.share() == best.share() && candidate.domains() < best.domains());
  }

  private Optional<Candidate> candidate(List<DomainCapacity> siblings) {
    Optional<Greedy> greedy = greedy(spreadOver(siblings));
    if (greedy.isEmpty()) {
      return Optional.empty();
    }
    int share = Math.min(slices / greedy.get().domains(), greedy.get().least());
    return share < 1 ? Optional.empty() : pruned(siblings, share);
  }

  /** Returns the domains among which slices are spread: those of the level below, if it has any. */
  private List<DomainCapacity> spreadOver(List<DomainCapacity> rooms) {
    return level < tree.sliceLevel()
        ? rooms.stream().flatMap(room -> room.children.stream()).toList()
        : rooms;
  }

  /** Takes the largest domains until all is placed; empty if they do not suffice. */
  private Optional<Greedy> greedy(List<DomainCapacity> rooms) {
    List<DomainCapacity> open = new ArrayList<>(rooms);
    int left = slices;
    int domains = 0;
    int least = Integer.MAX_VALUE;
    if (leader) {
      open.sort(WITH_LEADER);
      if (open.isEmpty() || !open.get(0).takesLeader) {
        return Optional.empty();
      }
      DomainCapacity host = open.remove(0);
      left -= host.slicesWithLeader;
      least = host.slicesWithLeader;
      domains++;
    }
    open.sort(DomainCapacity.LARGEST_FIRST);
    for (int next = 0; left > 0 && next < open.size() && open.get(next).slices > 0; next++) {
      left -= open.get(next).slices;
      least = Math.min(least, open.get(next).slices);
      domains++;
    }
    return left > 0 ? Optional.empty() : Optional.of(new Greedy(domains, least));
  }

  /** Leaves out what holds less than the share, and says whether the rest suffices. */
  private Optional<Candidate> pruned(List<DomainCapacity> siblings, int share) {
    List<DomainCapacity> rooms = siblings.stream().map(DomainCapacity::copy).toList();
    for (DomainCapacity room : rooms) {
      if (level < tree.sliceLevel()) {
        room.children.forEach(child -> prune(child, share));
        tree.recount(room);
      }
      prune(room, share);
    }
    return greedy(rooms).map(greedy -> new Candidate(rooms, share, greedy.domains()));
  }

  private void prune(DomainCapacity room, int share) {
    if (room.slices < share) {
      room.clear();
    } else if (leader && room.slicesWithLeader < share) {
      room.clearLeader();
    }
  }

  private Optional<DomainSearch.Chosen> place(Candidate candidate) {
    Optional<List<DomainCapacity>> rooms = Optional.of(candidate.rooms());
    if (level < tree.sliceLevel()) {
      rooms = fewest(candidate.rooms(), true).map(this::spreadOver);
    }
    return rooms
        .flatMap(some -> fewest(some, false))
        .filter(some -> some.size() * candidate.share() <= slices)
        .flatMap(some -> share(some, candidate.share()))
        .map(some -> new DomainSearch.Chosen(some, true));
  }

  /** Returns as many domains as are needed, those whose room exceeds the need the least. */
  private Optional<List<DomainCapacity>> fewest(List<DomainCapacity> rooms, boolean evenFirst) {
    Optional<Greedy> greedy = greedy(rooms);
    if (greedy.isEmpty()) {
      return Optional.empty();
    }
    List<DomainCapacity> ordered = new ArrayList<>(rooms);
    ordered.sort(
        evenFirst
            ? evenFirst()
            : Comparator.comparing(room -> room.path, DomainCapacity::comparePaths));
    return new ExactCover(greedy.get().domains(), slices * tree.sliceSize(), leader).of(ordered);
  }

  private static Comparator<DomainCapacity> evenFirst() {
    return Comparator.<DomainCapacity, Boolean>comparing(room -> !room.takesLeader)
        .thenComparing(
            Comparator.<DomainCapacity>comparingInt(room -> room.slicesWithLeader).reversed())
        .thenComparing(Comparator.comparingDouble(BalancedSearch::entropy).reversed())
        .thenComparing(room -> room.path, DomainCapacity::comparePaths);
  }

  /** Returns how evenly the room of a domain is spread over its parts, in bits. */
  private static double entropy(DomainCapacity room) {
    double total = room.children.stream().mapToInt(child -> child.tasks).sum();
    double entropy = 0;
    for (DomainCapacity child : room.children) {
      if (child.tasks > 0) {
        double part = child.tasks / total;
        entropy -= part * Math.log(part) / Math.log(2);
      }
    }
    return entropy;
  }

  /** Gives each domain the share, and what is left to the first of them that have room. */
  private Optional<List<DomainCapacity>> share(List<DomainCapacity> rooms, int share) {
    List<DomainCapacity> ordered = new ArrayList<>(rooms);
    ordered.sort(WITH_LEADER);
    int extra = slices - rooms.size() * share;
    boolean leaderLeft = leader;
    for (DomainCapacity room : ordered) {
      int holds = leaderLeft ? room.slicesWithLeader : room.slices;
      int more = Math.max(0, Math.min(holds - share, extra));
      room.leads = leaderLeft;
      room.given = share + more;
      extra -= more;
      leaderLeft = false;
    }
    return extra > 0 ? Optional.empty() : Optional.of(ordered);
  }

  /**
   * Finds a given number of domains that hold an amount and exceed it the least; of equal sets the
   * one found first.
   *
   * @param domains how many domains
   * @param tasks how many tasks they must hold
   * @param leader whether one of them must hold the leader too
   */
  private record ExactCover(int domains, int tasks, boolean leader) {

    Optional<List<DomainCapacity>> of(List<DomainCapacity> rooms) {
      // By how many domains are taken, and whether the leader is placed: sets by tasks left over.
      List<TreeMap<Integer, List<DomainCapacity>>> open = new ArrayList<>();
      List<TreeMap<Integer, List<DomainCapacity>>> done = new ArrayList<>();
      for (int taken = 0; taken <= domains; taken++) {
        open.add(new TreeMap<>());
        done.add(new TreeMap<>());
      }
      (leader ? open : done).get(0).put(tasks, List.of());
      for (DomainCapacity room : rooms) {
        for (int taken = domains; taken > 0; taken--) {
          add(room, open.get(taken - 1), room.slices > 0, room.tasks, open.get(taken));
          add(room, done.get(taken - 1), room.slices > 0, room.tasks, done.get(taken));
          add(room, open.get(taken - 1), room.takesLeader, room.tasksWithLeader, done.get(taken));
        }
      }
      return Optional.ofNullable(done.get(domains).floorEntry(0)).map(best -> best.getValue());
    }

    private static void add(
        DomainCapacity room,
        TreeMap<Integer, List<DomainCapacity>> before,
        boolean fits,
        int holds,
        TreeMap<Integer, List<DomainCapacity>> after) {
      if (fits) {
        before.forEach(
            (left, some) -> {
              List<DomainCapacity> more = new ArrayList<>(some);
              more.add(room);
              after.putIfAbsent(left - holds, more);
            });
      }
    }
  }
}
