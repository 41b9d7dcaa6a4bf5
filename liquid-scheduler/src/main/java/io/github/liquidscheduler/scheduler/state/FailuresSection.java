package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The nodes and GPUs that are draining or lost, in the order in which they failed. */
record FailuresSection() implements StateSection {

  @Override
  public String name() {
    return "failures";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    NodeFailures failures = state.failures();
    return SnapshotSection.builder()
        .texts("draining", failures.draining())
        .texts("lostNodes", failures.lostNodes())
        .texts("lostGpus", failures.lostGpus())
        .build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    Set<Object> failed = new HashSet<>();
    List<NodeId> draining = distinct(in.texts("draining", NodeId::of), failed);
    List<NodeId> lostNodes = distinct(in.texts("lostNodes", NodeId::of), failed);
    List<GpuId> lostGpus = distinct(in.texts("lostGpus", FailuresSection::gpu), failed);
    draining.forEach(failed::remove);
    for (JobEntry job : state.jobs().running().inOrder()) {
      job.placement().ifPresent(placement -> requireThere(placement, failed));
    }
    draining.forEach(state.failures()::drain);
    lostNodes.forEach(state.failures()::fail);
    lostGpus.forEach(state.failures()::fail);
  }

  private static <T> List<T> distinct(List<T> failures, Set<Object> failed) {
    for (T failure : failures) {
      if (!failed.add(failure)) {
        throw new IllegalArgumentException(
            "a node or GPU must be draining or lost once, but '" + failure + "' is so twice");
      }
    }
    return failures;
  }

  private static void requireThere(Placement placement, Set<Object> lost) {
    for (TaskPlacement task : placement.tasks()) {
      if (lost.contains(task.node())
          || task.gpus().stream().anyMatch(gpu -> lost.contains(new GpuId(task.node(), gpu)))) {
        throw new IllegalArgumentException(
            "no task may run on what is lost, but was %s, for job '%s'"
                .formatted(task, placement.job()));
      }
    }
  }

  private static GpuId gpu(String text) {
    int colon = text.lastIndexOf(':');
    return GpuId.of(
        text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
  }
}
