package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.adjust.FailureHandler;
import io.github.liquidscheduler.scheduler.backfill.AdvanceReservations;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.deadline.DeadlineAdmission;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Resizing;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.state.NodeFailures;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.RefusedEventException;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Idea: each event is first checked against the state, which yields its effect as a function, and
 * applied only if the check has passed. So a refused event changes nothing and needs no way back,
 * unless it follows others of its bundle.
 * Invariants: an event changes nothing before accept; times never go back; every kind of event is
 * handled (the switch is exhaustive). BadEventTest and EventStormLaws.
 * Cost: that of the transitions in JobTable: one for an event of a job, one for each job on the
 * node for a lost node, O(nodes) for a node added or retired.
 */
/**
 * Checks an event and applies it. An impossible event is refused before anything changes. Jobs that
 * would not fit into the empty cluster are rejected.
 */
public final class Admit implements Stage {

  private final ClusterState cluster;
  private final JobTable jobs;
  private final NodeFailures failures;
  private final JobChecks jobChecks;
  private final NodeChecks nodeChecks;
  private final PlanCheck planCheck;
  private final ReservationChecks reservationChecks;
  private final FailureHandler failureHandler;
  private final Feasibility feasibility;
  private final Retries retries;
  private final Adoptions adoptions;
  private final @Nullable DeadlineAdmission deadlines;
  private final @Nullable DataBooks data;

  /**
   * Makes a stage that applies events to {@code state}, keeps {@code feasibility} on its topology,
   * and delays failed jobs by {@code backoff}.
   *
   * @param deadlines the admission of jobs with deadlines; null if none are promised
   */
  public Admit(
      SchedulerState state,
      Feasibility feasibility,
      RetryBackoff backoff,
      @Nullable DeadlineAdmission deadlines) {
    this.deadlines = deadlines;
    data = state.data().orElse(null);
    cluster = state.cluster();
    jobs = state.jobs();
    failures = state.failures();
    jobChecks = new JobChecks(jobs);
    nodeChecks = new NodeChecks(jobs);
    planCheck = new PlanCheck(jobs);
    reservationChecks = new ReservationChecks(state, feasibility);
    failureHandler = new FailureHandler(jobs, failures);
    this.feasibility = feasibility;
    retries = new Retries(jobs, feasibility, backoff);
    adoptions = new Adoptions(jobs, failureHandler);
  }

  /**
   * Applies the event of a turn.
   *
   * @throws IllegalArgumentException if it is too early, names a job, node or GPU that is not there
   *     or not in the state that the event implies, or is a plan that can never have been right
   */
  @Override
  public void run(Turn turn) {
    if (turn.event() instanceof ClusterEvent.Bundle bundle) {
      for (int i = 0; i < bundle.events().size(); i++) {
        takeOf(bundle, i, turn);
      }
    } else {
      take(turn.event(), turn);
    }
    adoptions.openNodes(turn);
  }

  private void takeOf(ClusterEvent.Bundle bundle, int index, Turn turn) {
    turn.check();
    try {
      take(bundle.events().get(index), turn);
    } catch (IllegalArgumentException e) {
      throw turn.isRefusedBy(e) ? new RefusedEventException(bundle, index, e) : e;
    }
  }

  private void take(ClusterEvent event, Turn turn) {
    jobChecks.requireInOrder(event);
    Consumer<Turn> step = checked(event);
    turn.accept();
    jobs.reviews().advance(event.at());
    jobs.reviews().releaseDelayed();
    step.accept(turn);
    measureQueues(event);
    jobs.reviews().endProtection();
    jobs.reviews().endCoolDowns();
  }

  private void measureQueues(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.NodeLost e -> jobs.queues().measure(e.node());
      case ClusterEvent.NodeDraining e -> jobs.queues().measure(e.node());
      case ClusterEvent.NodeReturned e -> jobs.queues().measure(e.node());
      case ClusterEvent.GpuLost e -> jobs.queues().measure(e.gpu().node());
      case ClusterEvent.GpuReturned e -> jobs.queues().measure(e.gpu().node());
      case ClusterEvent.NodeAdded e -> jobs.queues().measure();
      case ClusterEvent.NodeRetired e -> jobs.queues().measure();
      default -> {}
    }
  }

  /** Checks an event; returns its effect on the state. */
  private Consumer<Turn> checked(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.JobSubmitted e -> {
        jobChecks.requireNew(e.job());
        jobChecks.requireSupported(e.spec());
        JobChecks.requireSubmitted(e);
        yield turn -> submit(turn, e.spec());
      }
      case ClusterEvent.JobUpdated e -> {
        JobEntry job = jobChecks.updated(e.spec());
        jobChecks.requireSupported(e.spec());
        yield turn -> update(turn, job, e.spec());
      }
      case ClusterEvent.JobStarted e -> {
        JobEntry job = jobChecks.launching(e.job(), e.at());
        yield turn -> jobs.runTransitions().begin(job, e.at());
      }
      case ClusterEvent.JobAdopted e -> {
        jobChecks.requireSupported(e.spec());
        yield adoptions.checked(e);
      }
      case ClusterEvent.JobFinished e ->
          ending(jobChecks.finishing(e.job(), e.at()), Outcome.FINISHED);
      case ClusterEvent.JobFailed e -> {
        JobEntry job = jobChecks.failing(e.job(), "fail");
        e.updated().ifPresent(jobChecks::requireSupported);
        yield turn -> retries.fail(turn, job, e);
      }
      case ClusterEvent.JobStopped e -> {
        JobEntry job = jobChecks.stopping(e.job(), "stop");
        yield turn -> retries.stop(job, e.retry());
      }
      case ClusterEvent.JobCancelled e ->
          ending(jobChecks.live(e.job(), "be cancelled"), Outcome.CANCELLED);
      case ClusterEvent.JobHeld e when jobChecks.wasRejected(e.job()) -> turn -> {};
      case ClusterEvent.JobHeld e -> {
        JobEntry job = jobChecks.live(e.job(), "be held");
        yield turn -> jobs.waitingTransitions().holdBack(job, e.why());
      }
      case ClusterEvent.JobReleased e when jobChecks.wasRejected(e.job()) -> turn -> {};
      case ClusterEvent.JobReleased e -> {
        JobEntry job = jobChecks.held(e.job());
        yield turn -> release(turn, job);
      }
      case ClusterEvent.JobProgressed e -> {
        JobEntry job = jobChecks.running(e.job(), e.at(), "report progress");
        yield turn -> jobs.reviews().progress(job, e.progress());
      }
      case ClusterEvent.ResizeReported e -> resizing(jobChecks.resizing(e), e.step());
      case ClusterEvent.JobProfiled e -> {
        JobEntry job = jobChecks.profiling(e);
        yield turn -> jobs.runTransitions().profiled(job, e.speeds());
      }
      case ClusterEvent.NodeLost e -> {
        nodeChecks.require(e.node(), "get lost", NodeHealth.UP, NodeHealth.DRAINING);
        yield turn -> failureHandler.nodeLost(turn, e.node());
      }
      case ClusterEvent.NodeDraining e -> {
        nodeChecks.require(e.node(), "drain", NodeHealth.UP, NodeHealth.DRAINING);
        yield turn -> failureHandler.nodeDrains(turn, e.node(), e.deadline());
      }
      case ClusterEvent.NodeReturned e -> {
        nodeChecks.require(e.node(), "return", NodeHealth.DRAINING, NodeHealth.LOST);
        yield growing(e.node(), () -> failures.restore(e.node()));
      }
      case ClusterEvent.NodeAdded e -> {
        ClusterTopology grown = cluster.topology().withNode(e.node(), e.domains());
        yield growing(
            e.node().id(),
            () -> {
              changeTopology(grown);
              ifData(books -> books.add(e.node()));
            });
      }
      case ClusterEvent.NodeRetired e -> {
        nodeChecks.requireEmpty(e.node());
        ClusterTopology shrunk = cluster.topology().withoutNode(e.node());
        yield turn -> {
          failures.forget(e.node());
          ifData(books -> books.retire(e.node()));
          changeTopology(shrunk);
        };
      }
      case ClusterEvent.GpuLost e -> {
        nodeChecks.requireThere(e.gpu());
        yield turn -> failureHandler.gpuLost(turn, e.gpu());
      }
      case ClusterEvent.GpuReturned e -> {
        nodeChecks.requireLost(e.gpu());
        yield growing(e.gpu().node(), () -> failures.restore(e.gpu()));
      }
      case ClusterEvent.DataArrived e ->
          ofCopy(
              e.node(),
              e.dataset().name(),
              (books, copy) -> books.arrived(copy, e.dataset(), e.at()));
      case ClusterEvent.PrefetchFailed e -> ofCopy(e.node(), e.dataset(), DataBooks::failed);
      case ClusterEvent.DataEvicted e -> ofCopy(e.node(), e.dataset(), DataBooks::evicted);
      case ClusterEvent.PlanProposed e -> {
        planCheck.require(e.plan());
        yield turn -> {};
      }
      case ClusterEvent.QueuesChanged e -> {
        jobs.queues().require(e.tree());
        yield turn -> {
          jobs.queues().change(e.tree());
          jobs.allWaiting().forEach(job -> retries.rejectBeyondQuotas(turn, job));
        };
      }
      case ClusterEvent.ReservationAnnounced e -> {
        reservationChecks.requireNew(e);
        yield turn -> advance(turn).announce(e.reservation());
      }
      case ClusterEvent.ReservationChanged e -> {
        reservationChecks.requireChange(e);
        yield turn -> advance(turn).announce(e.reservation());
      }
      case ClusterEvent.ReservationCancelled e -> {
        reservationChecks.requireKnown(e.reservation());
        yield turn -> advance(turn).cancel(e.reservation());
      }
      case ClusterEvent.TimePassed e -> turn -> {};
      case ClusterEvent.Bundle e -> throw new IllegalArgumentException("a bundle has no bundles");
    };
  }

  private void ifData(Consumer<DataBooks> step) {
    if (data != null) {
      step.accept(data);
    }
  }

  private Consumer<Turn> ofCopy(NodeId node, String dataset, BiConsumer<DataBooks, CopyKey> step) {
    if (data == null) {
      throw new IllegalArgumentException(
          "a report of a data set needs a scheduler that prefetches, but this one does not, for data set '%s'"
              .formatted(dataset));
    }
    nodeChecks.requireThere(node, "hold a copy");
    DataBooks books = data;
    return turn -> {
      step.accept(books, new CopyKey(node, dataset));
      jobs.reviews().noteCopies();
    };
  }

  private static AdvanceReservations advance(Turn turn) {
    return turn.state().backfill().orElseThrow().advance();
  }

  private Consumer<Turn> ending(JobEntry job, Outcome outcome) {
    return turn -> jobs.runTransitions().end(job, outcome);
  }

  private Consumer<Turn> resizing(JobEntry job, ResizeStep step) {
    boolean mustLeave = job.resizing().flatMap(Resizing::leaving).isPresent();
    return switch (step) {
      case READY -> turn -> jobs.runTransitions().readyToResize(job);
      case SWITCHED -> turn -> jobs.runTransitions().resized(job);
      case FAILED, TIMED_OUT, RETRY ->
          mustLeave ? turn -> {} : turn -> jobs.runTransitions().resizeFailed(job);
    };
  }

  private Consumer<Turn> growing(NodeId node, Runnable restore) {
    return turn -> {
      restore.run();
      jobs.agenda().growFrom(Long.MIN_VALUE, node, jobs.cluster().topology());
    };
  }

  private void changeTopology(ClusterTopology topology) {
    cluster.changeTopology(topology);
    feasibility.followTopology();
    jobs.renumberNodes();
  }

  private void submit(Turn turn, JobSpec job) {
    @Nullable PlacementClass placementClass = feasibility.admit(turn, job);
    if (placementClass == null || retries.isRejectedBeyondQuotas(turn, job)) {
      jobs.waitingTransitions().reject(job.id());
    } else if (deadlines != null) {
      deadlines.submit(turn, job);
    } else {
      jobs.waitingTransitions().submit(job, placementClass);
    }
  }

  private void release(Turn turn, JobEntry job) {
    boolean waits = job.isHeld();
    jobs.waitingTransitions().release(job);
    if (waits && deadlines != null) {
      deadlines.update(turn, job);
    }
  }

  private void update(Turn turn, JobEntry job, JobSpec updated) {
    retries.update(turn, job, updated);
    if (deadlines != null && jobs.find(job.id()) != null) {
      deadlines.update(turn, job);
    }
  }
}
