package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.job.JobId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One job after the other: that of the lowest rank, of equal ones the one submitted first, gets the
 * idle GPU on which its task takes least, of equal ones the first.
 */
final class RankedQueue implements RoundQueue {

  private record Entry(double rank, JobRounds job) {}

  private final TreeSet<Entry> jobs =
      new TreeSet<>(
          Comparator.comparingDouble(Entry::rank).thenComparingLong(entry -> entry.job().order()));

  private final Map<JobId, Entry> entries = new HashMap<>();
  private final GpuFleet fleet;
  private final ToDoubleFunction<JobRounds> rank;

  RankedQueue(GpuFleet fleet, ToDoubleFunction<JobRounds> rank) {
    this.fleet = fleet;
    this.rank = rank;
  }

  @Override
  public void add(JobRounds job) {
    Entry entry = new Entry(rank.applyAsDouble(job), job);
    jobs.add(entry);
    entries.put(job.id(), entry);
  }

  @Override
  public void remove(JobRounds job) {
    @Nullable Entry entry = entries.remove(job.id());
    if (entry != null) {
      jobs.remove(entry);
    }
  }

  @Override
  public void clear() {
    jobs.clear();
    entries.clear();
  }

  @Override
  public @Nullable Match next() {
    if (jobs.isEmpty()) {
      return null;
    }
    Entry first = jobs.first();
    @Nullable PoolGpu gpu = fastestIdle(first.job().times());
    return gpu == null ? null : new Match(first.job(), gpu, first.rank());
  }

  private @Nullable PoolGpu fastestIdle(TaskTimeEstimates times) {
    @Nullable PoolGpu best = null;
    double least = Double.POSITIVE_INFINITY;
    for (ModelGpus gpus : fleet.models()) {
      if (!gpus.idle.isEmpty()) {
        PoolGpu first = gpus.idle.firstEntry().getValue();
        double seconds = times.seconds(gpus.model());
        boolean isFirst = best == null || first.position() < best.position();
        if (seconds < least || (seconds == least && isFirst)) {
          best = first;
          least = seconds;
        }
      }
    }
    return best;
  }
}
