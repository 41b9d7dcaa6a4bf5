package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobId;
import java.util.Arrays;

/**
 * The traffic of a running job.
 *
 * @param links the links it sends over
 * @param bytesPerSecond its rate over each of them
 * @param computeSeconds the seconds that an iteration computes
 * @param communicateSeconds the seconds it communicates without other traffic
 * @param exposedSeconds the part of these that computing does not hide
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never shared
record LinkSender(
    JobId job,
    int[] links,
    long[] bytesPerSecond,
    double computeSeconds,
    double communicateSeconds,
    double exposedSeconds) {

  /** A petabyte per second over one link, so that the rates of thousands of jobs can be added. */
  private static final long MOST_PER_SECOND = 1L << 50;

  /** Returns the traffic of a job with these task counts. */
  static LinkSender of(NetworkModel model, Traffic traffic, TaskCounts counts) {
    model.trace(traffic, counts);
    double compute = model.computeSeconds(traffic);
    double communicate = model.seconds(traffic, null);
    double iteration = model.parameters().iterationSeconds(compute, communicate);
    TrafficFootprint footprint = model.footprint();
    int[] crossed = new int[footprint.size()];
    long[] rates = new long[footprint.size()];
    int size = 0;
    for (int part = 0; part < footprint.size(); part++) {
      double bytes = model.bytes(traffic, part);
      if (bytes > 0) {
        crossed[size] = footprint.link(part);
        rates[size++] = Math.min(MOST_PER_SECOND, Math.round(bytes / iteration));
      }
    }
    return new LinkSender(
        traffic.job(),
        Arrays.copyOf(crossed, size),
        Arrays.copyOf(rates, size),
        compute,
        communicate,
        model.parameters().exposedSeconds(compute, communicate));
  }

  /** Returns this traffic over renumbered links. */
  LinkSender over(int[] numbers) {
    int[] renumbered = new int[links.length];
    Arrays.setAll(renumbered, i -> numbers[links[i]]);
    return new LinkSender(
        job, renumbered, bytesPerSecond, computeSeconds, communicateSeconds, exposedSeconds);
  }
}
