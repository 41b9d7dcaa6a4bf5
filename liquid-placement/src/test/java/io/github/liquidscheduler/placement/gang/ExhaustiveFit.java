package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Whether a job of one role fits, by looking at every node of every domain. */
public final class ExhaustiveFit {

  private final ClusterView view;
  private final JobSpec job;

  public ExhaustiveFit(ClusterView view, JobSpec job) {
    this.view = view;
    this.job = job;
  }

  public boolean fits() {
    if (job.gpuModels().isEmpty()) {
      return fits(model -> true);
    }
    return job.gpuModels().stream().anyMatch(model -> fits(model::equals));
  }

  private boolean fits(Predicate<GpuModel> models) {
    ClusterTopology topology = view.topology();
    List<String> levels = topology.levels();
    int required = job.topology().required().map(levels::indexOf).orElse(0);
    if (required == 0 && fits(models, new NodeRange(0, topology.nodes().size()))) {
      return true;
    }
    for (Domain domain : topology.domains()) {
      if (levels.indexOf(domain.level()) >= required
          && fits(models, topology.nodesOf(domain.id()))) {
        return true;
      }
    }
    for (int node = 0; node < topology.nodes().size(); node++) {
      if (fits(models, new NodeRange(node, node + 1))) {
        return true;
      }
    }
    return false;
  }

  private boolean fits(Predicate<GpuModel> models, NodeRange range) {
    TopologyConstraint constraint = job.topology();
    String level =
        constraint
            .slices()
            .map(TopologyConstraint.Slices::level)
            .or(() -> constraint.spread().map(TopologyConstraint.Spread::level))
            .orElse(ClusterTopology.NODE);
    Map<Object, Long> tasks = new LinkedHashMap<>();
    for (int position = range.first(); position < range.end(); position++) {
      Node node = view.topology().nodes().get(position);
      Object domain = view.topology().domainOf(node.id(), level).<Object>map(d -> d).orElse(node);
      tasks.merge(domain, tasks(models, node), Long::sum);
    }
    long most = constraint.spread().map(TopologyConstraint.Spread::maxTasks).orElse(1 << 30);
    int slice = constraint.slices().map(TopologyConstraint.Slices::tasks).orElse(1);
    return fits(tasks.values().stream().map(capacity -> Math.min(capacity, most)).toList(), slice);
  }

  /** The last slice may be smaller, so what is left over in one domain may be enough for it. */
  private boolean fits(List<Long> capacities, int slice) {
    int count = job.roles().get(0).count();
    long whole = capacities.stream().mapToLong(capacity -> capacity / slice).sum();
    boolean restFits = capacities.stream().anyMatch(capacity -> capacity % slice >= count % slice);
    return whole > count / slice || (whole == count / slice && restFits);
  }

  private long tasks(Predicate<GpuModel> models, Node node) {
    TaskRole role = job.roles().get(0);
    ResourceRequest request = role.request();
    boolean carriesLabels = node.labels().entrySet().containsAll(job.nodeLabels(role).entrySet());
    if (view.health(node.id()) != NodeHealth.UP || !carriesLabels) {
      return 0;
    }
    long tasks = role.count();
    if (request.share().isPresent()) {
      tasks =
          Math.min(
              tasks,
              IntStream.range(0, node.gpus().size())
                  .filter(gpu -> models.test(node.gpus().get(gpu).model()))
                  .mapToLong(gpu -> shares(request, new GpuId(node.id(), gpu)))
                  .sum());
    } else if (request.gpus() > 0) {
      boolean usable =
          !node.gpus().isEmpty() && node.gpus().stream().allMatch(gpu -> usable(models, gpu));
      tasks = Math.min(tasks, usable ? view.freeGpus(node.id()) / request.gpus() : 0);
    }
    long cpu = request.cpu().orElse(CpuCores.ZERO).millicores();
    long memory = request.memory().orElse(Memory.ZERO).bytes();
    tasks = cpu == 0 ? tasks : Math.min(tasks, view.freeCpu(node.id()).millicores() / cpu);
    return memory == 0 ? tasks : Math.min(tasks, view.freeMemory(node.id()).bytes() / memory);
  }

  private long shares(ResourceRequest request, GpuId gpu) {
    long memory = request.gpuMemory().orElse(Memory.ZERO).bytes();
    long shares = view.freeShare(gpu) / request.share().orElseThrow().thousandths();
    return memory == 0 ? shares : Math.min(shares, view.freeGpuMemory(gpu).bytes() / memory);
  }

  private boolean usable(Predicate<GpuModel> models, Gpu gpu) {
    Memory requested = job.roles().get(0).request().gpuMemory().orElse(Memory.ZERO);
    return models.test(gpu.model()) && gpu.memory().compareTo(requested) >= 0;
  }
}
