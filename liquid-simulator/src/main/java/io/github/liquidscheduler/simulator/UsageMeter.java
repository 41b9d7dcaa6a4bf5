package io.github.liquidscheduler.simulator;

import java.util.TreeMap;

/**
 * Adds up, over time, how many GPUs were held, and how many were free though jobs waited. GPU times
 * are in GPU-seconds.
 */
final class UsageMeter {

  private final ClusterLedger ledger;
  private final TreeMap<Integer, Integer> waitingBySize = new TreeMap<>();
  private long now;
  private double heldTime;
  private double usefulTime;
  private double freeWhileWaiting;
  private double scatteredWhileWaiting;

  UsageMeter(ClusterLedger ledger) {
    this.ledger = ledger;
  }

  /** Lets time pass with everything as it is. */
  void advance(long time) {
    double seconds = VirtualTime.seconds(time - now);
    if (seconds > 0) {
      heldTime += ledger.heldGpus() * seconds;
      if (!waitingBySize.isEmpty()) {
        FreeGpus free = ledger.free();
        freeWhileWaiting += free.total() * seconds;
        scatteredWhileWaiting += free.tooScattered(waitingBySize.lastKey()) * seconds;
      }
      now = time;
    }
  }

  void waits(SimulatedJob job) {
    waitingBySize.merge(job.spec().gpus(), 1, Integer::sum);
  }

  void waitsNoMore(SimulatedJob job) {
    waitingBySize.computeIfPresent(job.spec().gpus(), (gpus, jobs) -> jobs == 1 ? null : jobs - 1);
  }

  /** Notes that a job on {@code gpus} GPUs got on for {@code worked} nanoseconds. */
  void worked(int gpus, long worked) {
    usefulTime += gpus * VirtualTime.seconds(worked);
  }

  double heldTime() {
    return heldTime;
  }

  double usefulTime() {
    return usefulTime;
  }

  /** Returns the share of GPU time free while jobs waited that was too scattered; 0 if none was. */
  double fragmentation() {
    return freeWhileWaiting == 0 ? 0 : scatteredWhileWaiting / freeWhileWaiting;
  }
}
