package io.github.liquidscheduler.simulator.ledger;

import com.google.common.collect.Multiset;
import com.google.common.collect.TreeMultiset;
import org.jspecify.annotations.Nullable;

/**
 * Adds up, over time, how many GPUs were held, and how many were free though jobs waited. GPU times
 * are in GPU-seconds.
 */
public final class UsageMeter {
  private static final double NANOS = 1e9;

  private final ClusterLedger ledger;
  // The numbers of GPUs of the waiting jobs.
  private final TreeMultiset<Integer> waiting = TreeMultiset.create();
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
      Multiset.@Nullable Entry<Integer> largest = waiting.lastEntry();
      if (largest != null) {
        FreeGpus free = ledger.free();
        freeWhileWaiting += free.total() * seconds;
        scatteredWhileWaiting += free.tooScattered(largest.getElement()) * seconds;
      }
      now = time;
    }
  }

  /** Records that a job with a number of GPUs waits. */
  public void waits(int gpus) {
    waiting.add(gpus);
  }

  /** Records that a job with a number of GPUs no longer waits. */
  public void waitsNoMore(int gpus) {
    waiting.remove(gpus);
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
