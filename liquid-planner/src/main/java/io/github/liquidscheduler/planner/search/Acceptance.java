package io.github.liquidscheduler.planner.search;

import java.util.Arrays;

/**
 * The rule of late acceptance: a plan is accepted if it is no worse than the last one, or than the
 * one {@value #STEPS_BACK} steps ago. A copy of what the solver keeps to itself, so that hopeless
 * moves are dropped where they are made and cost the solver nothing.
 */
final class Acceptance {

  /** How many steps back a plan is compared with. */
  static final int STEPS_BACK = 400;

  private final long[] waiting = new long[STEPS_BACK];
  private final long[] soft = new long[STEPS_BACK];
  private int at;
  private long lastWaiting;
  private long lastSoft;

  /** Makes a history in which every plan was the first. */
  Acceptance(long firstWaiting, long firstSoft) {
    Arrays.fill(waiting, firstWaiting);
    Arrays.fill(soft, firstSoft);
    lastWaiting = firstWaiting;
    lastSoft = firstSoft;
  }

  /** Returns true if a plan will be accepted. */
  boolean accepts(long newWaiting, long newSoft) {
    return isNoWorse(newWaiting, newSoft, lastWaiting, lastSoft)
        || isNoWorse(newWaiting, newSoft, waiting[at], soft[at]);
  }

  /** Notes the plan that a step led to. */
  void step(long newWaiting, long newSoft) {
    lastWaiting = newWaiting;
    lastSoft = newSoft;
    waiting[at] = newWaiting;
    soft[at] = newSoft;
    at = at + 1 == STEPS_BACK ? 0 : at + 1;
  }

  private static boolean isNoWorse(long w, long s, long thanW, long thanS) {
    return w < thanW || (w == thanW && s <= thanS);
  }
}
