package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The draining or lost nodes and GPUs, in the order of the events. */
record FailuresSection() implements StateSection {

  private static final String NEVER = "never";

  @Override
  public String name() {
    return "failures";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    NodeFailures failures = state.failures();
    return SnapshotSection.builder()
        .texts("draining", failures.draining())
        .texts(
            "deadlines",
            failures.draining().stream().map(node -> deadline(failures, node)).toList())
        .texts("lostNodes", failures.lostNodes())
        .texts("lostGpus", failures.lostGpus())
        .build();
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    // The copied cluster and the copied failures have them already.
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
    List<Optional<Instant>> deadlines = in.texts("deadlines", FailuresSection::deadline);
    if (deadlines.size() != draining.size()) {
      throw new IllegalArgumentException(
          "each draining node must have a deadline or none, but %d had %d"
              .formatted(draining.size(), deadlines.size()));
    }
    for (int i = 0; i < deadlines.size(); i++) {
      state.failures().drain(draining.get(i), deadlines.get(i));
    }
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
      if (lost.contains(task.node()) || task.gpuIds().anyMatch(lost::contains)) {
        throw new IllegalArgumentException(
            "no task may run on what is lost, but was %s, for job '%s'"
                .formatted(task, placement.job()));
      }
    }
  }

  private static String deadline(NodeFailures failures, NodeId node) {
    return failures.deadline(node).map(Instant::toString).orElse(NEVER);
  }

  private static Optional<Instant> deadline(String text) {
    return text.equals(NEVER) ? Optional.empty() : Optional.of(Instant.parse(text));
  }

  private static GpuId gpu(String text) {
    int colon = text.lastIndexOf(':');
    return GpuId.of(
        text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
  }
}
