package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Resizing;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Optional;
import java.util.function.Predicate;

/** Handles lost nodes and GPUs: their jobs wait again. */
public final class FailureHandler {

  private final JobTable table;
  private final NodeFailures failures;

  /** Makes a handler that stops jobs of {@code table} and records losses in {@code failures}. */
  public FailureHandler(JobTable table, NodeFailures failures) {
    this.table = table;
    this.failures = failures;
  }

  /** Evicts every job with a task on the node, in order of start, and marks the node as lost. */
  public void nodeLost(Turn turn, NodeId node) {
    Reason reason = new Reason.NodeGone(node);
    for (JobEntry job : table.running().on(node)) {
      leave(turn, job, reason, where -> where.nodes().contains(node));
    }
    failures.fail(node);
  }

  /** Evicts every job that holds the GPU or a fraction of it, and marks the GPU as lost. */
  public void gpuLost(Turn turn, GpuId gpu) {
    Reason reason = new Reason.GpuGone(gpu);
    table.cluster().residents(gpu).stream()
        .map(Resident::job)
        .distinct()
        .forEach(job -> leave(turn, table.get(job), reason, where -> isOn(gpu, where)));
    failures.fail(gpu);
  }

  /** Evicts a job, or only cancels its resize if it still runs elsewhere. */
  private static void leave(Turn turn, JobEntry job, Reason reason, Predicate<Placement> isThere) {
    if (job.phase() instanceof JobPhase.Moving move && !isThere.test(move.running())) {
      goBack(turn, job, move.running(), reason);
      return;
    }
    Optional<Placement> elsewhere = job.resizing().map(Resizing::running).filter(isThere.negate());
    if (elsewhere.isPresent()) {
      turn.resize(job, elsewhere.get(), reason);
    } else {
      turn.evict(job, reason);
    }
  }

  /** Lets a job stay that cannot move any more; it stops if others are promised what it leaves. */
  private static void goBack(Turn turn, JobEntry job, Placement running, Reason reason) {
    turn.cluster().suspend(job.id());
    boolean isFree = turn.cluster().fits(running);
    turn.cluster().resume(job.id());
    if (isFree) {
      turn.move(job, running, reason);
    } else {
      turn.preempt(job, reason);
    }
  }

  private static boolean isOn(GpuId gpu, Placement where) {
    return where.tasks().stream()
        .anyMatch(task -> task.node().equals(gpu.node()) && task.gpus().contains(gpu.index()));
  }
}
