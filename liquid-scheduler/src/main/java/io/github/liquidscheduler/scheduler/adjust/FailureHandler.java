package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.state.NodeFailures;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/*
 * Idea: a node that drains, has to be empty or is lost, and a lost GPU, are one question: what does
 * it mean for a job, by its phase, that its tasks there are not to begin, have to stop, or have
 * stopped? A decision that has not begun is taken back; who runs there stops whole; who is leaving
 * leaves the sooner.
 * Invariants: nobody is promised anything of what is lost or drains; a job never runs on in part.
 * StoppingLaws.
 * Cost: O(jobs there), each as its transition in JobTable.
 */
/** Handles lost nodes and GPUs and draining nodes. */
public record FailureHandler(JobTable table, NodeFailures failures) {

  /** Tasks of a node or GPU, and what happens to it. */
  private record Place(Predicate<TaskPlacement> isThere, Happening how, Reason why) {

    boolean has(Placement placement) {
      return placement.tasks().stream().anyMatch(isThere);
    }
  }

  private enum Happening {
    /** Nothing more begins there. */
    DRAINS,
    /** It has to be empty. */
    IS_DUE,
    /** All tasks there have stopped. */
    IS_LOST
  }

  /** Evicts every job with a task on the node, in order of start, and marks the node as lost. */
  public void nodeLost(Turn turn, NodeId node) {
    leave(turn, node, Happening.IS_LOST, new Reason.NodeGone(node));
    failures.fail(node);
  }

  /** Evicts every job that holds the GPU or a fraction of it, and marks the GPU as lost. */
  public void gpuLost(Turn turn, GpuId gpu) {
    Place place = new Place(task -> isOn(gpu, task), Happening.IS_LOST, new Reason.GpuGone(gpu));
    Set<JobEntry> jobs = new LinkedHashSet<>();
    for (Resident resident : table.cluster().residents(gpu)) {
      jobs.add(table.get(resident.job()));
    }
    jobs.addAll(leaving(gpu.node()));
    jobs.forEach(job -> leave(turn, job, place));
    failures.fail(gpu);
  }

  /** Takes back what has not begun on the node, and marks it as draining. */
  public void nodeDrains(Turn turn, NodeId node, Optional<Instant> deadline) {
    leave(turn, node, Happening.DRAINS, new Reason.NodeDrained(node));
    failures.drain(node, deadline);
  }

  /** Takes back what has not begun on a node that an adopted job has made over-full. */
  public void close(Turn turn, NodeId node, JobId adopted) {
    leave(turn, node, Happening.DRAINS, new Reason.TakenByAdopted(adopted));
    failures.close(node);
  }

  /** Stops a job on nodes that have to be empty, or takes back what it was to do there. */
  void hasToLeave(Turn turn, JobEntry job, Collection<NodeId> nodes, Reason why) {
    leave(turn, job, new Place(task -> nodes.contains(task.node()), Happening.IS_DUE, why));
  }

  private void leave(Turn turn, NodeId node, Happening how, Reason why) {
    Place place = new Place(task -> task.node().equals(node), how, why);
    there(node).forEach(job -> leave(turn, job, place));
  }

  /** Returns the jobs that are on a node, go there or are leaving it. */
  Set<JobEntry> there(NodeId node) {
    Set<JobEntry> jobs = new LinkedHashSet<>(table.running().on(node));
    jobs.addAll(leaving(node));
    return jobs;
  }

  private List<JobEntry> leaving(NodeId node) {
    List<JobEntry> jobs = new ArrayList<>();
    table.stopping().on(node).forEach(job -> jobs.add(table.get(job)));
    return jobs;
  }

  private void leave(Turn turn, JobEntry job, Place place) {
    switch (job.phase()) {
      case JobPhase.Waiting waiting -> {}
      case JobPhase.Stopping stopping -> {}
      case JobPhase.Starting starting -> {
        if (place.has(starting.placement())) {
          turn.preempt(job, place.why());
        }
      }
      case JobPhase.Launching launching -> stop(turn, job, launching.placement(), place);
      case JobPhase.Running running -> stop(turn, job, running.placement(), place);
      case JobPhase.Resizing change -> {
        if (place.how() != Happening.DRAINS && place.has(change.running())) {
          stop(turn, job, change.running(), place);
        } else if (goesThere(change, place)) {
          turn.resize(job, change.running(), place.why());
        }
      }
      case JobPhase.Moving move -> {
        if (place.how() != Happening.DRAINS && place.has(move.running())) {
          stop(turn, job, move.running(), place);
        } else if (move.added().filter(place::has).isPresent()) {
          goBack(turn, job, move.running(), place.why());
        }
      }
    }
    if (place.how() == Happening.IS_LOST) {
      table.runTransitions().lose(job, place.isThere());
    }
  }

  /** Returns true if a job that has not switched yet is to get tasks there that it has not got. */
  private static boolean goesThere(JobPhase.Resizing change, Place place) {
    boolean mayGoBack = place.how() != Happening.DRAINS || !change.ready();
    return mayGoBack && change.added().filter(place::has).isPresent();
  }

  /** Lets a job stay that cannot move any more; it stops if others are promised what it leaves. */
  private static void goBack(Turn turn, JobEntry job, Placement running, Reason reason) {
    turn.cluster().trials().suspend(job.id());
    boolean isFree = turn.cluster().fitsAgain(running);
    turn.cluster().trials().resume(job.id());
    if (isFree) {
      turn.move(job, running, reason);
    } else {
      turn.preempt(job, reason);
    }
  }

  /** Stops a job that runs there. */
  private static void stop(Turn turn, JobEntry job, Placement running, Place place) {
    if (!place.has(running)) {
      return;
    }
    switch (place.how()) {
      case DRAINS -> {}
      case IS_DUE -> turn.preempt(job, place.why());
      case IS_LOST -> {
        if (job.history().sighting() == Sighting.FOREIGN) {
          turn.jobs().runTransitions().end(job, Outcome.FAILED);
        } else {
          turn.evict(job, place.why());
        }
      }
    }
  }

  private static boolean isOn(GpuId gpu, TaskPlacement task) {
    return task.node().equals(gpu.node()) && task.gpus().contains(gpu.index());
  }
}
