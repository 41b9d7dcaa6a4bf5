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

/**
 * Finds out which running jobs have to leave so that another one fits, given in which order they
 * would. Where counting tells that the job cannot fit it is not placed, and for a placer that is
 * {@linkplain Placer#isCapacityBound() bound by capacity} only those are taken out of the cluster
 * who leave nodes where a task could go; so it costs a few steps for each candidate, and a
 * placement for each doubling and halving beyond what counting calls for. The cluster is as before
 * afterwards. Not thread-safe.
 *
 * @param <C> the jobs that may leave
 */
public final class EvictionSearch<C extends EvictionSearch.Candidate> {

  private final ClusterState cluster;
  private final Placer placer;
  private final JobSpec job;
  private final Limits limits;
  private final @Nullable Acceptance<C> acceptance;
  private final @Nullable TaskCapacity room;

  /** Says whether a room that was found will do. */
  @FunctionalInterface
  public interface Acceptance<C> {

    /**
     * Returns whether the job may have a placement, given who is gone for it. The cluster is
     * without them, but for those, if it {@linkplain #isIndependentOfCapacity depends on no room},
     * who leave no node where a task could go; it has to be so again afterwards.
     */
    boolean accepts(Placement placement, List<C> gone);

    /**
     * Returns whether that depends on nothing but the placement and who is gone. Then all are let
     * stay first who share no node with the placement and are not needed for it to be accepted.
     */
    default boolean isIndependentOfCapacity() {
      return false;
    }
  }

  /** A running job that may leave. */
  public interface Candidate {

    /** Returns its id. */
    JobId id();

    /** Returns the nodes it runs on and what it holds there, or would give up of that. */
    NodeSet nodes(ClusterTopology topology);

    /** Frees for a while what it holds, or would give up of that. */
    default void leave(ClusterState cluster, boolean whatTheySend) {
      if (whatTheySend) {
        cluster.suspendCapacity(id());
      } else {
        cluster.suspend(id());
      }
    }

    /** Ends a {@link #leave}. */
    default void comeBack(ClusterState cluster, boolean whatTheySend) {
      if (whatTheySend) {
        cluster.resumeCapacity(id());
      } else {
        cluster.resume(id());
      }
    }
  }

  /**
   * How long a search goes on, and what it looks at.
   *
   * @param counted candidates that are counted at most
   * @param more candidates beyond those that counting calls for
   * @param leaving jobs that leave at most
   * @param whatTheySend whether what jobs send stays on the links when they leave
   */
  public record Limits(int counted, int more, int leaving, boolean whatTheySend) {

    /** Goes through all candidates, who no longer send. */
    public static final Limits NONE =
        new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
  }

  /**
   * Makes a search for room for a job.
   *
   * @param cluster who runs where; changed during a search, and as before after it
   * @param placer finds the placement
   * @param job the job
   * @param limits how long to search
   */
  public EvictionSearch(ClusterState cluster, Placer placer, JobSpec job, Limits limits) {
    this(cluster, placer, job, limits, null);
  }

  /**
   * Makes a search for room that has to be accepted.
   *
   * @param cluster who runs where; changed during a search, and as before after it
   * @param placer finds the placement
   * @param job the job
   * @param limits how long to search
   * @param acceptance which room will do; any if null
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
    room =
        job.sharing() instanceof Sharing.Exclusive
            ? new ClusterCapacity(cluster.index()).forJob(job)
            : null;
  }

  /**
   * Returns candidates without whom the job fits, if there are any, of whom none could stay: of the
   * shortest head after whose leave it fits, first all stay that share no node with the placement
   * found, as far as that is accepted, then, the last first, each without whose leave the job still
   * fits somewhere.
   *
   * @param candidates in the order in which they would leave; asked for no more than are needed
   */
  public Optional<LeavingSearch.Result<C>> fewest(Iterator<? extends C> candidates) {
    Iterator<Leaver<C>> leavers = new Leavers<>(candidates, cluster.topology());
    try (LeavingSearch<Leaver<C>> search = new LeavingSearch<>(new Without())) {
      int counted = 0;
      while (room != null && !room.mayHold()) {
        if (counted++ == limits.counted() || !leavers.hasNext()) {
          return Optional.empty();
        }
        search.leave(leavers.next());
      }
      return search
          .shortestHead(leavers, limits.more())
          .map(this::withoutThoseElsewhere)
          .filter(found -> found.leaving().size() <= limits.leaving())
          .map(search::withoutNeedless)
          .map(found -> new LeavingSearch.Result<>(found.placement(), candidates(found.leaving())));
    }
  }

  /** Lets all stay, the last first, that share no node with the placement found, if they may. */
  private LeavingSearch.Result<Leaver<C>> withoutThoseElsewhere(
      LeavingSearch.Result<Leaver<C>> found) {
    if (acceptance != null && !acceptance.isIndependentOfCapacity()) {
      return found;
    }
    BitSet nodes = new BitSet();
    new NodeSet(found.placement(), cluster.topology()).addTo(nodes);
    List<Leaver<C>> elsewhere =
        found.leaving().stream().filter(leaver -> !leaver.nodes().touches(nodes)).toList();
    letStay(elsewhere, found);
    List<Leaver<C>> left = found.leaving().stream().filter(leaver -> !leaver.mayStay).toList();
    return new LeavingSearch.Result<>(found.placement(), left);
  }

  /**
   * Lets those of some stay, the last first, who may: all of them at once if they may, so that it
   * is not asked of each where most of many stay.
   */
  private void letStay(List<Leaver<C>> some, LeavingSearch.Result<Leaver<C>> found) {
    if (some.isEmpty()) {
      return;
    }
    some.forEach(leaver -> leaver.mayStay = true);
    if (acceptance != null && !acceptance.accepts(found.placement(), left(found.leaving()))) {
      some.forEach(leaver -> leaver.mayStay = false);
      int half = some.size() / 2;
      if (half > 0) {
        letStay(some.subList(half, some.size()), found);
        letStay(some.subList(0, half), found);
      }
    }
  }

  /** Returns those of whom it is not known that they may stay. */
  private List<C> left(List<Leaver<C>> leavers) {
    List<C> left = new ArrayList<>(leavers.size());
    for (Leaver<C> leaver : leavers) {
      if (!leaver.mayStay) {
        left.add(leaver.candidate());
      }
    }
    return left;
  }

  private static <C extends Candidate> List<C> candidates(List<Leaver<C>> leavers) {
    List<C> candidates = new ArrayList<>(leavers.size());
    for (Leaver<C> leaver : leavers) {
      candidates.add(leaver.candidate());
    }
    return candidates;
  }

  /**
   * The cluster without those who have left. Only when the job is placed are those taken out of it
   * who make room then, and those put back who have come back.
   */
  private final class Without implements LeavingSearch.Leaving<Leaver<C>> {

    // In the order in which they left.
    private final List<Leaver<C>> gone = new ArrayList<>();
    private final List<Leaver<C>> suspended = new ArrayList<>();

    @Override
    public void leave(Leaver<C> candidate) {
      candidate.isGone = true;
      gone.add(candidate);
      if (room != null) {
        room.add(candidate.nodes());
      }
    }

    @Override
    public void comeBack(Leaver<C> candidate) {
      candidate.isGone = false;
      gone.remove(gone.lastIndexOf(candidate));
      if (room != null) {
        room.remove(candidate.nodes());
      }
    }

    @Override
    public void keepOnly(List<Leaver<C>> all, List<Leaver<C>> kept) {
      gone.forEach(candidate -> candidate.isGone = false);
      kept.forEach(candidate -> candidate.isGone = true);
      gone.removeIf(candidate -> !candidate.isGone);
      if (room != null) {
        room.clear();
        gone.forEach(candidate -> room.add(candidate.nodes()));
      }
    }

    @Override
    public void end(List<Leaver<C>> left) {
      gone.forEach(candidate -> candidate.isGone = false);
      resumeThoseBack();
    }

    @Override
    public boolean isCounted() {
      return room != null && acceptance == null;
    }

    @Override
    public boolean mayPlace() {
      return room == null || room.mayHold();
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
      for (Leaver<C> candidate : suspended) {
        if (!candidate.isGone) {
          candidate.isOut = false;
          candidate.candidate().comeBack(cluster, limits.whatTheySend());
        }
      }
      suspended.removeIf(candidate -> !candidate.isOut);
    }

    private void suspendThoseUsed() {
      @Nullable TaskCapacity needed = placer.isCapacityBound() ? room : null;
      for (Leaver<C> candidate : gone) {
        if (!candidate.isOut && (needed == null || needed.isUsedBy(candidate.nodes()))) {
          candidate.isOut = true;
          suspended.add(candidate);
          candidate.candidate().leave(cluster, limits.whatTheySend());
        }
      }
    }
  }
}
