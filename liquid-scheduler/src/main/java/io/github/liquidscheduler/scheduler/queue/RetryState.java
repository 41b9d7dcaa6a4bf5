package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.eviction.Growth;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: between events every eligible job is known not to fit. So an event records only what may
 * change that: jobs not tried yet, growths of capacity with the lowest rank they help, and co-
 * runners newly accepted.
 * Invariants: a job that is neither fresh nor helped by a growth would fail if tried (RetryLaws,
 * FullClusterLaws and ShortEventLaws try all of them); no growth that is still to be asked
 * about helps a rank below grownFrom; growths are numbered without gaps across events.
 * Cost: O(1) for a released placement, expanded to O(nodes of the job) at the first question; copy
 * O(fresh jobs + growths). EventBench.
 */
/**
 * The changes of an event that concern waiting jobs. Between two events every eligible job is known
 * not to fit (without bypass only the first), neither on free capacity nor with what it may
 * pre-empt. An event adds {@link #fresh} jobs, not tried as they are now, and {@link #hasGrownFor
 * growth} of capacity. Where {@linkplain JobTable#ranksAloneDecide rank alone decides}, capacity of
 * a pre-emptible job was available to lower ranks before, so that its end is no growth for them.
 */
public final class RetryState {

  private final Set<JobEntry> fresh = new LinkedHashSet<>();
  private final BitSet grownNodes = new BitSet();
  private final List<Growth> growths = new ArrayList<>();
  private final Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
  // Not expanded into nodes yet, since after most ends no job waits that could ask.
  private final List<Freed> freed = new ArrayList<>();
  private long settled;
  private boolean grown;
  private boolean relearned;
  private boolean open;
  private long grownFrom;
  private long askedOf = -1;
  private @Nullable JobEntry blocked;
  private @Nullable UnfinishedPass unfinished;
  private boolean stopsEarly;

  /** A released placement, available to this rank and higher ones. */
  private record Freed(long rank, Placement placement, ClusterTopology topology) {}

  /** Returns the jobs that may be tried since this event, or have a new position. */
  public Set<JobEntry> fresh() {
    return fresh;
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

  /**
   * Returns true if co-location knowledge has changed, so that jobs that share GPUs may fit
   * anywhere.
   */
  public boolean hasRelearned() {
    return relearned;
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
  void relearn() {
    relearned = true;
    grow(Long.MIN_VALUE);
  }

  /** Notes co-runners newly accepted for waiting jobs of a kind. */
  void admitBeside(CoRunnerKind waiting, Set<CoRunnerKind> residents) {
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
  RetryState image() {
    RetryState image = new RetryState();
    image.become(this);
    return image;
  }

  /** Returns to an image, whose jobs are back. */
  void rollBackTo(RetryState image) {
    become(image);
  }

  private void become(RetryState other) {
    fresh.clear();
    fresh.addAll(other.fresh);
    grownNodes.clear();
    grownNodes.or(other.grownNodes);
    growths.clear();
    growths.addAll(other.growths);
    admitted.clear();
    other.admitted.forEach((kind, beside) -> admitted.put(kind, new LinkedHashSet<>(beside)));
    freed.clear();
    freed.addAll(other.freed);
    settled = other.settled;
    grown = other.grown;
    relearned = other.relearned;
    open = other.open;
    grownFrom = other.grownFrom;
    askedOf = other.askedOf;
    blocked = other.blocked;
    unfinished = other.unfinished;
    stopsEarly = other.stopsEarly;
  }

  private void grow(long rank) {
    askedOf = grown && rank > grownFrom ? askedOf : -1;
    grownFrom = grown ? Math.min(grownFrom, rank) : rank;
    grown = true;
  }

  /** Returns the first job in turn that did not fit and blocks later ones, or null. */
  public @Nullable JobEntry blocked() {
    return blocked;
  }

  /** Sets the blocking first job; null if there is none. */
  public void block(@Nullable JobEntry first) {
    blocked = first;
  }

  /**
   * Notes that waiting jobs remain to be tried at the next event, which is due at once.
   *
   * @param rank the lowest rank that the growth so far may help
   * @param asked the sequence number up to which jobs of that rank were asked; -1 if unknown
   */
  public void leaveOpen(long rank, long asked) {
    open = true;
    if (rank > grownFrom || (rank == grownFrom && asked > askedOf)) {
      grownFrom = rank;
      askedOf = asked;
    }
  }

  /**
   * Sets whether a pass may stop early, in which case knowledge of failures is part of the state.
   */
  public void mayStopEarly(boolean may) {
    stopsEarly = may;
  }

  /** Returns true if a pass may stop early. */
  public boolean mayStopEarly() {
    return stopsEarly;
  }

  /** Saves the progress of a pass for the next event. */
  public void leaveUnfinished(UnfinishedPass pass) {
    unfinished = pass;
  }

  /** Returns the saved progress of a pass, or null. */
  public @Nullable UnfinishedPass unfinished() {
    return unfinished;
  }

  /** Returns true if waiting jobs remain to be tried before anything else. */
  public boolean isOpen() {
    return open || grown;
  }

  /** Notes that every waiting job was tried, as far as the policy requires. */
  public void settle() {
    open = false;
    unfinished = null;
    fresh.clear();
    forgetGrowths();
  }

  /** Forgets the growths. */
  void forgetGrowths() {
    settled = nextGrowth();
    growths.clear();
    freed.clear();
    grownNodes.clear();
    grown = false;
    askedOf = -1;
    relearned = false;
    admitted.clear();
  }
}
