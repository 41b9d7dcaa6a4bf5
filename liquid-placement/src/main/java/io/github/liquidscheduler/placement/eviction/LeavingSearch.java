package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.Placement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Looks for few running jobs whose leave makes another fit, given in which order they would leave.
 * Until it is closed the cluster is without those who have left.
 *
 * @param <C> the jobs that may leave
 */
public final class LeavingSearch<C> implements AutoCloseable {

  private final Leaving<C> cluster;
  private final List<C> gone = new ArrayList<>();

  /** The cluster as it is while some candidates have left it. */
  public interface Leaving<C> {

    /** Has a candidate leave who is there. */
    void leave(C candidate);

    /** Has a candidate come back who has left. */
    void comeBack(C candidate);

    /** Returns where the job fits as it is now, if it does. */
    Optional<Placement> place();

    /** Returns whether {@link #mayPlace} tells anything. */
    default boolean isCounted() {
      return false;
    }

    /** Returns false if counting tells that the job does not fit as it is now. */
    default boolean mayPlace() {
      return true;
    }

    /** Has all come back but some, in whose order they have left. */
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

    /** Has all come back who have left; the last call. */
    default void end(List<C> gone) {
      gone.reversed().forEach(this::comeBack);
    }
  }

  /** Makes a search in a cluster that nobody has left yet. */
  public LeavingSearch(Leaving<C> cluster) {
    this.cluster = cluster;
  }

  /**
   * A placement, and who has to leave for it.
   *
   * @param placement where the job fits once they have left
   * @param leaving those who have to leave, in the order in which they would
   */
  public record Result<C>(Placement placement, List<C> leaving) {

    /** Copies the list. */
    public Result {
      leaving = List.copyOf(leaving);
    }
  }

  /**
   * Returns the shortest head of the candidates after whose leave the job fits, if any does: by
   * doubling and halving, which is exact where a job fits whenever it fits with fewer of them gone.
   */
  public Optional<Result<C>> shortestHead(List<C> candidates) {
    return shortestHead(candidates.iterator(), candidates.size());
  }

  /**
   * Returns the same, given that those whom {@link #leave} had leave are too few but for the last
   * of them: heads are tried that are longer by 1, 2, 4 and so on.
   *
   * @param next the candidates after these; asked for no more than are needed
   * @param most how many of them may leave
   */
  public Optional<Result<C>> shortestHead(Iterator<? extends C> next, int most) {
    int counted = gone.size();
    int tooFew = Math.max(0, gone.size() - 1);
    Optional<Result<C>> room = gone.isEmpty() ? Optional.empty() : room();
    for (int step = 1; room.isEmpty(); step *= 2) {
      tooFew = gone.size();
      lengthen(next, counted + Math.min(most, tooFew - counted + step));
      if (gone.size() == tooFew) {
        return room;
      }
      room = room();
    }
    return shorten(room.get(), tooFew);
  }

  /** Has a candidate leave, before the search. */
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
    Result<C> room = found;
    while (room.leaving().size() - tooFew > 1) {
      int middle = (tooFew + room.leaving().size()) >>> 1;
      goTo(room.leaving(), middle);
      Optional<Result<C>> shorter = room();
      tooFew = shorter.isEmpty() ? middle : tooFew;
      room = shorter.orElse(room);
    }
    goTo(room.leaving(), room.leaving().size());
    return Optional.of(room);
  }

  /** Has exactly so many of the candidates be gone, of whom some head is. */
  private void goTo(List<C> candidates, int size) {
    while (gone.size() > size) {
      cluster.comeBack(gone.removeLast());
    }
    lengthen(candidates.listIterator(gone.size()), size);
  }

  /**
   * Returns the room without those, the last first, without whose leave the job fits as well. Where
   * there is counting it is believed at first, and one placement shows whether that was right: then
   * the job fitted at each step, with more of them gone. If not, it is placed at each step.
   *
   * @param room what {@link #shortestHead} has found, of which some may stay
   */
  public Result<C> withoutNeedless(Result<C> room) {
    keepOnly(room.leaving());
    if (cluster.isCounted()) {
      List<C> before = List.copyOf(gone);
      if (!dropNeedless(cluster::mayPlace)) {
        return room;
      }
      Optional<Result<C>> counted = room();
      if (counted.isPresent()) {
        return counted.get();
      }
      leaveAgain(before);
    }
    List<Result<C>> least = new ArrayList<>(List.of(room));
    dropNeedless(() -> room().map(least::add).isPresent());
    return least.getLast();
  }

  /** Has all come back, the last first, without whom the job fits; returns whether any has. */
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

  /** Has those leave again who are among these and have come back; they are in one order. */
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

  /** Has all come back but these, in whose order they have left. */
  private void keepOnly(List<C> leaving) {
    if (leaving.size() < gone.size()) {
      cluster.keepOnly(gone, leaving);
      gone.clear();
      gone.addAll(leaving);
    }
  }

  private Optional<Result<C>> room() {
    return cluster.place().map(placement -> new Result<>(placement, gone));
  }

  /** Has all come back. */
  @Override
  public void close() {
    cluster.end(gone);
  }
}
