package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.eviction.Growth;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: between two events every waiting class is parked, since its last attempt failed. An event
 * makes classes ready (WaitingClasses), or releases capacity. The latter is kept as a pending fact
 * and makes classes ready lazily, in turn order: of the many that it may help, most fail again
 * behind the first that starts.
 * Invariants: a class that is neither ready nor helped by pending growth would fail if tried
 * (RetryLaws, FullClusterLaws and ShortEventLaws try all of them); no growth that is still to be
 * asked about helps a rank below grownFrom; growths are numbered without gaps across events. An
 * event that stops early leaves ready classes and pending growth, and nothing else.
 * Cost: O(1) for a released placement, expanded to O(nodes of the job) at the first question; an
 * image O(growths). EventBench.
 */
/**
 * The facts about waiting classes that are still to be taken in: {@link #hasGrownFor growth} of
 * capacity, newly accepted co-runners, and classes that may be tried at a later turn. Without
 * bypass only the first job in turn is parked. Where {@linkplain JobTable#ranksAloneDecide rank
 * alone decides}, capacity of a pre-emptible job was available to lower ranks before, so that its
 * end is no growth for them.
 */
public final class Agenda {

  private static final long MOST_DELAY = 1L << 40;

  private final BitSet grownNodes = new BitSet();
  private final List<Growth> growths = new ArrayList<>();
  private final Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
  // Not expanded into nodes yet, since after most ends no job waits that could ask.
  private final List<Freed> freed = new ArrayList<>();
  private final List<Growth> loosened = new ArrayList<>();
  private final Set<PlacementClass> later = new LinkedHashSet<>();
  private Instant laterAt = Instant.MIN;
  private long laterDelay = 1;
  private long settled;
  private long facts;
  // Never goes back, as facts do.
  private long rollBacks;
  private boolean grown;
  private boolean relearned;
  private boolean arrived;
  private boolean due;
  private @Nullable Cut cut;
  private long grownFrom;
  private long askedOf = -1;
  private @Nullable JobEntry parkedHead;

  /** What is still to be done for running jobs once every waiting job of an event was tried. */
  public enum Rest {
    /** Growth, moves and trades. */
    ALL,
    /** Trades of GPU models. */
    TRADES,
    /** Nothing. */
    NOTHING
  }

  /**
   * The report of progress for which running jobs are adjusted.
   *
   * @param job the job that reported
   * @param iterationsPerSecond its speed, not negative
   */
  public record Report(JobId job, double iterationsPerSecond) {}

  /**
   * An event that has stopped early.
   *
   * @param at its instant
   * @param rest what is to be done for running jobs afterwards
   * @param report the report of progress that it was, if it was one
   */
  public record Cut(Instant at, Rest rest, Optional<Report> report) {}

  /** A released placement, available to this rank and higher ones. */
  private record Freed(long rank, Placement placement, ClusterTopology topology) {}

  /** Notes that a waiting job has arrived or may be tried again. */
  void arrive(JobEntry job) {
    arrived = true;
    if (job.equals(parkedHead)) {
      parkedHead = null;
    }
  }

  /** Notes that waiting jobs have arrived. */
  public void noteArrivals() {
    arrived = true;
  }

  /** Returns true if waiting jobs have arrived, or may be tried again, since all were tried. */
  public boolean hasArrivals() {
    return arrived;
  }

  /** Returns true if this event released capacity. */
  public boolean hasGrown() {
    return grown;
  }

  /** Returns the lowest rank for which this event released capacity. */
  public long grownFrom() {
    return grownFrom;
  }

  /**
   * Returns the sequence number up to which jobs of that rank were asked about all growth; -1 if
   * none were.
   */
  public long askedOf() {
    return askedOf;
  }

  /** Returns true if this event released capacity for the job. */
  public boolean hasGrownFor(JobEntry job) {
    return grown && job.rank() >= grownFrom;
  }

  /** Returns the positions of nodes with grown capacity. */
  public BitSet grownNodes() {
    measure();
    return grownNodes;
  }

  /** Returns the lowest rank for which each node has grown, by position. */
  public SortedMap<Integer, Long> grownFromByNode() {
    SortedMap<Integer, Long> ranks = new TreeMap<>();
    for (Growth growth : growths()) {
      BitSet nodes = new BitSet();
      growth.capacity().addTo(nodes);
      nodes.stream().forEach(node -> ranks.merge(node, growth.rank(), Math::min));
    }
    return ranks;
  }

  /** Returns the growths in order. */
  public List<Growth> growths() {
    measure();
    return Collections.unmodifiableList(growths);
  }

  /** Returns the number of the first growth of this event. */
  public long firstGrowth() {
    return settled;
  }

  /** Returns the number of the next growth. */
  public long nextGrowth() {
    return settled + growths.size() + freed.size();
  }

  /** Returns the number of facts so far about which classes are asked in turn. */
  public long facts() {
    return facts;
  }

  /** Returns how often the facts have gone back to an image, so that their numbers come again. */
  public long rollBacks() {
    return rollBacks;
  }

  /**
   * Returns true if co-location knowledge has changed, so that jobs that share GPUs may fit
   * anywhere.
   */
  public boolean hasRelearned() {
    return relearned;
  }

  /** Notes that less is reserved on nodes, which may help jobs of all ranks there. */
  public void loosen(NodeSet nodes) {
    loosened.add(new Growth(Long.MIN_VALUE, nodes));
  }

  /** Returns the nodes on which less is reserved than before, as growths. */
  public List<Growth> loosened() {
    return Collections.unmodifiableList(loosened);
  }

  /** Notes growth on nodes for this rank and higher ones. */
  void growFrom(long rank, NodeSet nodes) {
    measure();
    add(rank, nodes);
    grow(rank);
  }

  /** Notes a released placement, available to this rank and higher ones. */
  void growFrom(long rank, Placement placement, ClusterTopology topology) {
    freed.add(new Freed(rank, placement, topology));
    grow(rank);
  }

  /** Notes that capacity on a node has grown for this rank and higher ones. */
  public void growFrom(long rank, NodeId node, ClusterTopology topology) {
    growFrom(rank, NodeSet.all(topology, topology.position(node)));
  }

  /** Notes that no job has been tried on a cluster yet. */
  public void growEverywhere(ClusterTopology topology) {
    topology.nodes().forEach(node -> growFrom(Long.MIN_VALUE, node.id(), topology));
    relearn();
  }

  private void measure() {
    for (Freed each : freed) {
      add(each.rank(), new NodeSet(each.placement(), each.topology()));
    }
    freed.clear();
  }

  private void add(long rank, NodeSet nodes) {
    nodes.addTo(grownNodes);
    growths.add(new Growth(rank, nodes));
  }

  /** Notes that jobs that share GPUs may be accepted by other co-runners than before. */
  public void relearn() {
    relearned = true;
    grow(Long.MIN_VALUE);
  }

  /** Notes that a job has left which those behind it must not bypass. */
  public void letOthersPass() {
    grow(Long.MIN_VALUE);
  }

  /** Notes co-runners newly accepted for waiting jobs of a kind. */
  public void admitBeside(CoRunnerKind waiting, Set<CoRunnerKind> residents) {
    admitted.computeIfAbsent(waiting, any -> new LinkedHashSet<>()).addAll(residents);
    grow(Long.MIN_VALUE);
  }

  /** Returns the co-runners newly accepted for the job. */
  public Set<CoRunnerKind> newCoRunners(JobEntry job) {
    @Nullable CoRunnerKind kind = admitted.isEmpty() ? null : job.placementClass().sharesAs();
    return kind == null
        ? Collections.emptySet()
        : admitted.getOrDefault(kind, Collections.emptySet());
  }

  /** Returns the co-runners newly accepted for any job. */
  public Set<CoRunnerKind> newCoRunners() {
    Set<CoRunnerKind> all = new LinkedHashSet<>();
    admitted.values().forEach(all::addAll);
    return all;
  }

  /** Returns the newly accepted co-runners by kind of waiting job. */
  public Map<CoRunnerKind, Set<CoRunnerKind>> admitted() {
    return Collections.unmodifiableMap(admitted);
  }

  /** Returns a copy, to which {@link #rollBackTo} returns. */
  Agenda image() {
    Agenda image = new Agenda();
    image.become(this);
    return image;
  }

  /** Returns to an image, whose jobs are back. */
  void rollBackTo(Agenda image) {
    become(image);
    rollBacks++;
  }

  private void become(Agenda other) {
    grownNodes.clear();
    grownNodes.or(other.grownNodes);
    replace(growths, other.growths);
    replace(freed, other.freed);
    replace(loosened, other.loosened);
    replace(later, other.later);
    laterAt = other.laterAt;
    laterDelay = other.laterDelay;
    admitted.clear();
    other.admitted.forEach((kind, beside) -> admitted.put(kind, new LinkedHashSet<>(beside)));
    settled = other.settled;
    facts = other.facts;
    grown = other.grown;
    relearned = other.relearned;
    arrived = other.arrived;
    due = other.due;
    cut = other.cut;
    grownFrom = other.grownFrom;
    askedOf = other.askedOf;
    parkedHead = other.parkedHead;
  }

  private static <T> void replace(Collection<T> all, Collection<T> by) {
    all.clear();
    all.addAll(by);
  }

  private void grow(long rank) {
    facts++;
    askedOf = grown && rank > grownFrom ? askedOf : -1;
    grownFrom = grown ? Math.min(grownFrom, rank) : rank;
    grown = true;
  }

  /** Returns the first job in turn, without bypass, that failed and blocks later ones, or null. */
  public @Nullable JobEntry parkedHead() {
    return parkedHead;
  }

  /** Sets the first job in turn that failed; null if there is none. */
  public void parkHead(@Nullable JobEntry first) {
    parkedHead = first;
  }

  /** Notes a class that jobs spared at this instant may help at a later one. */
  public void tryLater(PlacementClass placementClass, Instant now) {
    if (later.isEmpty()) {
      laterAt = now.plusNanos(laterDelay);
    }
    later.add(placementClass);
  }

  /**
   * Returns to the instant at which classes are to be tried later, or were last.
   *
   * @param delay the nanoseconds after which they would be tried from then on, at least 1
   */
  public void restoreLater(Instant at, long delay) {
    laterAt = at;
    laterDelay = delay;
  }

  /** Returns the instant at which classes are to be tried later, or were last. */
  public Instant laterAt() {
    return laterAt;
  }

  /** Returns the nanoseconds after which classes are tried later. */
  public long laterDelay() {
    return laterDelay;
  }

  /** Returns the classes to be tried at a later instant. */
  public Set<PlacementClass> later() {
    return Collections.unmodifiableSet(later);
  }

  /** Returns the instant at which classes are to be tried again, if any are. */
  public Optional<Instant> nextTry() {
    return later.isEmpty() ? Optional.empty() : Optional.of(laterAt);
  }

  /**
   * Returns the classes to be tried from a later instant on, and forgets them. Where one such
   * instant leads to the next, each comes after twice the time, so that jobs that stop each other
   * in a circle use up no time of the scheduler.
   */
  List<PlacementClass> takeLater(Instant now) {
    if (now.isBefore(laterAt)) {
      return List.of();
    }
    boolean isWokenForThem = !later.isEmpty() && now.equals(laterAt);
    laterDelay = isWokenForThem ? Math.min(MOST_DELAY, 2 * laterDelay) : 1;
    List<PlacementClass> taken = List.copyOf(later);
    later.clear();
    return taken;
  }

  /** Forgets the classes to be tried at a later instant of which no job waits. */
  public void retainLater(WaitingClasses classes) {
    later.removeIf(each -> classes.first(each).isEmpty());
  }

  /** Notes that the next event is due at once. */
  public void lookAgain() {
    due = true;
  }

  /** Notes that an event has stopped early. */
  public void cut(Cut event) {
    due = true;
    cut = event;
  }

  /** Returns the last event if it has stopped early. */
  public Optional<Cut> cut() {
    return Optional.ofNullable(cut);
  }

  /**
   * Notes how far pending growth was asked about.
   *
   * @param rank the lowest rank that it may still help
   * @param asked the sequence number up to which jobs of that rank were asked; -1 if unknown
   */
  public void askedUpTo(long rank, long asked) {
    if (rank > grownFrom || (rank == grownFrom && asked > askedOf)) {
      grownFrom = rank;
      askedOf = asked;
    }
  }

  /** Returns true if the next event is due at once, apart from pending growth. */
  public boolean isDue() {
    return due;
  }

  /** Returns true if the last event has stopped early. */
  public boolean isCut() {
    return cut != null;
  }

  /** Returns true if waiting jobs remain to be tried before anything else. */
  public boolean isOpen() {
    return due || grown;
  }

  /** Notes that every waiting job was tried, as far as the policy requires. */
  public void settle() {
    due = false;
    cut = null;
    arrived = false;
    forgetGrowths();
  }

  /** Forgets the growths. */
  void forgetGrowths() {
    settled = nextGrowth();
    growths.clear();
    freed.clear();
    loosened.clear();
    grownNodes.clear();
    grown = false;
    askedOf = -1;
    relearned = false;
    admitted.clear();
  }
}
