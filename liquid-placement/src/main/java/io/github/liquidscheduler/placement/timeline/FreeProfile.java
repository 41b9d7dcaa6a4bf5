package io.github.liquidscheduler.placement.timeline;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: two sorted arrays, the starts of the steps and what is free from each on. Steps that have
 *   passed are dropped from the front when the caller forgets them.
 * Invariants: starts rise strictly; neighbours differ in what is free; the last step never ends.
 *   FreeProfileLaws.
 * Cost: look-ups O(log steps), a hold or release O(steps) to shift the arrays.
 */
/**
 * The free amount of one resource over time: a step function from the first instant remembered to
 * {@link TimeWindow#FOREVER}. Negative while more is held than there is, as after an overrun.
 * Look-ups cost O(log steps), the rest O(steps).
 */
public final class FreeProfile {

  private static final int FEW = 4;

  /** Step i lasts from {@code starts[i]} to the next start; the last one forever. */
  private long[] starts = new long[FEW];

  private long[] free = new long[FEW];
  private int steps = 1;

  private final long amount;

  /** Makes the profile of an amount that is never held. */
  public FreeProfile(long amount) {
    this.amount = amount;
    starts[0] = Long.MIN_VALUE;
    free[0] = amount;
  }

  /**
   * Returns the profile of an amount of which parts are held from an instant on. O(parts).
   *
   * @param until the amounts held, by their time of release, each after {@code from}; {@link
   *     TimeWindow#FOREVER} if never
   */
  public static FreeProfile heldUntil(long amount, long from, SortedMap<Long, Long> until) {
    FreeProfile profile = new FreeProfile(amount);
    profile.starts = new long[until.size() + 2];
    profile.free = new long[until.size() + 2];
    profile.starts[0] = Long.MIN_VALUE;
    profile.free[0] = amount;
    long held = until.values().stream().mapToLong(Long::longValue).sum();
    profile.appendStep(from, amount - held);
    for (Map.Entry<Long, Long> part : until.entrySet()) {
      held -= part.getValue();
      if (part.getKey() < TimeWindow.FOREVER) {
        profile.appendStep(part.getKey(), amount - held);
      }
    }
    return profile;
  }

  /** Returns the total amount. */
  long amount() {
    return amount;
  }

  /** Forgets the time before an instant. */
  public void forgetBefore(long instant) {
    int first = stepAt(instant);
    steps -= first;
    System.arraycopy(starts, first, starts, 0, steps);
    System.arraycopy(free, first, free, 0, steps);
    starts[0] = Math.max(starts[0], instant);
  }

  /** Adds to the free amount during a window, or subtracts if {@code more} is negative. */
  public void add(TimeWindow window, long more) {
    if (window.end() <= starts[0]) {
      return;
    }
    int from = split(Math.max(window.start(), starts[0]));
    int to = window.end() == TimeWindow.FOREVER ? steps : split(window.end());
    for (int step = from; step < to; step++) {
      free[step] += more;
    }
    joinAt(to);
    joinAt(from);
  }

  /**
   * Adds to the free amount from each of some instants on, all within the time remembered. O(steps
   * + instants).
   *
   * @param more what is added from each instant on, to what was added before
   */
  void addFrom(SortedMap<Long, Long> more) {
    long[] oldStarts = starts;
    long[] oldFree = free;
    int old = steps;
    starts = new long[old + more.size()];
    free = new long[old + more.size()];
    steps = 0;
    Iterator<Map.Entry<Long, Long>> changes = more.entrySet().iterator();
    Map.@Nullable Entry<Long, Long> change = changes.hasNext() ? changes.next() : null;
    long added = 0;
    for (int step = 0; step < old; step++) {
      long end = step + 1 < old ? oldStarts[step + 1] : TimeWindow.FOREVER;
      if (change == null || change.getKey() > oldStarts[step]) {
        appendStep(oldStarts[step], oldFree[step] + added);
      }
      while (change != null && change.getKey() < end) {
        added += change.getValue();
        appendStep(change.getKey(), oldFree[step] + added);
        change = changes.hasNext() ? changes.next() : null;
      }
    }
  }

  /** Appends a step, later than all others, unless it equals the one before. */
  private void appendStep(long start, long freeThen) {
    if (steps == 0 || free[steps - 1] != freeThen) {
      starts[steps] = start;
      free[steps] = freeThen;
      steps++;
    }
  }

  /** Visits the free amounts in the parts of a window that are remembered, in order. */
  void forEachStep(TimeWindow window, StepVisitor visitor) {
    long from = Math.max(window.start(), starts[0]);
    for (int step = stepAt(from); step < steps && from < window.end(); step++) {
      long end = Math.min(window.end(), startOf(step + 1));
      visitor.visit(from, end, free[step]);
      from = end;
    }
  }

  /** Visits a step. */
  @FunctionalInterface
  interface StepVisitor {

    /** Visits what is free from an instant until another. */
    void visit(long from, long until, long free);
  }

  /** Returns the free amount at an instant. */
  public long at(long instant) {
    return free[stepAt(instant)];
  }

  /**
   * Returns windows whose least amount is that of this one: they share a step, and none is less.
   */
  Alike alike(TimeWindow window) {
    int first = stepAt(window.start());
    int least = first;
    int end = first + 1;
    for (; end < steps && starts[end] < window.end(); end++) {
      least = free[end] < free[least] ? end : least;
    }
    while (end < steps && free[end] >= free[least]) {
      end++;
    }
    while (first > 0 && free[first - 1] >= free[least]) {
      first--;
    }
    return new Alike(starts[first], startOf(least + 1), starts[least], startOf(end));
  }

  private long startOf(int step) {
    return step < steps ? starts[step] : Long.MAX_VALUE;
  }

  /**
   * The windows that begin from {@code from} on and before {@code until}, and end after {@code
   * endAfter} and no later than {@code endUntil}.
   */
  record Alike(long from, long until, long endAfter, long endUntil) {

    /** All windows. */
    static final Alike ALL =
        new Alike(Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);

    boolean contains(TimeWindow window) {
      return from <= window.start()
          && window.start() < until
          && endAfter < window.end()
          && window.end() <= endUntil;
    }

    /** Returns the windows that are in both. */
    Alike and(Alike other) {
      return new Alike(
          Math.max(from, other.from),
          Math.min(until, other.until),
          Math.max(endAfter, other.endAfter),
          Math.min(endUntil, other.endUntil));
    }
  }

  /** Returns the smallest free amount in a window. */
  public long least(TimeWindow window) {
    int step = stepAt(window.start());
    long least = free[step];
    while (++step < steps && starts[step] < window.end()) {
      least = Math.min(least, free[step]);
    }
    return least;
  }

  /**
   * Returns the first instant, {@code from} or later, from which the amount needed is free for a
   * length of time; {@link TimeWindow#FOREVER} if there is none. O(steps).
   *
   * @param length the length of time, at least 1
   */
  public long earliest(long from, long length, long needed) {
    long start = from;
    for (int step = stepAt(from); step < steps; step++) {
      long end = step + 1 < steps ? starts[step + 1] : TimeWindow.FOREVER;
      if (free[step] < needed) {
        start = end;
      } else if (TimeWindow.of(start, length).end() <= end) {
        return start;
      }
    }
    return TimeWindow.FOREVER;
  }

  /**
   * Returns the instant since which the amount needed at an instant has been free, within the time
   * remembered.
   */
  public long freeSince(long instant, long needed) {
    int step = stepAt(instant);
    while (step > 0 && free[step - 1] >= needed) {
      step--;
    }
    return starts[step];
  }

  /** Returns the step at an instant, the first one if it is before the time remembered. */
  private int stepAt(long instant) {
    int found = Arrays.binarySearch(starts, 0, steps, instant);
    return Math.max(0, found >= 0 ? found : -found - 2);
  }

  /** Splits the step at an instant, and returns the one that begins there. */
  private int split(long instant) {
    int step = stepAt(instant);
    if (starts[step] == instant) {
      return step;
    }
    ensureSpace();
    int added = step + 1;
    System.arraycopy(starts, added, starts, added + 1, steps - added);
    System.arraycopy(free, added, free, added + 1, steps - added);
    starts[added] = instant;
    free[added] = free[step];
    steps++;
    return added;
  }

  /** Joins a step with the one before if they are equal. */
  private void joinAt(int step) {
    if (step > 0 && step < steps && free[step] == free[step - 1]) {
      steps--;
      System.arraycopy(starts, step + 1, starts, step, steps - step);
      System.arraycopy(free, step + 1, free, step, steps - step);
    }
  }

  private void ensureSpace() {
    if (steps == starts.length) {
      starts = Arrays.copyOf(starts, 2 * steps);
      free = Arrays.copyOf(free, 2 * steps);
    }
  }
}
