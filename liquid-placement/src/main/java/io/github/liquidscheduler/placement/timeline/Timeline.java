package io.github.liquidscheduler.placement.timeline;

import java.util.Optional;
import java.util.function.Function;

/**
 * An availability profile: the capacity that running jobs and reservations hold in their windows,
 * and the rest that is free. A release before the stated end is a {@link #release} of the old
 * window and a {@link #hold} of the shorter one; an overrun the same with a longer one. Mutable,
 * not thread-safe, and deterministic.
 *
 * @param <G> the request of a gang
 * @param <P> the placements
 */
public interface Timeline<G, P> {

  /** Forgets the time before an instant, the earliest of all later calls. */
  void advanceTo(long now);

  /**
   * Holds a placement during a window, even if others hold it too, as after an overrun; {@link
   * #fits} shows the conflict.
   */
  void hold(Slot<P> slot);

  /** Ends a {@link #hold}, of the very same placement and window. */
  void release(Slot<P> slot);

  /** Returns true if a placement could be held during a whole window beside the others. */
  boolean fits(Slot<P> slot);

  /** Returns a placement of a gang during a whole window beside the others, if any. */
  Optional<P> place(G gang, TimeWindow window);

  /** Returns the first release after an instant; {@link TimeWindow#FOREVER} if there is none. */
  long nextRelease(long instant);

  /** Notes that a slot is no longer held, for good: a gang may start earlier there. */
  default void loosened(Slot<P> slot) {}

  /** Returns the number of slots that were {@linkplain #loosened loosened}. */
  default long loosenings() {
    return 0;
  }

  /**
   * Returns false if what was loosened cannot have a gang start earlier than in its own slot.
   *
   * @param length the run time of the gang, in the unit of time, at least 1
   * @param from the earliest start
   * @param own its slot, which is held
   * @param since the number of slots that had been loosened when there was none earlier
   */
  default boolean mayBeEarlier(G gang, long length, long from, Slot<P> own, long since) {
    return true;
  }

  /**
   * Returns an instant, {@code from} or a later release, before which a gang finds no place from
   * {@code from} on; {@link TimeWindow#FOREVER} if it never does. Only a bound: it may find none
   * then either.
   *
   * @param length the run time of the gang, in the unit of time, at least 1
   */
  default long soonest(G gang, long length, long from) {
    return from;
  }

  /**
   * Returns the earliest slot of a gang beside the others. Only {@code from} and the releases after
   * it are tried, since at any other instant the gang could as well start earlier: at most as many
   * calls of {@link #place} as there are releases until the slot.
   *
   * @param length the run time of the gang, in the unit of time, at least 1
   * @param from the earliest start
   * @param latest the latest start, which bounds the search
   */
  default Optional<Slot<P>> earliest(G gang, long length, long from, long latest) {
    return earliest(gang, length, from, latest, window -> place(gang, window));
  }

  /** Returns the first slot, at an instant or a later release, in which a placement is found. */
  default Optional<Slot<P>> earliest(
      G gang, long length, long from, long latest, Function<TimeWindow, Optional<P>> place) {
    long start = soonest(gang, length, from);
    while (start <= latest && start != TimeWindow.FOREVER) {
      TimeWindow window = TimeWindow.of(start, length);
      Optional<P> placement = place.apply(window);
      if (placement.isPresent()) {
        return Optional.of(new Slot<>(window, placement.get()));
      }
      start = soonest(gang, length, nextRelease(start));
    }
    return Optional.empty();
  }
}
