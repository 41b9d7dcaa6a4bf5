package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A job that runs on a cluster before the one that is to be placed.
 *
 * @param tasks how many tasks it has, at least 1
 * @param request what each asks
 * @param sharing whether it shares GPUs; if so, it was granted half of each
 * @param first the node of its first task if that fits, by number
 */
record ResidentJob(int tasks, ResourceRequest request, Sharing sharing, int first) {

  static Arbitrary<ResidentJob> any() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 6),
            Jobs.requests(),
            Jobs.sharing(),
            Arbitraries.integers().between(0, 13))
        .as(ResidentJob::new);
  }

  /** Starts the job, its tasks on the next nodes that fit; does nothing if too few do. */
  void startOn(PlainCluster cluster, String id) {
    JobSpec job = JobSpec.builder(id).role("worker", tasks, request).sharing(sharing).build();
    List<TaskPlacement> placed = new ArrayList<>();
    List<Node> nodes = cluster.topology().nodes();
    int tried = 0;
    while (placed.size() < tasks && tried < nodes.size()) {
      Node node = nodes.get((first + tried) % nodes.size());
      if (fits(cluster, node)) {
        placed.add(task(cluster, node, placed.size()));
        cluster.start(job, new Placement(job.id(), placed));
      } else {
        tried++;
      }
    }
    if (placed.size() < tasks) {
      cluster.stop(job.id());
    }
  }

  private boolean fits(PlainCluster cluster, Node node) {
    return usable(cluster, node).size() >= request.gpus()
        && cluster.freeCpu(node.id()).compareTo(request.cpu().orElse(CpuCores.ZERO)) >= 0
        && cluster.freeMemory(node.id()).compareTo(request.memory().orElse(Memory.ZERO)) >= 0;
  }

  private TaskPlacement task(PlainCluster cluster, Node node, int index) {
    List<Integer> gpus = usable(cluster, node).subList(0, request.gpus());
    return new TaskPlacement(new TaskId("worker", index), node.id(), gpus, granted());
  }

  private List<Integer> usable(PlainCluster cluster, Node node) {
    return IntStream.range(0, node.gpus().size())
        .filter(gpu -> isUsable(cluster, new GpuId(node.id(), gpu)))
        .boxed()
        .toList();
  }

  private boolean isUsable(PlainCluster cluster, GpuId gpu) {
    Memory memory = request.gpuMemory().orElse(Memory.ZERO);
    return cluster.freeShare(gpu)
            >= (request.gpus() == 0 ? 0 : granted().share().orElse(GpuShare.WHOLE).thousandths())
        && cluster.freeGpuMemory(gpu).compareTo(memory) >= 0;
  }

  /** Half of a GPU for tasks of one GPU that share it; more GPUs are granted whole. */
  private ResourceRequest granted() {
    return request.gpus() == 1 && !(sharing instanceof Sharing.Exclusive)
        ? request.toBuilder().share(GpuShare.ofPercent(50)).build()
        : request;
  }
}
