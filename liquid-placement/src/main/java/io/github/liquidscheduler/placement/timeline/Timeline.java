package io.github.liquidscheduler.placement.timeline;

import java.util.Optional;

/**
 * An availability profile: what running jobs and reservations hold during which windows, and so
 * what is free when. A release before the stated end is a {@link #release} of the old window and a
 * {@link #hold} of the shorter one; an overrun the same with a longer one. Mutable, not
 * thread-safe, and deterministic.
 *
 * @param <G> what a gang asks for
 * @param <P> what a placement is
 */
public interface Timeline<G, P> {

  /** Forgets what was before an instant, which from now on is the earliest that is asked for. */
  void advanceTo(long now);

  /**
   * Holds a placement during a window. What others hold then is not looked at: an overrun takes
   * what it takes, and whom it takes it from shows in {@link #fits}.
   */
  void hold(Slot<P> slot);

  /** Ends a {@link #hold}, of the very same placement and window. */
  void release(Slot<P> slot);

  /** Returns whether a placement could be held during all of a window beside what is held. */
  boolean fits(Slot<P> slot);

  /** Returns where a gang can be during all of a window beside what is held, if anywhere. */
  Optional<P> place(G gang, TimeWindow window);

  /**
   * Returns the first instant after this one at which something is released; {@link
   * TimeWindow#FOREVER} if nothing is.
   */
  long nextRelease(long instant);

  /**
   * Returns the earliest slot of a gang beside what is held. Only {@code from} and the releases
   * after it are tried, since at any other instant the gang could as well start earlier: as many
   * calls of {@link #place} as there are releases until the slot.
   *
   * @param length how long the gang runs, in the unit of time, at least 1
   * @param from the earliest start
   * @param latest the latest start, which bounds the search
   */
  default Optional<Slot<P>> earliest(G gang, long length, long from, long latest) {
    for (long start = from;
        start <= latest && start != TimeWindow.FOREVER;
        start = nextRelease(start)) {
      TimeWindow window = TimeWindow.of(start, length);
      Optional<P> placement = place(gang, window);
      if (placement.isPresent()) {
        return Optional.of(new Slot<>(window, placement.get()));
      }
    }
    return Optional.empty();
  }
}
