package io.github.liquidscheduler.simulator.ledger;

import java.util.Arrays;

/**
 * Adds up, over time, how many GPUs were held, and how many were free though jobs waited. GPU times
 * are in GPU-seconds.
 */
public final class UsageMeter {
  private static final double NANOS = 1e9;

  private final ClusterLedger ledger;
  // By the GPUs of a job how many such jobs wait, how many do in all, and the most GPUs of one.
  private int[] waiting = new int[64];
  private int jobs;
  private int largest;
  private long now;
  private double heldTime;
  private double usefulTime;
  private double freeWhileWaiting;
  private double scatteredWhileWaiting;

  /** Makes a meter of what these books say. */
  public UsageMeter(ClusterLedger ledger) {
    this.ledger = ledger;
  }

  /** Lets time pass with everything as it is. */
  public void advance(long time) {
    double seconds = (time - now) / NANOS;
    if (seconds > 0) {
      heldTime += ledger.heldGpus() * seconds;
      if (jobs > 0) {
        FreeGpus free = ledger.free();
        freeWhileWaiting += free.total() * seconds;
        scatteredWhileWaiting += free.tooScattered(largest) * seconds;
      }
      now = time;
    }
  }

  /** Records that a job with a number of GPUs waits. */
  public void waits(int gpus) {
    if (gpus >= waiting.length) {
      waiting = Arrays.copyOf(waiting, 2 * gpus);
    }
    waiting[gpus]++;
    jobs++;
    largest = Math.max(largest, gpus);
  }

  /** Records that a job with a number of GPUs no longer waits. */
  public void waitsNoMore(int gpus) {
    waiting[gpus]--;
    jobs--;
    while (largest > 0 && waiting[largest] == 0) {
      largest--;
    }
  }

  /** Records that a job on {@code gpus} GPUs worked for {@code worked} nanoseconds. */
  public void worked(int gpus, long worked) {
    usefulTime += gpus * worked / NANOS;
  }

  /** Returns the GPU time that jobs held. */
  public double heldTime() {
    return heldTime;
  }

  /** Returns the GPU time in which jobs got on. */
  public double usefulTime() {
    return usefulTime;
  }

  /** Returns the share of GPU time free while jobs waited that was too scattered; 0 if none was. */
  public double fragmentation() {
    return freeWhileWaiting == 0 ? 0 : scatteredWhileWaiting / freeWhileWaiting;
  }
}
