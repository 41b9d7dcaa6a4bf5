package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a kind of resource is short if the job does not fit though it needed nothing else: in no
 * domain of the level that it requires are there enough nodes with enough of it. What a queue counts
 * is short if that kind is, or if the queue's limit is exceeded.
 * Invariants: not empty. If something is short that the queues do not count, or only the combination
 * is, everything counts. QueuesTest, GivingBackLaws.
 * Cost: O(roles x nodes) where queues count more than one resource, else O(1).
 */
/** The counted resources that are short for a waiting job: only these decide who has to give. */
final class ShortResources {

  private final CapacityIndex index;
  private final JobSpec job;
  private final boolean[] pools;
  private final List<NodeRange> domains;

  private ShortResources(CapacityIndex index, JobSpec job) {
    this.index = index;
    this.job = job;
    List<GpuPool> all = index.pools();
    pools = new boolean[all.size()];
    for (int pool = 0; pool < pools.length; pool++) {
      pools[pool] = job.gpuModels().isEmpty() || all.get(pool).isAllowedTo(job);
    }
    domains = domains(index, job);
  }

  private static List<NodeRange> domains(CapacityIndex index, JobSpec job) {
    List<String> levels = index.topology().levels();
    int level = job.topology().required().map(levels::indexOf).orElse(-1);
    boolean isOfSeveralNodes = level >= 0 && level < levels.size() - 1;
    return isOfSeveralNodes
        ? index.nodesOf(level)
        : List.of(new NodeRange(0, index.topology().nodes().size()));
  }

  /** Returns the indices of the resources, in the cluster as it is. Requires a queue tree. */
  static BitSet of(JobTable table, JobEntry winner) {
    List<QuotaResource> counted = table.quotas().resources();
    BitSet all = new BitSet();
    all.set(0, counted.size());
    if (counted.size() == 1) {
      return all;
    }
    Set<QuotaResource.Kind> lacking =
        new ShortResources(table.cluster().index(), winner.job().atLeastSize()).lacking();
    BitSet scarce = table.quotas().admission().exceeded(winner);
    BitSet asked = table.quotas().admission().asked(winner);
    for (int resource = 0; resource < counted.size(); resource++) {
      if (asked.get(resource) && lacking.contains(counted.get(resource).kind())) {
        scarce.set(resource);
      }
    }
    lacking.removeIf(kind -> counted.stream().anyMatch(resource -> resource.kind() == kind));
    return scarce.isEmpty() || !lacking.isEmpty() ? all : scarce;
  }

  private Set<QuotaResource.Kind> lacking() {
    Set<QuotaResource.Kind> lacking = EnumSet.noneOf(QuotaResource.Kind.class);
    for (QuotaResource.Kind kind : QuotaResource.Kind.values()) {
      if (domains.stream().noneMatch(domain -> mayHold(kind, domain))) {
        lacking.add(kind);
      }
    }
    return lacking;
  }

  private boolean mayHold(QuotaResource.Kind kind, NodeRange domain) {
    long asked = 0;
    for (TaskRole role : job.roles()) {
      asked += role.count() * amount(kind, role.request());
      if (amount(kind, role.request()) > 0 && !mayHold(kind, role, domain)) {
        return false;
      }
    }
    return job.roles().size() == 1 || asked <= free(kind, domain);
  }

  private boolean mayHold(QuotaResource.Kind kind, TaskRole role, NodeRange domain) {
    @Nullable BitSet allowed = index.nodesAllowedTo(job, role);
    long tasks = 0;
    for (int node = domain.first(); node < domain.end() && tasks < role.count(); node++) {
      if (isUp(node) && (allowed == null || allowed.get(node))) {
        tasks += tasks(kind, role.request(), node);
      }
    }
    return tasks >= role.count();
  }

  private boolean isUp(int node) {
    return index.health(node) == NodeHealth.UP;
  }

  /** Returns the number of tasks for which a node has enough of a kind of resource. */
  private long tasks(QuotaResource.Kind kind, ResourceRequest request, int node) {
    if (kind != QuotaResource.Kind.GPU || request.share().isEmpty()) {
      return free(kind, node, false) / amount(kind, request);
    }
    int share = request.share().get().thousandths();
    long tasks = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      tasks += mayUse(node, gpu) ? index.freeShare(node, gpu) / share : 0;
    }
    return tasks / request.gpus();
  }

  private long free(QuotaResource.Kind kind, NodeRange domain) {
    long free = 0;
    for (int node = domain.first(); node < domain.end(); node++) {
      free += isUp(node) ? free(kind, node, true) : 0;
    }
    return free;
  }

  /** Returns the free amount on a node in the smallest units; GPUs partly free only if said. */
  private long free(QuotaResource.Kind kind, int node, boolean partly) {
    return switch (kind) {
      case CPU -> index.freeCpu(node);
      case MEMORY -> index.freeMemory(node);
      case GPU -> partly ? freeShares(node) : 1000L * Math.max(0, index.freeGpus(node, pools));
    };
  }

  private long freeShares(int node) {
    long free = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      free += mayUse(node, gpu) ? index.freeShare(node, gpu) : 0;
    }
    return free;
  }

  private boolean mayUse(int node, int gpu) {
    return !index.isLost(node, gpu) && pools[index.poolOf(node, gpu)];
  }

  private static long amount(QuotaResource.Kind kind, ResourceRequest request) {
    return switch (kind) {
      case CPU -> request.cpu().map(CpuCores::millicores).orElse(0L);
      case MEMORY -> request.memory().map(Memory::bytes).orElse(0L);
      case GPU ->
          request.gpus() * (long) request.share().map(share -> share.thousandths()).orElse(1000);
    };
  }
}
