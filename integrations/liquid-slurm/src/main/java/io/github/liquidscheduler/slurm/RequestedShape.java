package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a job asks for, and its part of each. Slurm itself divides GPUs that are asked for
 * a whole job or a task; what it could divide in another way than planned is refused.
 */
final class RequestedShape {

  private final SlurmRecord job;
  private final List<Node> cluster;
  private @Nullable String refusal;

  private RequestedShape(SlurmRecord job, List<Node> cluster) {
    this.job = job;
    this.cluster = cluster;
  }

  /**
   * Reads the shape.
   *
   * @param cluster the nodes that the job may run on
   */
  static Result of(SlurmRecord job, List<Node> cluster) {
    RequestedShape reader = new RequestedShape(job, cluster);
    NodeShape shape = reader.shape();
    return new Result(shape, Optional.ofNullable(reader.refusal));
  }

  private NodeShape shape() {
    List<Tres> ofNode = gres("tres_per_node");
    List<Tres> ofJob = gres("tres_per_job");
    List<Tres> ofTask = gres("tres_per_task");
    List<Tres> all = new ArrayList<>(ofNode);
    all.addAll(ofJob);
    all.addAll(ofTask);
    if (!gres("tres_per_socket").isEmpty()) {
      refuse("--gpus-per-socket is not supported. Use --gpus-per-node=N");
    }
    if (all.size() > 1) {
      refuse("more than one kind of GPU is not supported. Use --gpus-per-node=TYPE:N alone");
    }
    for (Tres each : all) {
      if (!each.isGpu()) {
        refuse("--gres=%s is not supported. Use --gpus-per-node=N".formatted(each.name()));
      }
    }
    String model = all.isEmpty() ? "" : all.getFirst().type();
    long count = all.isEmpty() ? 0 : all.getFirst().amount(1);
    Split split =
        !ofJob.isEmpty()
            ? ofJob(count, model)
            : !ofTask.isEmpty() ? ofTask(count, model) : new Split(nodes(), count);
    if (ofJob.isEmpty() && job.number("max_nodes").orElse(0) > nodes()) {
      refuse(
          "a range of nodes is not supported. Use -N %d, or as many as it needs"
              .formatted(job.number("max_nodes").orElse(0)));
    }
    return shape(split, model);
  }

  private NodeShape shape(Split split, String model) {
    if (split.gpus > ResourceRequest.MAX_GPUS_PER_TASK || split.nodes > TaskRole.MAX_TASKS) {
      refuse("%d nodes with %d GPUs each are too many".formatted(split.nodes, split.gpus));
      return new NodeShape(1, 0, model, 1, Memory.ZERO);
    }
    String tres = job.text("tres_req_str");
    long cpus = perNode(Tres.amount(tres, "cpu").orElse(1));
    long memory = perNode(memory(tres));
    NodeShape shape =
        new NodeShape(
            Math.toIntExact(split.nodes),
            split.gpus,
            model,
            Math.max(cpus, split.gpus * perGpu("cpus_per_tres", 1)),
            Memory.ofBytes(Math.max(memory, split.gpus * (perGpu("memory_per_tres", 1) << 20))));
    return isAlone() ? shape.alone(cluster).orElse(shape) : shape;
  }

  /** Returns the memory in bytes. */
  static long memory(String tres) {
    return Tres.list(tres).stream()
        .filter(each -> each.name().equals("mem"))
        .mapToLong(each -> each.amount(1))
        .findFirst()
        .orElse(0);
  }

  private long perGpu(String field, long unit) {
    return Tres.list(job.text(field)).stream()
        .filter(Tres::isGpu)
        .mapToLong(each -> each.amount(unit))
        .findFirst()
        .orElse(0);
  }

  private boolean isAlone() {
    return job.states("shared").contains("NONE") || job.states("exclusive").contains("TRUE");
  }

  /** Returns the least number of nodes. */
  private long nodes() {
    return Math.max(1, Tres.amount(job.text("tres_req_str"), "node").orElse(1));
  }

  private long perNode(long sum) {
    return Math.ceilDiv(sum, nodes());
  }

  private List<Tres> gres(String field) {
    return Tres.list(job.text(field)).stream()
        .filter(each -> each.isGeneric() || each.isGpu())
        .toList();
  }

  /** Divides GPUs of the whole job. */
  private Split ofJob(long gpus, String model) {
    long most = job.number("max_nodes").orElse(0);
    SortedSet<Integer> sizes = sizes(model);
    long whole = sizes.size() == 1 ? sizes.first() : 0;
    if (nodes() == 1 && most <= 1 && (most == 1 || sizes.isEmpty() || gpus <= sizes.last())) {
      return new Split(1, gpus);
    }
    long nodes = nodes() > 1 ? nodes() : whole == 0 ? most : gpus / whole;
    if (whole == 0 || nodes * whole != gpus || (most > 0 && nodes > most)) {
      refuse(
          "--gpus=%d may be divided unevenly among nodes. Use -N NODES --gpus-per-node=N"
              .formatted(gpus));
    }
    return new Split(Math.max(1, nodes), whole);
  }

  /** Divides GPUs of each task. */
  private Split ofTask(long gpus, String model) {
    long tasks = Math.max(1, job.number("tasks").orElse(1));
    long ofNode = job.number("tasks_per_node").orElse(0);
    SortedSet<Integer> sizes = sizes(model);
    if (ofNode > 0) {
      return new Split(nodes(), gpus * ofNode);
    }
    if (nodes() > 1 || (!sizes.isEmpty() && gpus * tasks > sizes.last())) {
      refuse(
          "--gpus-per-task without --ntasks-per-node may be divided unevenly among nodes."
              + " Use --ntasks-per-node=N, or --gpus-per-node=N");
    }
    return new Split(nodes(), gpus * tasks);
  }

  /** Returns how many GPUs nodes have, of those that have any of the model. */
  private SortedSet<Integer> sizes(String model) {
    TreeSet<Integer> sizes = new TreeSet<>();
    for (Node node : cluster) {
      long count =
          node.gpus().stream()
              .filter(gpu -> model.isEmpty() || gpu.model().name().equalsIgnoreCase(model))
              .count();
      if (count > 0) {
        sizes.add(Math.toIntExact(count));
      }
    }
    return sizes;
  }

  private void refuse(String why) {
    if (refusal == null) {
      refusal = why;
    }
  }

  /** A shape, and why the job is refused; the shape counts only if it is not. */
  record Result(NodeShape shape, Optional<String> refusal) {}

  private record Split(long nodes, long gpus) {}

  /**
   * What a job has of each of its nodes.
   *
   * @param nodes how many nodes it has
   * @param gpus how many GPUs of each
   * @param model the type of the GPUs; empty if any will do
   */
  record NodeShape(int nodes, long gpus, String model, long cpus, Memory memory) {

    ResourceRequest request() {
      return ResourceRequest.builder()
          .gpus(Math.toIntExact(gpus))
          .cpu(CpuCores.of(cpus))
          .memory(memory)
          .build();
    }

    /**
     * Returns the shape of a job that has its nodes alone: all of the largest of {@code nodes} that
     * has GPUs of the type, so that no other job is put beside it; empty if there is none.
     */
    Optional<NodeShape> alone(List<Node> all) {
      List<Node> some =
          all.stream()
              .filter(
                  node ->
                      model.isEmpty()
                          || node.gpus().stream()
                              .anyMatch(gpu -> gpu.model().name().equalsIgnoreCase(model)))
              .toList();
      return some.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new NodeShape(
                  nodes,
                  some.stream().mapToLong(node -> node.gpus().size()).max().orElse(0),
                  model,
                  some.stream().mapToLong(node -> node.cpu().millicores() / 1000).max().orElse(0),
                  some.stream().map(Node::memory).max(Memory::compareTo).orElse(Memory.ZERO)));
    }
  }
}
