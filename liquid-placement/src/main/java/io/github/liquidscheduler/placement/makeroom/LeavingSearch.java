package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks for few running jobs whose leave makes another fit, given in which order they would leave.
 *
 * @param <C> the jobs that may leave
 */
public final class LeavingSearch<C> {

  private final Function<List<C>, Optional<Placement>> without;

  /**
   * Makes a search.
   *
   * @param without where the job fits once these have left, if it does
   */
  public LeavingSearch(Function<List<C>, Optional<Placement>> without) {
    this.without = without;
  }

  /**
   * A placement, and who has to leave for it.
   *
   * @param placement where the job fits once they have left
   * @param leaving those who have to leave, in the order in which they would
   */
  public record Room<C>(Placement placement, List<C> leaving) {

    /** Copies the list. */
    public Room {
      leaving = List.copyOf(leaving);
    }
  }

  /**
   * Returns the shortest head of the candidates after whose leave the job fits, if any does: by
   * doubling and halving, which is exact where a job fits whenever it fits with fewer of them gone.
   */
  public Optional<Room<C>> shortestHead(List<C> candidates) {
    return shortestHead(candidates, 0);
  }

  /**
   * Returns the same, given that the first {@code tooFew} are known not to be enough: the longer
   * heads tried first are longer by 1, 2, 4 and so on.
   */
  public Optional<Room<C>> shortestHead(List<C> candidates, int tooFew) {
    Optional<Room<C>> room = Optional.empty();
    for (int step = 1; room.isEmpty() && tooFew < candidates.size(); step *= 2) {
      int more = Math.min(tooFew + step, candidates.size());
      room = room(candidates.subList(0, more));
      tooFew = room.isEmpty() ? more : tooFew;
    }
    while (room.isPresent() && room.get().leaving().size() - tooFew > 1) {
      int middle = (tooFew + room.get().leaving().size()) >>> 1;
      Optional<Room<C>> found = room(candidates.subList(0, middle));
      tooFew = found.isEmpty() ? middle : tooFew;
      room = found.isEmpty() ? room : found;
    }
    return room;
  }

  /** Returns the room without those, the last first, without whose leave the job fits as well. */
  public Room<C> withoutNeedless(Room<C> room) {
    Room<C> least = room;
    for (int i = room.leaving().size() - 1; i >= 0; i--) {
      List<C> others = new ArrayList<>(least.leaving());
      others.remove(i);
      least = room(others).orElse(least);
    }
    return least;
  }

  private Optional<Room<C>> room(List<C> leaving) {
    return without.apply(leaving).map(placement -> new Room<>(placement, leaving));
  }
}
