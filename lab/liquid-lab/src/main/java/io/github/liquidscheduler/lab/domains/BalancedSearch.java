package io.github.liquidscheduler.lab.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/*
 * Idea: a greedy choice over each set of siblings gives the number of domains needed, and so the
 * largest least share; domains below that share are cut; of the rest an exact dynamic programme
 * over the tasks left picks the domains that exceed the need least.
 * Invariants: every domain chosen holds at least the share; all are below one parent; trees of
 * candidates are copies, so that cutting one changes no other.
 * Cost: O(d log d) for each set of d siblings to choose it, O(d k s) map steps for the programme,
 * with k domains needed and s distinct sums, at most the tasks of the group and one domain.
 * Source: Kueue, topology-aware scheduling, balanced placement; see
 * lab/liquid-lab/docs/conformance.md.
 */
/**
 * Spreads a group evenly over as few domains as possible, all below one domain of the level above
 * the one preferred.
 *
 * <p>Of the sets of siblings the one with the largest least share is taken, of equal ones the one
 * that needs the fewest domains of the preferred level. Each domain chosen gets the share, and the
 * first of them the rest. (Kueue's balanced placement.)
 */
final class BalancedSearch {

  /**
   * The result of a greedy choice.
   *
   * @param domains the number of domains
   * @param least the slices that the smallest of them holds, beside the leader
   */
  private record Greedy(int domains, int least) {}

  /** Siblings that hold the group when each gets a share. */
  private record Candidate(List<DomainCapacity> siblings, int share, int domains) {}

  private static final Comparator<DomainCapacity> WITH_LEADER =
      Comparator.<DomainCapacity, Boolean>comparing(domain -> !domain.takesLeader)
          .thenComparing(
              Comparator.<DomainCapacity>comparingInt(domain -> domain.slicesWithLeader).reversed())
          .thenComparingInt(domain -> domain.tasksWithLeader)
          .thenComparing(domain -> domain.path, DomainCapacity::comparePaths);

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
        .sorted(Comparator.comparing(domain -> domain.path, DomainCapacity::comparePaths))
        .map(domain -> domain.children)
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

  /**
   * Returns the domains among which slices are spread: those of the level below, if slices are
   * narrower.
   */
  private List<DomainCapacity> spreadOver(List<DomainCapacity> domains) {
    return level < tree.sliceLevel()
        ? domains.stream().flatMap(domain -> domain.children.stream()).toList()
        : domains;
  }

  /** Takes the largest domains until all is placed; empty if they do not suffice. */
  private Optional<Greedy> greedy(List<DomainCapacity> domains) {
    List<DomainCapacity> open = new ArrayList<>(domains);
    int left = slices;
    int taken = 0;
    int least = Integer.MAX_VALUE;
    if (leader) {
      open.sort(WITH_LEADER);
      if (open.isEmpty() || !open.get(0).takesLeader) {
        return Optional.empty();
      }
      DomainCapacity host = open.remove(0);
      left -= host.slicesWithLeader;
      least = host.slicesWithLeader;
      taken++;
    }
    open.sort(DomainCapacity.LARGEST_FIRST);
    for (int next = 0; left > 0 && next < open.size() && open.get(next).slices > 0; next++) {
      left -= open.get(next).slices;
      least = Math.min(least, open.get(next).slices);
      taken++;
    }
    return left > 0 ? Optional.empty() : Optional.of(new Greedy(taken, least));
  }

  /** Returns the siblings without domains that hold less than the share, if they suffice. */
  private Optional<Candidate> pruned(List<DomainCapacity> siblings, int share) {
    List<DomainCapacity> domains = siblings.stream().map(DomainCapacity::copy).toList();
    for (DomainCapacity domain : domains) {
      if (level < tree.sliceLevel()) {
        domain.children.forEach(child -> prune(child, share));
        tree.recount(domain);
      }
      prune(domain, share);
    }
    return greedy(domains).map(greedy -> new Candidate(domains, share, greedy.domains()));
  }

  private void prune(DomainCapacity domain, int share) {
    if (domain.slices < share) {
      domain.clear();
    } else if (leader && domain.slicesWithLeader < share) {
      domain.clearLeader();
    }
  }

  private Optional<DomainSearch.Chosen> place(Candidate candidate) {
    Optional<List<DomainCapacity>> domains = Optional.of(candidate.siblings());
    if (level < tree.sliceLevel()) {
      domains = fewest(candidate.siblings(), true).map(this::spreadOver);
    }
    return domains
        .flatMap(some -> fewest(some, false))
        .filter(some -> some.size() * candidate.share() <= slices)
        .flatMap(some -> share(some, candidate.share()))
        .map(some -> new DomainSearch.Chosen(some, true));
  }

  /** Returns the fewest domains that suffice, those whose capacity exceeds the need the least. */
  private Optional<List<DomainCapacity>> fewest(List<DomainCapacity> domains, boolean evenFirst) {
    Optional<Greedy> greedy = greedy(domains);
    if (greedy.isEmpty()) {
      return Optional.empty();
    }
    List<DomainCapacity> ordered = new ArrayList<>(domains);
    ordered.sort(
        evenFirst
            ? evenFirst()
            : Comparator.comparing(domain -> domain.path, DomainCapacity::comparePaths));
    return new ExactCover(greedy.get().domains(), slices * tree.sliceSize(), leader).of(ordered);
  }

  private static Comparator<DomainCapacity> evenFirst() {
    return Comparator.<DomainCapacity, Boolean>comparing(domain -> !domain.takesLeader)
        .thenComparing(
            Comparator.<DomainCapacity>comparingInt(domain -> domain.slicesWithLeader).reversed())
        .thenComparing(Comparator.comparingDouble(BalancedSearch::entropy).reversed())
        .thenComparing(domain -> domain.path, DomainCapacity::comparePaths);
  }

  /** Returns the entropy of a domain's capacity over its parts, in bits. */
  private static double entropy(DomainCapacity domain) {
    double total = domain.children.stream().mapToInt(child -> child.tasks).sum();
    double entropy = 0;
    for (DomainCapacity child : domain.children) {
      if (child.tasks > 0) {
        double part = child.tasks / total;
        entropy -= part * Math.log(part) / Math.log(2);
      }
    }
    return entropy;
  }

  /** Gives each domain the share, and the rest to the first of them that hold more. */
  private Optional<List<DomainCapacity>> share(List<DomainCapacity> domains, int share) {
    List<DomainCapacity> ordered = new ArrayList<>(domains);
    ordered.sort(WITH_LEADER);
    int extra = slices - domains.size() * share;
    boolean leaderLeft = leader;
    for (DomainCapacity domain : ordered) {
      int holds = leaderLeft ? domain.slicesWithLeader : domain.slices;
      int more = Math.max(0, Math.min(holds - share, extra));
      domain.leads = leaderLeft;
      domain.given = share + more;
      extra -= more;
      leaderLeft = false;
    }
    return extra > 0 ? Optional.empty() : Optional.of(ordered);
  }

  /**
   * Finds a given number of domains that hold an amount and exceed it the least; of equal sets the
   * one found first.
   *
   * @param domains the number of domains
   * @param tasks the number of tasks they must hold
   * @param leader whether one of them must hold the leader too
   */
  private record ExactCover(int domains, int tasks, boolean leader) {

    Optional<List<DomainCapacity>> of(List<DomainCapacity> candidates) {
      // By the number of domains taken, without and with the leader placed: sets by tasks left
      // over.
      List<TreeMap<Integer, List<DomainCapacity>>> open = new ArrayList<>();
      List<TreeMap<Integer, List<DomainCapacity>>> done = new ArrayList<>();
      for (int taken = 0; taken <= domains; taken++) {
        open.add(new TreeMap<>());
        done.add(new TreeMap<>());
      }
      (leader ? open : done).get(0).put(tasks, List.of());
      for (DomainCapacity domain : candidates) {
        for (int taken = domains; taken > 0; taken--) {
          add(domain, open.get(taken - 1), domain.slices > 0, domain.tasks, open.get(taken));
          add(domain, done.get(taken - 1), domain.slices > 0, domain.tasks, done.get(taken));
          add(
              domain,
              open.get(taken - 1),
              domain.takesLeader,
              domain.tasksWithLeader,
              done.get(taken));
        }
      }
      return Optional.ofNullable(done.get(domains).floorEntry(0)).map(best -> best.getValue());
    }

    private static void add(
        DomainCapacity domain,
        TreeMap<Integer, List<DomainCapacity>> before,
        boolean fits,
        int holds,
        TreeMap<Integer, List<DomainCapacity>> after) {
      if (fits) {
        before.forEach(
            (left, some) -> {
              List<DomainCapacity> more = new ArrayList<>(some);
              more.add(domain);
              after.putIfAbsent(left - holds, more);
            });
      }
    }
  }
}
