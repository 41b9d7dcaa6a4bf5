package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the delay of waiting jobs if running jobs move.
 *
 * <p>GPUs are divided into bundles of the first waiting job's size: within a node if its GPU model
 * has nodes that large, else over all nodes of the model. A bundle is ready when the last of its
 * GPUs is expected to be free. Each bundle serves some waiting jobs in sequence, in proportion to
 * the first job's speed there, all together the whole queue. A bundle ready later delays all that
 * it serves.
 *
 * <p>So moving a small job to an idle fast node for which a large one waits may cost more than it
 * saves, and a long job that leaves fast GPUs to a short one delays no job if both lose alike on
 * slow ones. Costs O(running jobs), then O(jobs on the nodes concerned) per question.
 */
final class QueueDelay {

  private final ClusterTopology topology;
  private final int gpus;
  private final Map<GpuModel, Double> served;
  private final Map<GpuModel, Integer> largest;
  private final Map<Pool, List<Held>> held = new LinkedHashMap<>();

  /** The GPUs of one model on a node, or on all nodes. */
  private record Pool(GpuModel model, @Nullable NodeId node) {}

  /** GPUs of a pool that a job holds for some seconds. */
  private record Held(JobEntry job, int gpus, double seconds) {

    static final Comparator<Held> SOONEST_FIRST = Comparator.comparingDouble(Held::seconds);
  }

  /** A job that moves, and its remaining seconds there. */
  record Relocation(JobEntry job, Placement to, double seconds) {}

  /** Reads the waiting and running jobs. */
  QueueDelay(JobTable jobs, JobSpeeds speeds) {
    topology = jobs.cluster().topology();
    largest = speeds.largestNodes(topology);
    @Nullable JobEntry first = jobs.eligible().first();
    gpus = first == null ? 0 : first.job().gpus();
    served = first == null || gpus == 0 ? Map.of() : served(first, jobs, speeds);
    if (isAny()) {
      for (JobEntry job : jobs.running().inOrder()) {
        Placement at = job.placement().orElseThrow();
        double speed = speeds.at(job.job(), job.history().gpuSpeeds(), at, topology);
        hold(held, new Relocation(job, at, MovableJobs.left(job, jobs) / speed));
      }
    }
  }

  /** Returns the number of waiting jobs that each bundle of a model serves. */
  private Map<GpuModel, Double> served(JobEntry first, JobTable jobs, JobSpeeds speeds) {
    Map<GpuModel, Double> known = speeds.of(first.job(), first.history().gpuSpeeds(), topology);
    List<GpuModel> allowed = first.job().gpuModels();
    Map<GpuModel, Double> rates = new TreeMap<>();
    double all = 0;
    for (Map.Entry<GpuModel, Integer> model : topology.gpusByModel().entrySet()) {
      if (allowed.isEmpty() || allowed.contains(model.getKey())) {
        double rate = known.getOrDefault(model.getKey(), 1.0);
        rates.put(model.getKey(), rate);
        all += rate * (model.getValue() / gpus);
      }
    }
    double each = all == 0 ? 0 : jobs.eligible().size() / all;
    rates.replaceAll((model, rate) -> rate * each);
    return rates;
  }

  /** Returns true if a job that needs GPUs waits. */
  boolean isAny() {
    return !served.isEmpty();
  }

  /** Returns the total delay of all waiting jobs in seconds; negative if they gain. */
  double of(List<Relocation> relocations) {
    if (!isAny()) {
      return 0;
    }
    Map<Pool, List<Held>> changed = new LinkedHashMap<>();
    double delay = 0;
    for (Pool pool : pools(relocations)) {
      List<Held> there = new ArrayList<>(held.getOrDefault(pool, List.of()));
      there.removeIf(each -> relocations.stream().anyMatch(one -> one.job().equals(each.job())));
      changed.put(pool, there);
    }
    relocations.forEach(each -> hold(changed, each));
    for (Map.Entry<Pool, List<Held>> pool : changed.entrySet()) {
      double before = ready(pool.getKey(), held.getOrDefault(pool.getKey(), List.of()));
      double after = ready(pool.getKey(), pool.getValue());
      delay += (after - before) * served.getOrDefault(pool.getKey().model(), 0.0);
    }
    return delay;
  }

  private Set<Pool> pools(List<Relocation> relocations) {
    Set<Pool> pools = new LinkedHashSet<>();
    for (Relocation each : relocations) {
      for (Placement placement : List.of(each.job().placement().orElseThrow(), each.to())) {
        placement.tasks().stream().map(this::pools).map(Map::keySet).forEach(pools::addAll);
      }
    }
    return pools;
  }

  private void hold(Map<Pool, List<Held>> into, Relocation at) {
    for (TaskPlacement task : at.to().tasks()) {
      pools(task)
          .forEach(
              (pool, there) ->
                  into.computeIfAbsent(pool, each -> new ArrayList<>())
                      .add(new Held(at.job(), there, at.seconds())));
    }
  }

  private Map<Pool, Integer> pools(TaskPlacement task) {
    Map<Pool, Integer> pools = new LinkedHashMap<>();
    for (int gpu : task.gpus()) {
      GpuModel model = topology.node(task.node()).gpus().get(gpu).model();
      boolean isOnNode = gpus <= largest.getOrDefault(model, 0);
      pools.merge(new Pool(model, isOnNode ? task.node() : null), 1, Integer::sum);
    }
    return pools;
  }

  /** Returns the sum of the seconds until each bundle of a pool is ready. */
  private double ready(Pool pool, List<Held> there) {
    int size = size(pool);
    int free = size - there.stream().mapToInt(Held::gpus).sum();
    double sum = 0;
    int bundles = Math.max(0, free) / gpus;
    for (Held each : there.stream().sorted(Held.SOONEST_FIRST).toList()) {
      free += each.gpus();
      while (bundles < free / gpus) {
        sum += each.seconds();
        bundles++;
      }
    }
    return sum;
  }

  private int size(Pool pool) {
    NodeId node = pool.node();
    return node == null
        ? topology.gpusByModel().getOrDefault(pool.model(), 0)
        : (int)
            topology.node(node).gpus().stream()
                .filter(gpu -> gpu.model().equals(pool.model()))
                .count();
  }
}
