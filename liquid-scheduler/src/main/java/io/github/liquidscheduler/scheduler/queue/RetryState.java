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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an event has changed for the waiting jobs. Between two events every one that may be tried is
 * known not to fit (or, if the policy does not skip, the first is): neither what is free nor that
 * together with what it may pre-empt is enough. The event leaves {@link #fresh} jobs, which have
 * not been tried as they now stand, and jobs for which room {@link #hasGrownFor grew}. Room that a
 * pre-emptible job held was there already for all of lower rank, so its end means nothing to them.
 */
public final class RetryState {

  private final Set<JobEntry> fresh = new LinkedHashSet<>();
  private final BitSet grownNodes = new BitSet();
  private final List<Growth> growths = new ArrayList<>();
  private final Map<CoRunnerKind, Set<CoRunnerKind>> admitted = new LinkedHashMap<>();
  // Grown, and not measured yet: after most ends nobody waits who could ask.
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

  /** A placement that was given up, to the use of all of this rank and higher ones. */
  private record Freed(long rank, Placement placement, ClusterTopology topology) {}

  /** Returns the jobs that may be tried since this event, or stand elsewhere in the queue. */
  public Set<JobEntry> fresh() {
    return fresh;
  }

  /** Returns true if this event made room for anybody. */
  public boolean hasGrown() {
    return grown;
  }

  /** Returns the lowest rank for which this event made room. */
  public long grownFrom() {
    return grownFrom;
  }

  /**
   * Returns the sequence number up to which jobs of that rank have been asked about all that has
   * grown; -1 if none have.
   */
  public long askedOf() {
    return askedOf;
  }

  /** Returns true if this event made room for the job. */
  public boolean hasGrownFor(JobEntry job) {
    return grown && job.rank() >= grownFrom;
  }

  /** Returns the positions of the nodes on which there is more room. */
  public BitSet grownNodes() {
    measure();
    return grownNodes;
  }

  /** Returns what has grown, in order. */
  public List<Growth> growths() {
    measure();
    return Collections.unmodifiableList(growths);
  }

  /** Returns the number of the first growth of this event: how many there were before it. */
  public long firstGrowth() {
    return settled;
  }

  /** Returns the number that the next growth will have, if there is one. */
  public long nextGrowth() {
    return settled + growths.size() + freed.size();
  }

  /** Returns true if more than room has changed, so that jobs that share GPUs may fit anywhere. */
  public boolean hasRelearned() {
    return relearned;
  }

  /** Notes that there is so much more room on these nodes for all of this rank and higher ones. */
  void growFrom(long rank, NodeSet nodes) {
    measure();
    add(rank, nodes);
    grow(rank);
  }

  /** Notes that a placement on these nodes was given up, for all of this rank and higher ones. */
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

  /** Notes that jobs that share GPUs may fit beside others than before. */
  void relearn() {
    relearned = true;
    grow(Long.MIN_VALUE);
  }

  /** Notes that waiting jobs of a kind are now admitted beside others that run. */
  void admitBeside(CoRunnerKind waiting, Set<CoRunnerKind> residents) {
    admitted.computeIfAbsent(waiting, any -> new LinkedHashSet<>()).addAll(residents);
    grow(Long.MIN_VALUE);
  }

  /** Returns beside whom a waiting job is admitted that was not before. */
  public Set<CoRunnerKind> newCoRunners(JobEntry job) {
    @Nullable CoRunnerKind kind = admitted.isEmpty() ? null : job.placementClass().sharesAs();
    return kind == null
        ? Collections.emptySet()
        : admitted.getOrDefault(kind, Collections.emptySet());
  }

  /** Returns all beside whom somebody is admitted that was not before. */
  public Set<CoRunnerKind> newCoRunners() {
    Set<CoRunnerKind> all = new LinkedHashSet<>();
    admitted.values().forEach(all::addAll);
    return all;
  }

  /** Returns by kinds of waiting jobs beside whom they are admitted that were not before. */
  public Map<CoRunnerKind, Set<CoRunnerKind>> admitted() {
    return Collections.unmodifiableMap(admitted);
  }

  /** Stands from now on where another stands, of whose jobs this one's are given. */
  void copyFrom(RetryState other, UnaryOperator<@Nullable JobEntry> own) {
    copyGrowths(other, own);
    unfinished = other.unfinished == null ? null : other.unfinished.with(own);
  }

  /** Returns the same, of the same jobs, to go back to later. */
  RetryState saved() {
    RetryState saved = new RetryState();
    saved.copyGrowths(this, job -> job);
    saved.unfinished = unfinished;
    return saved;
  }

  private void copyGrowths(RetryState other, UnaryOperator<@Nullable JobEntry> own) {
    for (JobEntry job : other.fresh) {
      @Nullable JobEntry same = own.apply(job);
      if (same != null) {
        fresh.add(same);
      }
    }
    grownNodes.or(other.grownNodes());
    growths.addAll(other.growths());
    other.admitted.forEach((kind, beside) -> admitted.put(kind, new LinkedHashSet<>(beside)));
    settled = other.settled;
    grown = other.grown;
    relearned = other.relearned;
    open = other.open;
    grownFrom = other.grownFrom;
    askedOf = other.askedOf;
    stopsEarly = other.stopsEarly;
  }

  /** Sets the number of the next growth: nothing has grown since. */
  void countGrowthsFrom(long number) {
    settled = number;
  }

  private void grow(long rank) {
    askedOf = grown && rank > grownFrom ? askedOf : -1;
    grownFrom = grown ? Math.min(grownFrom, rank) : rank;
    grown = true;
  }

  /** Returns the first job in turn that did not fit, if it blocks all behind it, or null. */
  public @Nullable JobEntry blocked() {
    return blocked;
  }

  /** Notes that the first job in turn does not fit and blocks all behind it; null if none does. */
  public void block(@Nullable JobEntry first) {
    blocked = first;
  }

  /**
   * Notes that some waiting jobs have still to be tried: at the next event, which is due at once.
   *
   * @param rank the lowest rank of those whom the room may help that has grown so far
   * @param asked the sequence number up to which jobs of that rank have been asked; -1 if not told
   */
  public void leaveOpen(long rank, long asked) {
    open = true;
    if (rank > grownFrom || (rank == grownFrom && asked > askedOf)) {
      grownFrom = rank;
      askedOf = asked;
    }
  }

  /** Notes whether a pass may stop early, so that it matters what is known of who would fail. */
  public void mayStopEarly(boolean may) {
    stopsEarly = may;
  }

  /** Returns true if a pass may stop early. */
  public boolean mayStopEarly() {
    return stopsEarly;
  }

  /** Notes how far a pass has come that the next event has to go on with. */
  public void leaveUnfinished(UnfinishedPass pass) {
    unfinished = pass;
  }

  /** Returns how far a pass has come that has to go on, or null if there is none. */
  public @Nullable UnfinishedPass unfinished() {
    return unfinished;
  }

  /** Returns true if some waiting jobs have still to be tried, before anything else happens. */
  public boolean isOpen() {
    return open || grown;
  }

  /** Notes that every waiting job has been tried, as far as the policy goes. */
  public void settle() {
    open = false;
    unfinished = null;
    fresh.clear();
    forgetGrowths();
  }

  /** Forgets what has grown. */
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
