package io.github.liquidscheduler.placement.network;

import java.util.Arrays;

/**
 * What a job uses of each link that its placement makes it cross, while nobody else sends. Links
 * are numbered from 0, see {@link NetworkModel#linkCount}. Filled by {@link
 * NetworkModel#noteLinkUsage}, to be reused. Not thread-safe.
 */
public final class LinkUsage {

  private int[] links = new int[16];
  private double[] busy = new double[16];
  private double[] delay = new double[16];
  private int size;

  /** Makes one that tells of no link. */
  public LinkUsage() {}

  /** Returns the number of links used. */
  public int size() {
    return size;
  }

  /** Returns the number of the link at a position from 0 to {@link #size} - 1. */
  public int link(int at) {
    return links[at];
  }

  /** Returns the part of each iteration for which the job keeps the link busy, from 0 to 1. */
  public double busy(int at) {
    return busy[at];
  }

  /**
   * Returns by how many seconds each iteration gets longer if somebody else sends over the link all
   * the time, and each gets half of it.
   */
  public double delay(int at) {
    return delay[at];
  }

  void clear() {
    size = 0;
  }

  void add(int link, double linkBusy, double linkDelay) {
    if (size == links.length) {
      links = Arrays.copyOf(links, 2 * size);
      busy = Arrays.copyOf(busy, 2 * size);
      delay = Arrays.copyOf(delay, 2 * size);
    }
    links[size] = link;
    busy[size] = linkBusy;
    delay[size++] = linkDelay;
  }
}
