package io.github.liquidscheduler.scheduler.turn;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/*
 * Idea: all that one event does to a scheduler, in one object that its stages hand on, so that a
 *   failure finds in one place how far the event has come.
 * Invariants: nothing has changed before an event is accepted; a decision is appended only together
 *   with the change that it tells of.
 * Cost: O(1) each, beside the change.
 */
/**
 * One event on its way through the {@linkplain Stage stages}: the state that it changes, the
 * decisions that follow, and the starts of a batch plan that came with it.
 */
public final class Turn {

  private final SchedulerState state;
  private final ClusterEvent event;
  private final List<Decision> decisions = new ArrayList<>();
  private final PlannedStarts planned;
  private final boolean goesOn;
  private final Optional<Agenda.Report> report;
  private Agenda.Rest rest;
  private int starts;
  private int searches;
  private boolean isAccepted;
  private boolean hasBegun;
  private boolean hasGrown;

  /** Begins a turn. */
  public Turn(SchedulerState state, ClusterEvent event) {
    this.state = state;
    this.event = event;
    planned = new PlannedStarts(state.jobs());
    Optional<Agenda.Cut> begun =
        state
            .jobs()
            .agenda()
            .cut()
            .filter(cut -> event instanceof ClusterEvent.TimePassed)
            .filter(cut -> event.at().equals(state.jobs().now()));
    goesOn = begun.isPresent();
    rest = begun.map(Agenda.Cut::rest).orElse(Agenda.Rest.ALL);
    report = begun.map(Agenda.Cut::report).orElseGet(() -> reportOf(event));
  }

  private static Optional<Agenda.Report> reportOf(ClusterEvent event) {
    return event instanceof ClusterEvent.JobProgressed progressed
        ? Optional.of(
            new Agenda.Report(progressed.job(), progressed.progress().iterationsPerSecond()))
        : Optional.empty();
  }

  /** Returns true if the event only goes on with one that has stopped early at this instant. */
  public boolean goesOn() {
    return goesOn;
  }

  /** Returns the report of progress that the event is, or that with which it goes on. */
  public Optional<Agenda.Report> report() {
    return report;
  }

  /** Returns what is still to be done for running jobs. */
  public Agenda.Rest rest() {
    return rest;
  }

  /** Notes what is still to be done for running jobs after the next pass over waiting ones. */
  public void leave(Agenda.Rest left) {
    rest = left;
  }

  /**
   * Returns true if every waiting job was tried, so that running jobs may take what is left, and
   * this part of that is still to be done.
   */
  public boolean mayAdjust(Agenda.Rest part) {
    return !jobs().agenda().isCut() && rest.compareTo(part) <= 0;
  }

  /** Counts a start of a waiting job. */
  public void countStart() {
    starts++;
  }

  /** Returns the number of starts counted so far. */
  public int starts() {
    return starts;
  }

  /** Counts a search for victims of a waiting job. */
  public void countSearch() {
    searches++;
  }

  /** Returns the number of searches counted so far. */
  public int searches() {
    return searches;
  }

  /** Returns the lasting state; live. */
  public SchedulerState state() {
    return state;
  }

  /** Returns the jobs of the state. */
  public JobTable jobs() {
    return state.jobs();
  }

  /** Returns the cluster with the running jobs at this point of the turn. */
  public ClusterState cluster() {
    return state.cluster();
  }

  /** Returns the event of the turn. */
  public ClusterEvent event() {
    return event;
  }

  /** Returns the starts of the batch plan; none unless the event brought one. */
  public PlannedStarts planned() {
    return planned;
  }

  /** Begins to check the next event of a bundle. */
  public void check() {
    isAccepted = false;
  }

  /** Accepts the event that is checked. */
  public void accept() {
    isAccepted = true;
    hasBegun = true;
  }

  /** Returns true if an event was accepted; until then nothing has changed. */
  public boolean hasBegun() {
    return hasBegun;
  }

  /** Returns true if a failure says that the event that is checked cannot be. */
  public boolean isRefusedBy(Throwable failure) {
    return !isAccepted && failure instanceof IllegalArgumentException;
  }

  /** Returns a failure of this turn as those see it who told the event. */
  public RuntimeException failure(Throwable failure) {
    return isRefusedBy(failure)
        ? (IllegalArgumentException) failure
        : new PluginFailedException(event, failure);
  }

  /**
   * Returns true if a running job may go on at another placement, free now, without delaying a
   * reservation.
   */
  public boolean delaysNobody(JobEntry job, Placement to) {
    return state.backfill().filter(plan -> !plan.mayMove(job, to)).isEmpty();
  }

  /** Notes that the event released capacity, before any waiting job was tried. */
  public void noteGrowth(boolean grown) {
    hasGrown = grown;
  }

  /** Returns true if the event released capacity, before any waiting job was tried. */
  public boolean hasGrown() {
    return hasGrown;
  }

  /** Pre-empts a running job, with its grace period; a starting one has nothing to stop. */
  public void preempt(JobEntry job, Reason reason) {
    jobs().runTransitions().preempt(job);
    planned.stopped(job);
    decide(new Decision.Preempt(job.id(), reason, job.phase().notBefore()));
  }

  /** Pre-empts a running job at once, because its node or GPU is gone. */
  public void evict(JobEntry job, Reason reason) {
    jobs().runTransitions().evict(job);
    planned.stopped(job);
    decide(new Decision.Preempt(job.id(), reason));
  }

  /** Starts a waiting job, after those who still hold something of its placement. */
  public void start(JobEntry job, Placement to, Reason reason) {
    jobs().runTransitions().start(job, to);
    decide(new Decision.Start(job.id(), to, reason, job.phase().after()));
  }

  /** Moves a running job, after those who still hold something of its new placement. */
  public void move(JobEntry job, Placement to, Reason reason) {
    jobs().runTransitions().move(job, to);
    planned.placed(job, to);
    decide(new Decision.Migrate(job.id(), to, reason, job.phase().after()));
  }

  /** Changes the size of a running job. */
  public void resize(JobEntry job, Placement to, Reason reason) {
    jobs().runTransitions().resize(job, to);
    planned.placed(job, to);
    decide(new Decision.Resize(job.id(), to, job.history().resizes(), reason, job.phase().after()));
  }

  /** Appends a decision. */
  public void decide(Decision decision) {
    decisions.add(decision);
  }

  /** Ends the turn: queues are up to date, and it is known why jobs were rejected. */
  public void settle() {
    jobs().queues().settle();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Reject(JobId job, Reason why)) {
        jobs().ended().because(job, why.describe());
      }
    }
  }

  /** Returns the decisions so far, in execution order. */
  public List<Decision> decisions() {
    return List.copyOf(decisions);
  }
}
