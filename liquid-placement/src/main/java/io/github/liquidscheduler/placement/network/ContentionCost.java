package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The seconds that a candidate adds to the iterations of running jobs. A job is slowed by its worst
 * link, so a change of a link concerns only the jobs on it. Sums are of whole units of
 * 2<sup>-40</sup> seconds, so that subtracting undoes adding exactly.
 */
final class ContentionCost {

  private static final double UNITS = 0x1p40;
  private static final double MOST_SECONDS = 1000;

  /** Answers remembered for each job, whose links are slowed in few different ways. */
  private static final int REMEMBERED = 4;

  private final LinkLoads loads;
  private final NetworkParameters parameters;
  private final double[] slowerOn;
  private final boolean[] wasSet;
  private int[] set = new int[64];
  private int setSize;
  private double[] worst = new double[0];
  private long[] extra = new long[0];
  private boolean[] wasSlowed = new boolean[0];
  private int[] slowed = new int[0];
  private int slowedSize;
  private double[] askedOf = new double[0];
  private long[] answers = new long[0];
  private long total;

  ContentionCost(LinkLoads loads) {
    this.loads = loads;
    parameters = loads.model().parameters();
    slowerOn = new double[loads.model().links().size()];
    wasSet = new boolean[slowerOn.length];
  }

  /** Starts over, with a candidate without contention. */
  void clear() {
    for (int i = 0; i < setSize; i++) {
      slowerOn[set[i]] = 0;
      wasSet[set[i]] = false;
    }
    for (int i = 0; i < slowedSize; i++) {
      worst[slowed[i]] = 0;
      extra[slowed[i]] = 0;
      wasSlowed[slowed[i]] = false;
    }
    setSize = 0;
    slowedSize = 0;
    total = 0;
    if (worst.length < loads.senders()) {
      grow(2 * loads.senders());
    }
  }

  private void grow(int size) {
    worst = new double[size];
    extra = new long[size];
    wasSlowed = new boolean[size];
    slowed = new int[size];
    askedOf = new double[size * REMEMBERED];
    answers = new long[size * REMEMBERED];
  }

  /** Forgets the answers remembered for a slot, whose job changes. */
  void forget(int slot) {
    if (slot < worst.length) {
      Arrays.fill(askedOf, slot * REMEMBERED, (slot + 1) * REMEMBERED, 0);
    }
  }

  /** Sets the fraction by which transfers over a link take longer. */
  void set(int link, double slower) {
    double before = slowerOn[link];
    if (slower == before) {
      return;
    }
    if (!wasSet[link]) {
      note(link);
    }
    slowerOn[link] = slower;
    for (int i = 0; i < loads.jobsHere(link); i++) {
      int slot = loads.slotOn(link, i);
      if (slower > worst[slot]) {
        slow(slot, slower);
      } else if (before == worst[slot]) {
        slow(slot, worstLink(slot));
      }
    }
  }

  private void note(int link) {
    if (setSize == set.length) {
      set = Arrays.copyOf(set, 2 * setSize);
    }
    wasSet[link] = true;
    set[setSize++] = link;
  }

  private void slow(int slot, double slower) {
    if (!wasSlowed[slot]) {
      wasSlowed[slot] = true;
      slowed[slowedSize++] = slot;
    }
    long now = units(slot, slower);
    total += now - extra[slot];
    worst[slot] = slower;
    extra[slot] = now;
  }

  private double worstLink(int slot) {
    double slowest = 0;
    for (int link : loads.sender(slot).links()) {
      slowest = Math.max(slowest, slowerOn[link]);
    }
    return slowest;
  }

  private long units(int slot, double slower) {
    if (slower == 0) {
      return 0;
    }
    long bits = Double.doubleToRawLongBits(slower);
    int at = slot * REMEMBERED + (int) ((bits * 0x9E3779B97F4A7C15L) >>> 62);
    if (askedOf[at] != slower) {
      askedOf[at] = slower;
      answers[at] =
          Math.round(Math.min(MOST_SECONDS, extraSeconds(loads.sender(slot), slower)) * UNITS);
    }
    return answers[at];
  }

  private double extraSeconds(LinkSender sender, double slower) {
    double slowedDown = sender.communicateSeconds() * (1 + slower);
    double exposed = parameters.exposedSeconds(sender.computeSeconds(), slowedDown);
    return Math.max(0, exposed - sender.exposedSeconds());
  }

  /** Returns the seconds of all jobs together. */
  double seconds() {
    return total / UNITS;
  }

  /**
   * Returns the seconds of all jobs on a link if it alone made transfers longer by this fraction.
   */
  double seconds(int link, double slower) {
    long sum = 0;
    for (int i = 0; i < loads.jobsHere(link); i++) {
      sum += units(loads.slotOn(link, i), slower);
    }
    return sum / UNITS;
  }

  /** Returns the seconds of each slowed job. */
  Map<JobId, Double> byJob() {
    Map<JobId, Double> contention = new LinkedHashMap<>();
    for (int i = 0; i < slowedSize; i++) {
      if (worst[slowed[i]] > 0) {
        contention.put(loads.sender(slowed[i]).job(), extra[slowed[i]] / UNITS);
      }
    }
    return contention;
  }
}
