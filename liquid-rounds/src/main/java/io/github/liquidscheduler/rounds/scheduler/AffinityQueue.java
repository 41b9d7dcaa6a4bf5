package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Classes of jobs, and in the lowest class the job and the idle GPU that regret each other least:
 * where its task is fastest beside a reference, such as the fastest GPU of the pool; of equal ones
 * the job submitted first, then the first GPU (HLAS).
 *
 * <p>The jobs of a class are ordered by affinity for each GPU model, so that a choice looks at one
 * job for each model of which a GPU is idle. A job is moved in O(models × log jobs).
 */
final class AffinityQueue implements RoundQueue {

  /** The jobs of one class, by their affinity for each model. */
  private static final class ServiceClass {
    private final Map<GpuModel, TreeSet<Affinity>> byModel = new TreeMap<>();
    private int jobs;

    SortedSet<Affinity> of(GpuModel model) {
      return byModel.computeIfAbsent(model, none -> new TreeSet<>(Affinity.IN_ORDER));
    }
  }

  private record Entry(int rank, ServiceClass of, Map<GpuModel, Affinity> affinities) {}

  private record Affinity(double value, JobRounds job) {

    static final Comparator<Affinity> IN_ORDER =
        Comparator.comparingDouble(Affinity::value)
            .reversed()
            .thenComparingLong(affinity -> affinity.job().order());
  }

  private final TreeMap<Integer, ServiceClass> classes = new TreeMap<>();
  private final Map<JobId, Entry> entries = new HashMap<>();
  private final GpuFleet fleet;
  private final ToIntFunction<JobRounds> serviceClass;
  private final ToDoubleBiFunction<GpuFleet, TaskTimeEstimates> reference;

  /** Makes a queue without jobs, which compares the seconds on a GPU to those of the reference. */
  AffinityQueue(
      GpuFleet fleet,
      ToIntFunction<JobRounds> serviceClass,
      ToDoubleBiFunction<GpuFleet, TaskTimeEstimates> reference) {
    this.fleet = fleet;
    this.serviceClass = serviceClass;
    this.reference = reference;
  }

  @Override
  public void add(JobRounds job) {
    int rank = serviceClass.applyAsInt(job);
    ServiceClass members = classes.computeIfAbsent(rank, none -> new ServiceClass());
    Entry entry = new Entry(rank, members, new TreeMap<>());
    double seconds = reference.applyAsDouble(fleet, job.times());
    for (ModelGpus gpus : fleet.models()) {
      Affinity affinity = new Affinity(seconds / job.times().seconds(gpus.model()), job);
      entry.affinities().put(gpus.model(), affinity);
      members.of(gpus.model()).add(affinity);
    }
    members.jobs++;
    entries.put(job.id(), entry);
  }

  @Override
  public void remove(JobRounds job) {
    @Nullable Entry entry = entries.remove(job.id());
    if (entry == null) {
      return;
    }
    entry.affinities().forEach((model, affinity) -> entry.of().of(model).remove(affinity));
    entry.of().jobs--;
    if (entry.of().jobs == 0) {
      classes.remove(entry.rank());
    }
  }

  @Override
  public void clear() {
    classes.clear();
    entries.clear();
  }

  @Override
  public @Nullable Match next() {
    if (classes.isEmpty()) {
      return null;
    }
    Map.Entry<Integer, ServiceClass> lowest = classes.firstEntry();
    @Nullable Choice best = null;
    for (ModelGpus gpus : fleet.models()) {
      if (!gpus.idle.isEmpty()) {
        Affinity first = lowest.getValue().of(gpus.model()).first();
        Choice choice = new Choice(first, gpus.idle.firstEntry().getValue());
        best = best == null || choice.isBefore(best) ? choice : best;
      }
    }
    return best == null ? null : new Match(best.affinity().job(), best.gpu(), lowest.getKey());
  }

  private record Choice(Affinity affinity, PoolGpu gpu) {

    boolean isBefore(Choice other) {
      int order = Affinity.IN_ORDER.compare(affinity, other.affinity);
      return order < 0 || (order == 0 && gpu.position() < other.gpu.position());
    }
  }
}
