package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.scheduler.backfill.Announced;
import io.github.liquidscheduler.scheduler.elastic.SizeSteps;
import io.github.liquidscheduler.scheduler.elastic.Surplus;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.state.NodeFailures;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/*
 * Idea: a node has to be empty by a deadline because it drains or its maintenance begins. Each job
 *   there loses as little as it can: an elastic one is resized to its tasks on other nodes, early
 *   enough for the change; at the deadline another one moves, if moves are on, or stops.
 * Invariants: nobody is stopped or moved for a resize; who was notified before the deadline and
 *   still runs there at the deadline stops; a move at the deadline waits for nobody and delays no
 *   reservation. All follows from the state: nothing is remembered of who was notified.
 * Cost: O(jobs on nodes with a deadline) per event, O(tasks) for each that is notified, and a
 *   placement for each that moves.
 */
/**
 * Empties nodes by a deadline: jobs there get smaller, else move, else stop.
 *
 * @param rules the rules of size changes; empty if sizes never change
 * @param placer places jobs that move
 */
public record NodeEvacuation(Optional<Elasticity> rules, Placer placer) {

  /** A node that has to be empty by a time. */
  private record Due(NodeId node, Instant by, Reason why) {}

  /** An elastic job with tasks on such a node. */
  private record Stay(JobEntry job, Due due) {}

  /** Resizes the jobs whose time for that has come. */
  void giveNotice(Turn turn) {
    Map<JobEntry, List<Due>> notified = new LinkedHashMap<>();
    stays(turn.state())
        .filter(stay -> isTimeFor(stay, turn.jobs()))
        .forEach(
            stay -> notified.computeIfAbsent(stay.job(), job -> new ArrayList<>()).add(stay.due()));
    notified.forEach(
        (job, dues) ->
            resize(turn, job, dues.stream().map(Due::node).toList(), dues.getFirst().why()));
  }

  /** Returns the next instant at which a job will be notified to get smaller. */
  public Optional<Instant> nextNotice(SchedulerState state) {
    return stays(state)
        .filter(stay -> left(stay, state.jobs()).compareTo(notice(stay.job(), state.jobs())) > 0)
        .filter(stay -> kept(stay.job(), List.of(stay.due().node()), state.jobs()).isPresent())
        .map(stay -> stay.due().by().minus(notice(stay.job(), state.jobs())))
        .min(Comparator.naturalOrder());
  }

  private boolean isTimeFor(Stay stay, JobTable jobs) {
    Duration left = left(stay, jobs);
    return left.compareTo(notice(stay.job(), jobs)) <= 0
        && left.compareTo(pause(stay.job(), jobs)) >= 0;
  }

  private static Duration left(Stay stay, JobTable jobs) {
    return Duration.between(jobs.now(), stay.due().by());
  }

  /** Returns how early a job is notified: twice the pause of a change, or its grace period. */
  private Duration notice(JobEntry job, JobTable jobs) {
    Duration twice = GpuTime.times(pause(job, jobs), 2);
    Duration grace = jobs.preemption().gracePeriod();
    return twice.compareTo(grace) > 0 ? twice : grace;
  }

  private Duration pause(JobEntry job, JobTable jobs) {
    Duration expected = rules.orElseThrow().cost().pause(job.job(), job.size());
    return GpuTime.divided(expected, 1 / jobs.elastic().pauses().ratio());
  }

  private Stream<Stay> stays(SchedulerState state) {
    JobTable jobs = state.jobs();
    if (rules.isEmpty() || jobs.elastic().all().isEmpty()) {
      return Stream.empty();
    }
    return ahead(state)
        .filter(due -> due.by().isAfter(jobs.now()))
        .flatMap(
            due ->
                jobs.running().on(due.node()).stream()
                    .filter(job -> jobs.elastic().contains(job))
                    .map(job -> new Stay(job, due)));
  }

  private static Stream<Due> ahead(SchedulerState state) {
    NodeFailures failures = state.failures();
    Stream<Due> drains =
        failures.draining().stream()
            .flatMap(
                node ->
                    failures.deadline(node).stream()
                        .map(by -> new Due(node, by, new Reason.NodeDrained(node))));
    Stream<Due> maintenance =
        state.backfill().stream()
            .flatMap(plan -> plan.advance().all().stream())
            .map(Announced::reservation)
            .filter(AdvanceReservation.Maintenance.class::isInstance)
            .map(AdvanceReservation.Maintenance.class::cast)
            .flatMap(
                each ->
                    each.nodes().stream()
                        .map(
                            node ->
                                new Due(
                                    node, each.from(), new Reason.ReservationBegan(each.id()))));
    return Stream.concat(drains, maintenance);
  }

  /**
   * Empties nodes whose deadline is now, or was.
   *
   * @param by the deadline: a job notified then or later may finish the change
   */
  void clear(Turn turn, Collection<NodeId> nodes, Instant by, Function<NodeId, Reason> reasonOf) {
    FailureHandler handler = new FailureHandler(turn.jobs(), turn.state().failures());
    Map<JobEntry, NodeId> there = new LinkedHashMap<>();
    for (NodeId node : nodes) {
      handler.there(node).stream()
          .filter(job -> job.history().sighting() != Sighting.FOREIGN)
          .forEach(job -> there.putIfAbsent(job, node));
    }
    if (!there.isEmpty()) {
      turn.state().backfill().ifPresent(plan -> plan.adaptTo(turn.event()));
    }
    there.forEach(
        (job, node) -> {
          Reason why = reasonOf.apply(node);
          if (!isLeaving(job, nodes, by)
              && !shrinks(turn, job, nodes, why)
              && !moves(turn, job, nodes, why)) {
            handler.hasToLeave(turn, job, nodes, why);
          }
        });
  }

  /** Returns true if a job was notified at the deadline or later, to leave the nodes. */
  private static boolean isLeaving(JobEntry job, Collection<NodeId> nodes, Instant by) {
    return job.resizing().filter(change -> !isOn(change.to(), nodes)).isPresent()
        && !job.history().sizedAt().isBefore(by);
  }

  private boolean shrinks(Turn turn, JobEntry job, Collection<NodeId> nodes, Reason why) {
    return rules.isPresent() && pause(job, turn.jobs()).isZero() && resize(turn, job, nodes, why);
  }

  private static boolean resize(Turn turn, JobEntry job, Collection<NodeId> nodes, Reason why) {
    Optional<Placement> kept = kept(job, nodes, turn.jobs());
    kept.ifPresent(to -> turn.resize(job, to, why));
    return kept.isPresent();
  }

  /** Returns the tasks with which an elastic job can go on without some nodes, if it is there. */
  private static Optional<Placement> kept(JobEntry job, Collection<NodeId> nodes, JobTable jobs) {
    boolean maySwitch = job.resizing().filter(JobPhase.Resizing::ready).isEmpty();
    boolean isThere = job.placement().filter(at -> isOn(at, nodes)).isPresent();
    if (!isThere || !jobs.elastic().contains(job) || job.isProfiling() || !maySwitch) {
      return Optional.empty();
    }
    Placement has = job.placement().orElseThrow();
    Set<TaskPlacement> gone = leaving(job.job(), has, nodes);
    job.resizing()
        .flatMap(JobPhase.Resizing::added)
        .ifPresent(notYetThere -> gone.addAll(notYetThere.tasks()));
    PlacementRules placement = new PlacementRules(jobs.cluster().topology(), job.job());
    return SizeSteps.without(job, gone, jobs.cluster().topology())
        .flatMap(Surplus::kept)
        .filter(to -> placement.brokenBy(to).isEmpty());
  }

  /** Returns the tasks on some nodes, and those in a slice with one of them. */
  private static Set<TaskPlacement> leaving(JobSpec job, Placement has, Collection<NodeId> nodes) {
    Set<TaskId> slices =
        has.tasks().stream()
            .filter(task -> nodes.contains(task.node()))
            .map(task -> slice(job, task))
            .collect(Collectors.toSet());
    return has.tasks().stream()
        .filter(task -> slices.contains(slice(job, task)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static TaskId slice(JobSpec job, TaskPlacement task) {
    TaskRole first = job.roles().getFirst();
    int size =
        task.task().role().equals(first.name())
            ? job.topology().slices().map(Slices::tasks).orElse(1)
            : 1;
    return new TaskId(task.task().role(), task.task().index() / size);
  }

  private static boolean isOn(Placement placement, Collection<NodeId> nodes) {
    return placement.nodes().stream().anyMatch(nodes::contains);
  }

  private boolean moves(Turn turn, JobEntry job, Collection<NodeId> nodes, Reason why) {
    boolean mayMove =
        turn.jobs().preemption().mostMoves() > 0
            && job.phase() instanceof JobPhase.Running running
            && isOn(running.placement(), nodes);
    Optional<Placement> to = mayMove ? awayFrom(turn, job, nodes) : Optional.empty();
    to.ifPresent(place -> turn.move(job, place, why));
    return to.isPresent();
  }

  private Optional<Placement> awayFrom(Turn turn, JobEntry job, Collection<NodeId> nodes) {
    List<String> names = nodes.stream().map(NodeId::value).toList();
    JobSpec sought = job.asPlaced().toBuilder().excludeNodes(names).build();
    JobTable jobs = turn.jobs();
    boolean mayWaitForQuota =
        !jobs.stopping().isEmpty() && jobs.quotas().hasQueueTree() && job.account().isLimited();
    return mayWaitForQuota
        ? Optional.empty()
        : elsewhere(turn, placer, job, sought, to -> jobs.stopping().leaveFree(to, jobs.cluster()));
  }

  /**
   * Returns another placement for a running job, within the quotas, that delays no reservation.
   *
   * @param sought the job as it is placed
   * @param isGood what else holds for the placement, once the job has left its own
   */
  static Optional<Placement> elsewhere(
      Turn turn, Placer placer, JobEntry job, JobSpec sought, Predicate<Placement> isGood) {
    turn.cluster().trials().suspend(job.id());
    Optional<Placement> elsewhere =
        QuotaPlacer.moving(placer, turn.jobs().quotas(), job)
            .place(turn.cluster(), sought)
            .filter(isGood);
    turn.cluster().trials().resume(job.id());
    return elsewhere.filter(to -> turn.delaysNobody(job, to));
  }
}
