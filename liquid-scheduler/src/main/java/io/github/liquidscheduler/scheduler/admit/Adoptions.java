package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduler.adjust.FailureHandler;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Idea: what a job was seen to do replaces what was decided of it. It is booked task by task
 *   (SeenTask), starts in its way are taken back, and a node on which more is held than it has is
 *   closed as if it drained, so that no search has to know of it.
 * Invariants: nobody who runs is stopped or moved for it; nothing begins on a closed node; a node
 *   is opened by the first event that finds that no amount of it is held twice. JobAdoptedTest and
 *   AnyFeaturesLaws.
 * Cost: O(tasks x GPUs of their nodes x jobs there); O(closed nodes) for each event.
 */
/** Takes in jobs that run although nobody here has decided that. */
record Adoptions(JobTable jobs, FailureHandler handler) {

  /**
   * Checks that a job may be where it was seen; returns what follows.
   *
   * @throws IllegalArgumentException if it is over, or a node is not there, is lost, or has too few
   *     GPUs
   */
  Consumer<Turn> checked(ClusterEvent.JobAdopted event) {
    JobId job = event.job();
    if (jobs.find(job) == null && jobs.ended().ending(job).isPresent()) {
      throw new IllegalArgumentException(
          "a job that is over cannot run again under its id, but job '%s', which is over (%s), was adopted. Adopt it under a new id"
              .formatted(job, jobs.ended().ending(job).get()));
    }
    if (event.since().isBefore(Instant.EPOCH) || event.since().isAfter(event.at())) {
      throw new IllegalArgumentException(
          "a job must run since 1970 or later and by %s, when it is adopted, but did since %s, for job '%s'"
              .formatted(event.at(), event.since(), job));
    }
    event.nodes().stream().distinct().forEach(node -> require(event, node));
    return turn -> adopt(turn, event);
  }

  private void require(ClusterEvent.JobAdopted event, NodeId node) {
    ClusterState cluster = jobs.cluster();
    if (!cluster.topology().contains(node) || cluster.health(node) == NodeHealth.LOST) {
      throw new IllegalArgumentException(
          "a job that is adopted must run on nodes of the cluster that are not lost, but node '%s' is %s, for job '%s'. Tell of the node first"
              .formatted(
                  node, cluster.topology().contains(node) ? "lost" : "not there", event.job()));
    }
    long gpus = SeenTask.gpus(node, cluster).count();
    long asked = 0;
    for (SeenTask task : tasks(event)) {
      if (task.node().equals(node)) {
        asked += task.request().gpus() * Amounts.ofGpu(task.request()).compute();
      }
    }
    if (asked > gpus * GpuShare.WHOLE.thousandths()) {
      throw new IllegalArgumentException(
          "an adopted job must use no more GPUs of a node than it has, but node '%s' has %d, and %s are used, for job '%s'"
              .formatted(node, gpus, asked / 1000.0, event.job()));
    }
  }

  private static List<SeenTask> tasks(ClusterEvent.JobAdopted event) {
    List<SeenTask> tasks = new ArrayList<>();
    for (TaskRole role : event.spec().roles()) {
      for (int index = 0; index < role.count(); index++) {
        NodeId node = event.nodes().get(tasks.size());
        tasks.add(new SeenTask(new TaskId(role.name(), index), node, role.request()));
      }
    }
    return tasks;
  }

  /** Books a job where it was seen, and takes back the starts that are in its way. */
  private void adopt(Turn turn, ClusterEvent.JobAdopted event) {
    @Nullable JobEntry known = jobs.find(event.job());
    if (known != null && isAsKnown(known, event)) {
      jobs.runTransitions().begin(known, laterOf(event.since(), known.since()));
      return;
    }
    List<TaskPlacement> booked = new ArrayList<>();
    for (SeenTask task : tasks(event)) {
      booked.add(task.book(turn, event.job(), booked));
    }
    Placement placement = new Placement(event.job(), booked);
    placement.nodes().forEach(node -> freeHost(turn, placement, node));
    JobSpec spec = event.isOwned() ? event.spec() : asItIs(event.spec(), placement);
    jobs.runTransitions().see(spec, placement, event.since(), sighting(event));
    placement.nodes().stream()
        .filter(handler.failures()::isOverfull)
        .forEach(node -> handler.close(turn, node, event.job()));
  }

  private static Sighting sighting(ClusterEvent.JobAdopted event) {
    return event.isOwned() ? Sighting.OWNED : Sighting.FOREIGN;
  }

  /** Returns a job that keeps its size and its place. */
  private static JobSpec asItIs(JobSpec job, Placement placement) {
    return placement.sized(job).toBuilder().preemptible(false).build();
  }

  private static Instant laterOf(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Returns true if a job runs, or is being started, where it was seen, as one of its owner. */
  private static boolean isAsKnown(JobEntry job, ClusterEvent.JobAdopted event) {
    Optional<Placement> where =
        switch (job.phase()) {
          case JobPhase.Starting starting -> Optional.empty();
          case JobPhase.Moving move -> Optional.of(move.running());
          case JobPhase.Resizing change -> Optional.of(change.running());
          default -> job.placement();
        };
    boolean wasForeign = job.history().sighting() == Sighting.FOREIGN;
    return wasForeign != event.isOwned()
        && where.filter(at -> places(at).equals(places(event))).isPresent();
  }

  private static List<String> places(Placement placement) {
    return placement.tasks().stream()
        .map(task -> new SeenTask(task.task(), task.node(), task.request()).place())
        .sorted()
        .toList();
  }

  private static List<String> places(ClusterEvent.JobAdopted event) {
    return tasks(event).stream().map(SeenTask::place).sorted().toList();
  }

  /** Takes back the last starts on a node while its CPU or host memory is too little. */
  private void freeHost(Turn turn, Placement placement, NodeId node) {
    Amounts needed = Amounts.ofHost(placement, node);
    Amounts own = heldBy(placement.job(), node);
    for (JobEntry other : jobs.running().on(node).reversed()) {
      int position = jobs.cluster().topology().position(node);
      Amounts lacking =
          new Amounts(
                  jobs.cluster().index().freeCpu(position),
                  jobs.cluster().index().freeMemory(position))
              .plus(own)
              .lacking(needed);
      if (SeenTask.isOnlyPromised(other, placement.job())
          && heldBy(other.id(), node).helps(lacking)) {
        turn.preempt(other, new Reason.TakenByAdopted(placement.job()));
      }
    }
  }

  private Amounts heldBy(JobId job, NodeId node) {
    return jobs.cluster().placement(job).map(at -> Amounts.ofHost(at, node)).orElse(Amounts.NONE);
  }

  /** Lets nodes take jobs again on which more was held than there is, until now. */
  void openNodes(Turn turn) {
    List<NodeId> left = turn.goesOn() ? List.of() : handler.failures().left();
    left.forEach(
        node -> {
          handler.failures().open(node);
          jobs.agenda().growFrom(Long.MIN_VALUE, node, jobs.cluster().topology());
        });
    if (!left.isEmpty()) {
      turn.state().backfill().ifPresent(BackfillPlan::clusterChanged);
    }
  }
}
