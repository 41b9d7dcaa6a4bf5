package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.placement.cost.NetworkParameters;
import java.util.Arrays;

/**
 * The uncontended usage of each link that a job's placement crosses. Links are numbered from 0, see
 * {@link NetworkModel#linkCount}. Reusable. Not thread-safe.
 */
public final class LinkUsage {

  private int[] links = new int[16];
  private double[] busy = new double[16];
  private double[] delay = new double[16];
  private int size;

  /** Makes an empty usage. */
  public LinkUsage() {}

  /** Returns the number of links used. */
  public int size() {
    return size;
  }

  /** Returns the number of the link at a position from 0 to {@link #size} - 1. */
  public int link(int at) {
    return links[at];
  }

  /** Returns the fraction of each iteration in which the job keeps the link busy, from 0 to 1. */
  public double busy(int at) {
    return busy[at];
  }

  /**
   * Returns the seconds added to each iteration if another job sends over the link all the time,
   * and each gets half of it.
   */
  public double delay(int at) {
    return delay[at];
  }

  /**
   * Sets the uncontended usage of each link by a traffic. The delay is that of the slowest link,
   * scaled for the others by their seconds.
   *
   * @throws IllegalArgumentException if the counts are of another number of roles than the job has
   */
  public void note(NetworkModel model, Traffic traffic, TaskCounts counts) {
    size = 0;
    model.trace(traffic, counts);
    NetworkParameters parameters = model.parameters();
    TrafficFootprint footprint = model.footprint();
    double compute = model.computeSeconds(traffic);
    double communicate = model.seconds(traffic, null);
    double slowest = 0;
    for (int part = 0; part < footprint.size(); part++) {
      slowest = Math.max(slowest, model.linkSeconds(traffic, part, null));
    }
    double iteration = parameters.iterationSeconds(compute, communicate);
    double all =
        parameters.exposedSeconds(compute, communicate + slowest)
            - parameters.exposedSeconds(compute, communicate);
    for (int part = 0; part < footprint.size(); part++) {
      double seconds = model.linkSeconds(traffic, part, null);
      if (seconds > 0) {
        add(footprint.link(part), Math.min(1, seconds / iteration), all * seconds / slowest);
      }
    }
  }

  private void add(int link, double linkBusy, double linkDelay) {
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
