package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.List;
import java.util.stream.Collectors;

/** Rejects impossible events of nodes and GPUs. */
record NodeChecks(JobTable jobs) {

  void require(NodeId node, String verb, NodeHealth... allowed) {
    requireThere(node, verb);
    NodeHealth health = jobs.cluster().health(node);
    if (!List.of(allowed).contains(health)) {
      throw new IllegalArgumentException(
          "only a node that is %s can %s, but node '%s' is %s"
              .formatted(names(List.of(allowed)), verb, node, health));
    }
  }

  void requireThere(NodeId node, String verb) {
    if (!jobs.cluster().topology().contains(node)) {
      throw new IllegalArgumentException(
          "a node that is to %s must be in the cluster, but '%s' is not".formatted(verb, node));
    }
  }

  void requireEmpty(NodeId node) {
    List<JobEntry> there = jobs.running().on(node);
    if (!there.isEmpty()) {
      throw new IllegalArgumentException(
          "only a node without tasks can retire, but job '%s' runs on node '%s'. Drain it first"
              .formatted(there.getFirst().id(), node));
    }
    List<JobId> leaving = jobs.stopping().on(node);
    if (!leaving.isEmpty()) {
      throw new IllegalArgumentException(
          "only a node without tasks can retire, but job '%s' is still leaving node '%s'. Report it as stopped first"
              .formatted(leaving.getFirst(), node));
    }
  }

  void requireThere(GpuId gpu) {
    if (isLost(gpu, "get lost")) {
      throw new IllegalArgumentException(
          "only a GPU that is there can get lost, but GPU '" + gpu + "' is lost already");
    }
  }

  void requireLost(GpuId gpu) {
    if (!isLost(gpu, "return")) {
      throw new IllegalArgumentException(
          "only a GPU that is lost can return, but GPU '" + gpu + "' is there");
    }
  }

  private boolean isLost(GpuId gpu, String verb) {
    if (!jobs.cluster().topology().contains(gpu)) {
      throw new IllegalArgumentException(
          "a GPU that is to %s must be in the cluster, but '%s' is not".formatted(verb, gpu));
    }
    return jobs.cluster().isLost(gpu);
  }

  private static String names(List<NodeHealth> healths) {
    return healths.stream().map(NodeHealth::name).collect(Collectors.joining(" or "));
  }
}
