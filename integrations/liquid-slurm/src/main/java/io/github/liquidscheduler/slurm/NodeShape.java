package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Optional;

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
