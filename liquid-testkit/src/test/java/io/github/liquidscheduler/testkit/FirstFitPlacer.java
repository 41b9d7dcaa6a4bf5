package io.github.liquidscheduler.testkit;

import static io.github.liquidscheduler.job.ResourceRequest.ofGpus;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A placer as an embedder may write one: jobs of one task, on the first node with free GPUs. */
class FirstFitPlacer implements Placer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    int gpus = job.gpus();
    if (gpus == 0 || !job.roles().get(0).equals(new TaskRole("worker", 1, ofGpus(gpus)))) {
      return Optional.empty();
    }
    return view.topology().nodes().stream()
        .filter(node -> node.labels().entrySet().containsAll(job.nodeLabels().entrySet()))
        .map(node -> new Choice(node.id(), free(view, node, job)))
        .filter(choice -> choice.gpus().size() >= gpus)
        .findFirst()
        .map(choice -> choice.placement(job));
  }

  /** It knows nothing of jobs of several roles, so it proves nothing of them. */
  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return job.roles().size() == 1 && place(idle, job).isEmpty();
  }

  private static List<Integer> free(ClusterView view, Node node, JobSpec job) {
    return IntStream.range(0, node.gpus().size())
        .filter(gpu -> view.isFree(new GpuId(node.id(), gpu)))
        .filter(gpu -> allows(job, node.gpus().get(gpu).model()))
        .boxed()
        .toList();
  }

  private static boolean allows(JobSpec job, GpuModel model) {
    return job.gpuModels().isEmpty() || job.gpuModels().contains(model);
  }

  /** A node and its free GPUs. */
  private record Choice(NodeId node, List<Integer> gpus) {
    Placement placement(JobSpec job) {
      List<Integer> taken = gpus.subList(0, job.gpus());
      TaskId task = new TaskId("worker", 0);
      return new Placement(
          job.id(), List.of(new TaskPlacement(task, node, taken, ofGpus(job.gpus()))));
    }
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    UnmetConstraint noNode =
        new UnmetConstraint(
            Constraint.GPUS, "one node", Math.max(1, job.gpus()), 0, Optional.empty());
    return place(view, job).isPresent() ? List.of() : List.of(noNode);
  }
}
