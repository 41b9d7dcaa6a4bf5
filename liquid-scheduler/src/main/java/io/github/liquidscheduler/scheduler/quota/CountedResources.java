package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a queue tree counts: requested and held amounts of jobs, and the capacity of a
 * cluster, in the smallest units.
 */
final class CountedResources {

  private static final int MOST_CHARGES = 10_000;

  private final List<QuotaResource> resources;
  private final int[][] pools;
  private final boolean countModels;
  // Never iterated. Interned: equal charges share one object.
  private final Map<Charge, Charge> charges = new HashMap<>();
  private @Nullable ClusterTopology measured;
  private long[][] ofNodes = {};

  CountedResources(List<QuotaResource> resources) {
    this.resources = resources;
    pools = pools(resources);
    countModels = resources.stream().anyMatch(counted -> counted.model().isPresent());
  }

  private static int[][] pools(List<QuotaResource> resources) {
    Map<Object, List<Integer>> pools = new LinkedHashMap<>();
    for (int resource = 0; resource < resources.size(); resource++) {
      QuotaResource counted = resources.get(resource);
      Object one = counted.model().isPresent() ? counted.kind() : counted;
      pools.computeIfAbsent(one, each -> new ArrayList<>()).add(resource);
    }
    return pools.values().stream()
        .map(pool -> pool.stream().mapToInt(each -> each).toArray())
        .toArray(int[][]::new);
  }

  /** Returns the indices of resources that count as one pool: GPUs of all models. */
  int[][] pools() {
    return pools;
  }

  /**
   * Returns true if the held amounts may depend on the placement: GPUs are counted by model, and
   * the job may run on several models.
   */
  boolean dependOnPlacement(JobSpec job) {
    return countModels && job.gpuModels().size() != 1;
  }

  /** Returns the amounts that a job requests. */
  Charge requested(JobSpec job) {
    long[] amounts = new long[resources.size()];
    Optional<GpuModel> model = job.gpuModels().stream().findFirst();
    for (TaskRole role : job.roles()) {
      add(amounts, role.request(), role.count(), model);
    }
    return theOneOf(amounts);
  }

  /** Returns the amounts that a running job holds. */
  Charge held(Placement placement, ClusterTopology topology) {
    long[] amounts = new long[resources.size()];
    for (TaskPlacement task : placement.tasks()) {
      add(amounts, task.request(), 1, countModels ? model(task, topology) : Optional.empty());
    }
    return theOneOf(amounts);
  }

  private static Optional<GpuModel> model(TaskPlacement task, ClusterTopology topology) {
    return task.gpuIds().findFirst().map(gpu -> topology.gpu(gpu).model());
  }

  private Charge theOneOf(long[] amounts) {
    if (charges.size() >= MOST_CHARGES) {
      charges.clear();
    }
    Charge charge = new Charge(amounts);
    @Nullable Charge known = charges.putIfAbsent(charge, charge);
    return known == null ? charge : known;
  }

  private void add(long[] amounts, ResourceRequest request, int tasks, Optional<GpuModel> model) {
    for (int resource = 0; resource < amounts.length; resource++) {
      QuotaResource counted = resources.get(resource);
      long each =
          switch (counted.kind()) {
            case GPU -> isCounted(counted, model) ? thousandths(request) : 0;
            case CPU -> request.cpu().map(CpuCores::millicores).orElse(0L);
            case MEMORY -> request.memory().map(Memory::bytes).orElse(0L);
          };
      amounts[resource] = Charge.sum(amounts[resource], Charge.times(each, tasks));
    }
  }

  private static boolean isCounted(QuotaResource gpus, Optional<GpuModel> model) {
    return gpus.model().isEmpty() || gpus.model().equals(model);
  }

  private static long thousandths(ResourceRequest request) {
    return request.gpus() * (long) request.share().orElse(GpuShare.WHOLE).thousandths();
  }

  /** Returns the capacity of all nodes that are not lost. */
  long[] capacity(ClusterView cluster) {
    measure(cluster.topology());
    long[] sum = new long[resources.size()];
    for (int node = 0; node < ofNodes.length; node++) {
      if (cluster.health(cluster.topology().nodes().get(node).id()) != NodeHealth.LOST) {
        for (int resource = 0; resource < sum.length; resource++) {
          sum[resource] = Charge.sum(sum[resource], ofNodes[node][resource]);
        }
      }
    }
    return sum;
  }

  /** Computes the capacity of each node. It is constant for one topology. */
  @SuppressWarnings("ReferenceEquality") // comparing two of the same nodes takes as long
  private void measure(ClusterTopology topology) {
    if (topology != measured) {
      ofNodes = topology.nodes().stream().map(this::ofNode).toArray(long[][]::new);
      measured = topology;
    }
  }

  private long[] ofNode(Node node) {
    long[] amounts = new long[resources.size()];
    for (int resource = 0; resource < amounts.length; resource++) {
      QuotaResource counted = resources.get(resource);
      amounts[resource] =
          switch (counted.kind()) {
            case GPU ->
                counted.perUnit()
                    * node.gpus().stream()
                        .filter(gpu -> isCounted(counted, Optional.of(gpu.model())))
                        .count();
            case CPU -> node.cpu().millicores();
            case MEMORY -> node.memory().bytes();
          };
    }
    return amounts;
  }
}
