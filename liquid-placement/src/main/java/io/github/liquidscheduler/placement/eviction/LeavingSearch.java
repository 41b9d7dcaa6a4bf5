package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.Placement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Searches candidates in a given order for few whose leaving makes a job fit. Until it is closed
 * the cluster is without those that have left.
 *
 * @param <C> the candidates
 */
public final class LeavingSearch<C> implements AutoCloseable {

  private final Leaving<C> cluster;
  private final List<C> gone = new ArrayList<>();

  /** The cluster while some candidates have left it. */
  public interface Leaving<C> {

    /** Removes a candidate. */
    void leave(C candidate);

    /** Restores a candidate that has left. */
    void comeBack(C candidate);

    /** Returns a placement of the job in the cluster as it is now, if it fits. */
    Optional<Placement> place();

    /** Returns true if {@link #mayPlace} counts. */
    default boolean isCounted() {
      return false;
    }

    /** Returns false if counting shows that the job does not fit now. */
    default boolean mayPlace() {
      return true;
    }

    /** Restores all candidates but some, which are in the order in which they left. */
    default void keepOnly(List<C> gone, List<C> kept) {
      int next = 0;
      for (C candidate : gone) {
        if (next < kept.size() && candidate.equals(kept.get(next))) {
          next++;
        } else {
          comeBack(candidate);
        }
      }
    }

    /** Restores all candidates; the last call. */
    default void end(List<C> gone) {
      gone.reversed().forEach(this::comeBack);
    }
  }

  /** Makes a search in a cluster with all candidates. */
  public LeavingSearch(Leaving<C> cluster) {
    this.cluster = cluster;
  }

  /**
   * A placement and the candidates that leave for it.
   *
   * @param placement the placement of the job once they have left
   * @param leaving the candidates that leave, in their order
   */
  public record Result<C>(Placement placement, List<C> leaving) {

    /** Copies the list. */
    public Result {
      leaving = List.copyOf(leaving);
    }
  }

  /**
   * Returns the shortest head of the candidates without which the job fits, if any, by doubling and
   * halving: exact if a job that fits also fits with more of them gone.
   */
  public Optional<Result<C>> shortestHead(List<C> candidates) {
    return shortestHead(candidates.iterator(), candidates.size());
  }

  /**
   * As {@link #shortestHead(List)}, where the candidates removed by {@link #leave} are too few
   * without the last of them: longer heads are tried by 1, 2, 4 and so on.
   *
   * @param next the candidates after these; consumed no further than needed
   * @param most the largest number of them that may leave
   */
  public Optional<Result<C>> shortestHead(Iterator<? extends C> next, int most) {
    int counted = gone.size();
    int tooFew = Math.max(0, gone.size() - 1);
    Optional<Result<C>> result = gone.isEmpty() ? Optional.empty() : tryPlace();
    for (int step = 1; result.isEmpty(); step *= 2) {
      tooFew = gone.size();
      lengthen(next, counted + Math.min(most, tooFew - counted + step));
      if (gone.size() == tooFew) {
        return result;
      }
      result = tryPlace();
    }
    return shorten(result.get(), tooFew);
  }

  /** Removes a candidate, before the search. */
  public void leave(C candidate) {
    cluster.leave(candidate);
    gone.add(candidate);
  }

  private void lengthen(Iterator<? extends C> next, int size) {
    while (gone.size() < size && next.hasNext()) {
      leave(next.next());
    }
  }

  private Optional<Result<C>> shorten(Result<C> found, int tooFew) {
    Result<C> result = found;
    while (result.leaving().size() - tooFew > 1) {
      int middle = (tooFew + result.leaving().size()) >>> 1;
      goTo(result.leaving(), middle);
      Optional<Result<C>> shorter = tryPlace();
      tooFew = shorter.isEmpty() ? middle : tooFew;
      result = shorter.orElse(result);
    }
    goTo(result.leaving(), result.leaving().size());
    return Optional.of(result);
  }

  /** Removes or restores candidates until exactly the head of this size is gone. */
  private void goTo(List<C> candidates, int size) {
    while (gone.size() > size) {
      cluster.comeBack(gone.removeLast());
    }
    lengthen(candidates.listIterator(gone.size()), size);
  }

  /**
   * Returns the result without candidates, last first, that the job does not need gone. Counting,
   * if available, is trusted first and checked by one placement; if that fails, the job is placed
   * at each step.
   *
   * @param result what {@link #shortestHead} found
   */
  public Result<C> withoutNeedless(Result<C> result) {
    keepOnly(result.leaving());
    if (cluster.isCounted()) {
      List<C> before = List.copyOf(gone);
      if (!dropNeedless(cluster::mayPlace)) {
        return result;
      }
      Optional<Result<C>> counted = tryPlace();
      if (counted.isPresent()) {
        return counted.get();
      }
      leaveAgain(before);
    }
    List<Result<C>> least = new ArrayList<>(List.of(result));
    dropNeedless(() -> tryPlace().map(least::add).isPresent());
    return least.getLast();
  }

  /**
   * Restores the candidates, last first, that the job does not need gone; returns true if any was.
   */
  private boolean dropNeedless(BooleanSupplier fits) {
    int before = gone.size();
    for (int i = gone.size() - 1; i >= 0; i--) {
      C candidate = gone.remove(i);
      cluster.comeBack(candidate);
      if (!fits.getAsBoolean()) {
        cluster.leave(candidate);
        gone.add(i, candidate);
      }
    }
    return gone.size() < before;
  }

  /** Removes again those of these candidates that were restored; both are in one order. */
  private void leaveAgain(List<C> before) {
    int next = 0;
    for (C candidate : before) {
      if (next < gone.size() && candidate.equals(gone.get(next))) {
        next++;
      } else {
        cluster.leave(candidate);
      }
    }
    gone.clear();
    gone.addAll(before);
  }

  /** Restores all candidates but these, which are in the order in which they left. */
  private void keepOnly(List<C> leaving) {
    if (leaving.size() < gone.size()) {
      cluster.keepOnly(gone, leaving);
      gone.clear();
      gone.addAll(leaving);
    }
  }

  private Optional<Result<C>> tryPlace() {
    return cluster.place().map(placement -> new Result<>(placement, gone));
  }

  /** Restores all candidates. */
  @Override
  public void close() {
    cluster.end(gone);
  }
}
