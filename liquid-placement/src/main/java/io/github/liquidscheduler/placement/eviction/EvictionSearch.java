package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: count first, place second. Candidates leave on paper, in order, until TaskCapacity says
 * that the job may fit. Only then is it placed, for heads of the candidates by doubling and
 * halving, and needless victims come back. A placer bound by capacity is shown only victims on
 * useful nodes.
 * Invariants: counting is an upper bound, so it excludes no head that suffices; of a result no
 * victim could have stayed; the cluster is as before (EvictionSearchLaws).
 * Cost: O(nodes x roles) to begin, O(nodes of the candidate x roles) for each candidate counted,
 * O(log candidates) placements for the head, then one where counting was right and nothing has to
 * be accepted, else one for each victim. Measured by the queue and event benchmarks of
 * docs/performance.md.
 * Rejected: counts kept from event to event were 3-4 times as fast but missed a reclaim.
 */
/**
 * Finds the running jobs to evict so that another one fits, taken from candidates in a given order.
 * The cluster is unchanged afterwards. Not thread-safe.
 *
 * @param <C> the candidates for eviction
 */
public final class EvictionSearch<C extends EvictionSearch.Candidate> {

  private final ClusterState cluster;
  private final Placer placer;
  private final JobSpec job;
  private final Limits limits;
  private final @Nullable Acceptance<C> acceptance;
  private final @Nullable TaskCapacity capacity;

  /** Decides if a plan that was found may be used. */
  @FunctionalInterface
  public interface Acceptance<C> {

    /**
     * Returns true if the job may have a placement for which these candidates are gone. The cluster
     * is without them, except those on nodes where no task could go if this {@linkplain
     * #isIndependentOfCapacity ignores capacity}; it must be left as it was.
     */
    boolean accepts(Placement placement, List<C> gone);

    /**
     * Returns true if acceptance depends on the placement and the candidates gone only. Then
     * candidates that share no node with the placement and are not needed for acceptance stay
     * first.
     */
    default boolean isIndependentOfCapacity() {
      return false;
    }
  }

  /** A running job that may be evicted. */
  public interface Candidate {

    /** Returns its id. */
    JobId id();

    /** Returns its nodes and the amounts it holds there, or would release. */
    NodeSet nodes(ClusterTopology topology);

    /** Frees the amounts it holds, or would release, until {@link #comeBack}. */
    default void leave(ClusterState cluster, boolean keepsTraffic) {
      if (keepsTraffic) {
        cluster.trials().suspendCapacity(id());
      } else {
        cluster.trials().suspend(id());
      }
    }

    /** Ends a {@link #leave}. */
    default void comeBack(ClusterState cluster, boolean keepsTraffic) {
      if (keepsTraffic) {
        cluster.trials().resumeCapacity(id());
      } else {
        cluster.trials().resume(id());
      }
    }
  }

  /**
   * Limits of a search.
   *
   * @param counted the largest number of candidates to count
   * @param more the largest number of candidates beyond those that counting calls for
   * @param leaving the largest number of jobs to evict
   * @param keepsTraffic whether the traffic of evicted jobs stays on the links
   */
  public record Limits(int counted, int more, int leaving, boolean keepsTraffic) {

    /** No limits; evicted jobs no longer send. */
    public static final Limits NONE =
        new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
  }

  /**
   * Makes a search for a job.
   *
   * @param cluster the cluster; changed during a search and restored after it
   * @param placer finds the placement
   * @param limits the limits of the search
   */
  public EvictionSearch(ClusterState cluster, Placer placer, JobSpec job, Limits limits) {
    this(cluster, placer, job, limits, null);
  }

  /**
   * Makes a search whose result has to be accepted.
   *
   * @param cluster the cluster; changed during a search and restored after it
   * @param placer finds the placement
   * @param limits the limits of the search
   * @param acceptance decides which plan may be used; any if null
   */
  public EvictionSearch(
      ClusterState cluster,
      Placer placer,
      JobSpec job,
      Limits limits,
      @Nullable Acceptance<C> acceptance) {
    this.cluster = cluster;
    this.placer = placer;
    this.job = job;
    this.limits = limits;
    this.acceptance = acceptance;
    capacity =
        job.sharing() instanceof Sharing.Exclusive
            ? new ClusterCapacity(cluster.index()).forJob(job)
            : null;
  }

  /**
   * Returns a plan that evicts candidates of which none could stay; empty if the job does not fit
   * without all. Of the shortest sufficient head, candidates stay that share no node with the
   * placement found, as far as accepted; then, last first, each that the job does not need gone.
   *
   * @param candidates in order of eviction; consumed no further than needed
   */
  public Optional<LeavingSearch.Result<C>> fewest(Iterator<? extends C> candidates) {
    Iterator<TrackedCandidate<C>> tracked = new TrackedCandidates<>(candidates, cluster.topology());
    try (LeavingSearch<TrackedCandidate<C>> search = new LeavingSearch<>(new Without())) {
      int counted = 0;
      while (capacity != null && !capacity.mayHold()) {
        if (counted++ == limits.counted() || !tracked.hasNext()) {
          return Optional.empty();
        }
        search.leave(tracked.next());
      }
      return search
          .shortestHead(tracked, limits.more())
          .map(this::withoutThoseElsewhere)
          .filter(found -> found.leaving().size() <= limits.leaving())
          .map(search::withoutNeedless)
          .map(found -> new LeavingSearch.Result<>(found.placement(), candidates(found.leaving())));
    }
  }

  /**
   * Keeps candidates that share no node with the placement found, last first, as far as accepted.
   */
  private LeavingSearch.Result<TrackedCandidate<C>> withoutThoseElsewhere(
      LeavingSearch.Result<TrackedCandidate<C>> found) {
    if (acceptance != null && !acceptance.isIndependentOfCapacity()) {
      return found;
    }
    BitSet nodes = new BitSet();
    new NodeSet(found.placement(), cluster.topology()).addTo(nodes);
    List<TrackedCandidate<C>> elsewhere =
        found.leaving().stream().filter(each -> !each.nodes().touches(nodes)).toList();
    letStay(elsewhere, found);
    List<TrackedCandidate<C>> left =
        found.leaving().stream().filter(each -> !each.mayStay).toList();
    return new LeavingSearch.Result<>(found.placement(), left);
  }

  /**
   * Keeps those of some candidates that may stay, last first: all at once, else by halves, so that
   * acceptance is not asked of each where most stay.
   */
  private void letStay(
      List<TrackedCandidate<C>> some, LeavingSearch.Result<TrackedCandidate<C>> found) {
    if (some.isEmpty()) {
      return;
    }
    some.forEach(each -> each.mayStay = true);
    if (acceptance != null && !acceptance.accepts(found.placement(), left(found.leaving()))) {
      some.forEach(each -> each.mayStay = false);
      int half = some.size() / 2;
      if (half > 0) {
        letStay(some.subList(half, some.size()), found);
        letStay(some.subList(0, half), found);
      }
    }
  }

  /** Returns the candidates that are not yet known to stay. */
  private List<C> left(List<TrackedCandidate<C>> tracked) {
    List<C> left = new ArrayList<>(tracked.size());
    for (TrackedCandidate<C> each : tracked) {
      if (!each.mayStay) {
        left.add(each.candidate());
      }
    }
    return left;
  }

  private static <C extends Candidate> List<C> candidates(List<TrackedCandidate<C>> tracked) {
    List<C> candidates = new ArrayList<>(tracked.size());
    for (TrackedCandidate<C> each : tracked) {
      candidates.add(each.candidate());
    }
    return candidates;
  }

  /**
   * The cluster without the candidates gone; they are suspended in it only when the job is placed.
   */
  private final class Without implements LeavingSearch.Leaving<TrackedCandidate<C>> {

    // In the order in which they left.
    private final List<TrackedCandidate<C>> gone = new ArrayList<>();
    private final List<TrackedCandidate<C>> suspended = new ArrayList<>();

    @Override
    public void leave(TrackedCandidate<C> candidate) {
      candidate.isGone = true;
      gone.add(candidate);
      if (capacity != null) {
        capacity.add(candidate.nodes());
      }
    }

    @Override
    public void comeBack(TrackedCandidate<C> candidate) {
      candidate.isGone = false;
      gone.remove(gone.lastIndexOf(candidate));
      if (capacity != null) {
        capacity.remove(candidate.nodes());
      }
    }

    @Override
    public void keepOnly(List<TrackedCandidate<C>> all, List<TrackedCandidate<C>> kept) {
      gone.forEach(candidate -> candidate.isGone = false);
      kept.forEach(candidate -> candidate.isGone = true);
      gone.removeIf(candidate -> !candidate.isGone);
      if (capacity != null) {
        capacity.clear();
        gone.forEach(candidate -> capacity.add(candidate.nodes()));
      }
    }

    @Override
    public void end(List<TrackedCandidate<C>> left) {
      gone.forEach(candidate -> candidate.isGone = false);
      resumeThoseBack();
    }

    @Override
    public boolean isCounted() {
      return capacity != null && acceptance == null;
    }

    @Override
    public boolean mayPlace() {
      return capacity == null || capacity.mayHold();
    }

    @Override
    public Optional<Placement> place() {
      if (!mayPlace()) {
        return Optional.empty();
      }
      resumeThoseBack();
      suspendThoseUsed();
      Optional<Placement> found = placer.place(cluster, job);
      return acceptance == null
          ? found
          : found.filter(placement -> acceptance.accepts(placement, goneFor(acceptance)));
    }

    private List<C> goneFor(Acceptance<C> acceptance) {
      return acceptance.isIndependentOfCapacity()
          ? candidates(gone)
          : candidates(gone.stream().filter(candidate -> candidate.isOut).toList());
    }

    private void resumeThoseBack() {
      for (TrackedCandidate<C> candidate : suspended) {
        if (!candidate.isGone) {
          candidate.isOut = false;
          candidate.candidate().comeBack(cluster, limits.keepsTraffic());
        }
      }
      suspended.removeIf(candidate -> !candidate.isOut);
    }

    private void suspendThoseUsed() {
      @Nullable TaskCapacity needed = placer.isCapacityBound() ? capacity : null;
      for (TrackedCandidate<C> candidate : gone) {
        if (!candidate.isOut && (needed == null || needed.isUsedBy(candidate.nodes()))) {
          candidate.isOut = true;
          suspended.add(candidate);
          candidate.candidate().leave(cluster, limits.keepsTraffic());
        }
      }
    }
  }
}
