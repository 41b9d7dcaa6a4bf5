package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that happened in the cluster, with the time at which it happened. Events reach a
 * scheduler in the order of their times; equal times are fine.
 */
public sealed interface ClusterEvent {

  /** Returns the instant at which it happened. */
  Instant at();

  /** Returns the events that it consists of, in order: itself, unless it is a {@link Bundle}. */
  default List<ClusterEvent> events() {
    return List.of(this);
  }

  /**
   * Returns the bundle of some events, or the event if it is a single one.
   *
   * @throws IllegalArgumentException if there is none, or they cannot be a bundle
   */
  static ClusterEvent together(List<? extends ClusterEvent> events) {
    return events.size() == 1 ? events.getFirst() : new Bundle(List.copyOf(events));
  }

  /** An event about one job. */
  sealed interface AboutJob extends ClusterEvent {

    /** Returns the job it is about. */
    JobId job();
  }

  /**
   * A job was submitted.
   *
   * @param spec the job as its user describes it
   */
  record JobSubmitted(Instant at, JobSpec spec) implements AboutJob {
    /** Checks that nothing is null. */
    public JobSubmitted {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(spec, "spec");
    }

    @Override
    public JobId job() {
      return spec.id();
    }
  }

  /**
   * The processes of a job whose start was decided have begun. Told to schedulers to which starts
   * are reported, others refuse it: until then the job is {@linkplain JobStatus.Launching
   * launching}, and from then on its run time counts. A start that did not happen is reported as
   * {@link Failure#NOT_STARTED}; a job that has ended or failed, or reports progress, before its
   * beginning was told has run since its launch.
   */
  record JobStarted(Instant at, JobId job) implements AboutJob {
    /** Checks that nothing is null. */
    public JobStarted {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
    }
  }

  /**
   * A job was seen to run, though its start was not decided here: somebody else has started it, or
   * it has begun elsewhere than was decided. It runs there from now on, whatever it was: new,
   * waiting, held, about to start or to move. What it uses counts as taken even where others hold
   * it: a start on the GPUs that it has is taken back, and a node on which more is held than there
   * is takes nothing until enough has left.
   *
   * @param spec the job, in place of what was known under its id, at its preferred size; an id of a
   *     job that is over is refused
   * @param nodes the node of each task, in the order of the roles and of their tasks; all are in
   *     the cluster and not lost, and have as many GPUs
   * @param since when it began to run, no later than {@code at}
   * @param isOwned whether it may be pre-empted, moved and resized as others; a job that is not
   *     owned stays as it is, waits for nothing, and is over once it fails or loses a task
   */
  record JobAdopted(Instant at, JobSpec spec, List<NodeId> nodes, Instant since, boolean isOwned)
      implements AboutJob {
    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if there is not one node for each task
     */
    public JobAdopted {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(spec, "spec");
      Objects.requireNonNull(since, "since");
      nodes = List.copyOf(nodes);
      if (nodes.size() != spec.tasks()) {
        throw new IllegalArgumentException(
            "an adopted job must have one node for each of its tasks, %d, but had %d, for job '%s'"
                .formatted(spec.tasks(), nodes.size(), spec.id()));
      }
    }

    @Override
    public JobId job() {
      return spec.id();
    }
  }

  /**
   * A job has done its work and left its GPUs. It runs, or has run and was stopped meanwhile: an
   * end that crosses the stop on its way counts, and the job does not run again.
   */
  record JobFinished(Instant at, JobId job) implements AboutJob {
    /** Checks that nothing is null. */
    public JobFinished {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
    }
  }

  /**
   * A running job stopped without having done its work and left its GPUs.
   *
   * @param retry whether the job waits again, and when and where it may be started
   * @param updated the job as it is from now on, such as with more memory; empty if as before
   */
  record JobFailed(Instant at, JobId job, Failure failure, Retry retry, Optional<JobSpec> updated)
      implements AboutJob {
    /**
     * Checks the updated job.
     *
     * @throws IllegalArgumentException if a job that is not tried again or has another id is
     *     updated
     */
    public JobFailed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(failure, "failure");
      Objects.requireNonNull(retry, "retry");
      if (updated.isPresent() && !(retry.again() && updated.get().id().equals(job))) {
        throw new IllegalArgumentException(
            "only a job that is tried again can be updated, under its own id, but was '%s', retry %s, for job '%s'"
                .formatted(updated.get().id(), retry.again(), job));
      }
    }

    /** Makes the failure of a job that stays as it is. */
    public JobFailed(Instant at, JobId job, Failure failure, Retry retry) {
      this(at, job, failure, retry, Optional.empty());
    }
  }

  /**
   * A pre-empted job has left its GPUs before the end of its grace period. They are free, and it
   * waits.
   *
   * @param retry when and where the job may be started again; it counts as no failure
   */
  record JobStopped(Instant at, JobId job, Retry retry) implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the job is not to be tried again
     */
    public JobStopped {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
      if (!retry.again()) {
        throw new IllegalArgumentException(
            "a job that stopped waits again, but was not to be tried, for job '%s'. Say that it was cancelled"
                .formatted(job));
      }
    }

    /** Makes the stop of a job that may be started again from now on. */
    public JobStopped(Instant at, JobId job) {
      this(at, job, Retry.now());
    }
  }

  /** The user cancelled a waiting or running job. */
  record JobCancelled(Instant at, JobId job) implements AboutJob {
    /** Checks that nothing is null. */
    public JobCancelled {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
    }
  }

  /**
   * A job is described in another way. One that waits requests what it says from now on, such as
   * more memory after it ran out of it. Of one that runs, or whose start was decided, only the
   * queue, the priority and the expected work are taken, and its roles must be as they are: it goes
   * on where it is, though its queue may use more than its quota by it. A job keeps its id, its
   * position in the order of submission and the service it has attained.
   *
   * @param spec the job as it is now, in place of what was submitted under its id
   */
  record JobUpdated(Instant at, JobSpec spec) implements AboutJob {
    /** Checks that nothing is null. */
    public JobUpdated {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(spec, "spec");
    }

    @Override
    public JobId job() {
      return spec.id();
    }
  }

  /**
   * A job is not to be started until it is {@linkplain JobReleased released}: its user holds it, or
   * it waits for something that the scheduler does not know of, such as another job. It keeps its
   * id, its position in the order of submission and the service it has attained; nothing is
   * reserved or promised to it meanwhile. A job that runs, or whose start was decided, is not
   * stopped for it, but is not started again once it has stopped. Told of a job that is held, it
   * replaces the reason; of one that was rejected, it changes nothing, so that a submission and
   * this may come as a {@link Bundle}.
   *
   * @param why the reason, for people, which explanations show: one line of at most 200 code
   *     points, made of any text by {@link Text#line}
   */
  record JobHeld(Instant at, JobId job, String why) implements AboutJob {
    private static final int MOST = 200;

    /** Makes one line of the reason. */
    public JobHeld {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
      why = Text.line(why, MOST);
    }
  }

  /**
   * A {@linkplain JobHeld held} job may be started again. With deadlines it is admitted again, as
   * if it were updated.
   */
  record JobReleased(Instant at, JobId job) implements AboutJob {
    /** Checks that nothing is null. */
    public JobReleased {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
    }
  }

  /** A running job reported how far it has come. */
  record JobProgressed(Instant at, JobId job, Progress progress) implements AboutJob {
    /** Checks that nothing is null. */
    public JobProgressed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(progress, "progress");
    }
  }

  /**
   * A running job reported what has become of a {@link Decision.Resize}. Of a resize whose place
   * another has taken, every report is refused as {@linkplain StaleEventException stale}.
   *
   * @param number the number of the resize
   * @param step how far it has come
   * @param paused for how long the job stood still for it, once it has switched; empty if nobody
   *     measured it
   */
  record ResizeReported(
      Instant at, JobId job, long number, ResizeStep step, Optional<Duration> paused)
      implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the number is not positive, or a pause is negative or is
     *     one of a job that has not switched
     */
    public ResizeReported {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(step, "step");
      if (number < 1) {
        throw new IllegalArgumentException(
            "the number of a resize must be at least 1, but was %d, for job '%s'"
                .formatted(number, job));
      }
      if (paused.isPresent() && (paused.get().isNegative() || step != ResizeStep.SWITCHED)) {
        throw new IllegalArgumentException(
            "only a job that has switched has paused, for a time that is not negative, but was %s, %s, for job '%s'"
                .formatted(step, paused.get(), job));
      }
    }

    /** Makes the report of a step without a measured pause. */
    public ResizeReported(Instant at, JobId job, long number, ResizeStep step) {
      this(at, job, number, step, Optional.empty());
    }
  }

  /**
   * A running job has measured how fast it is, as a {@link Decision.Profile} asked, and runs at its
   * size again.
   *
   * @param speeds what it measured; none if it could not
   */
  record JobProfiled(Instant at, JobId job, List<SizeSpeed> speeds) implements AboutJob {
    /** Checks and copies the parts. */
    public JobProfiled {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(job, "job");
      speeds = List.copyOf(speeds);
    }
  }

  /**
   * A node is gone, and every task on it has stopped, also of jobs that were being stopped or made
   * smaller.
   */
  record NodeLost(Instant at, NodeId node) implements ClusterEvent {
    /** Checks that nothing is null. */
    public NodeLost {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * A node shall take no new tasks; those it has run on, but not beyond a deadline. A start or a
   * change of size that has not begun there is taken back. For a node that drains already, the
   * deadline is changed.
   *
   * @param deadline when the node has to be empty: jobs there get smaller or move by then, where
   *     options allow it, or are pre-empted; empty if never
   */
  record NodeDraining(Instant at, NodeId node, Optional<Instant> deadline) implements ClusterEvent {
    /** Checks that nothing is null. */
    public NodeDraining {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(deadline, "deadline");
    }

    /** Makes the draining of a node whose jobs may run to their ends. */
    public NodeDraining(Instant at, NodeId node) {
      this(at, node, Optional.empty());
    }
  }

  /** A lost or draining node takes tasks again. */
  record NodeReturned(Instant at, NodeId node) implements ClusterEvent {
    /** Checks that nothing is null. */
    public NodeReturned {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * The cluster has grown by a node, which takes tasks from now on. Jobs that wait are tried on it;
   * a job that was rejected because it was too large may be submitted under a new id.
   *
   * @param node the node, of an id that no node of the cluster has
   * @param domains the domains above it that the cluster does not have yet, such as its rack; the
   *     levels of the cluster stay
   */
  record NodeAdded(Instant at, Node node, List<Domain> domains) implements ClusterEvent {
    /** Checks and copies the parts. */
    public NodeAdded {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
      domains = List.copyOf(domains);
    }

    /** Makes the addition of a node below domains that are there, or below none. */
    public NodeAdded(Instant at, Node node) {
      this(at, node, List.of());
    }
  }

  /**
   * A node has left the cluster for good. Nothing may run on it: it was {@linkplain NodeDraining
   * draining} until its jobs had ended, or was {@linkplain NodeLost lost}. Waiting jobs that only
   * fit with it go on waiting, since the cluster may grow again.
   *
   * @param node the node, not the only one of the cluster
   */
  record NodeRetired(Instant at, NodeId node) implements ClusterEvent {
    /** Checks that nothing is null. */
    public NodeRetired {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
    }
  }

  /** A GPU is gone, and every task on it has stopped. */
  record GpuLost(Instant at, GpuId gpu) implements ClusterEvent {
    /** Checks that nothing is null. */
    public GpuLost {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(gpu, "gpu");
    }
  }

  /** A lost GPU takes tasks again. */
  record GpuReturned(Instant at, GpuId gpu) implements ClusterEvent {
    /** Checks that nothing is null. */
    public GpuReturned {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(gpu, "gpu");
    }
  }

  /**
   * A copy of a data set is whole on a node: it was {@linkplain Decision.Prefetch prefetched}, or a
   * job that started there has read it, or somebody else has put it there.
   */
  record DataArrived(Instant at, NodeId node, Dataset dataset) implements ClusterEvent {
    /** Checks that nothing is null. */
    public DataArrived {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(dataset, "dataset");
    }
  }

  /**
   * A data set could not be {@linkplain Decision.Prefetch prefetched}. A report on one that was
   * cancelled meanwhile changes nothing.
   *
   * @param node the node it was on its way to
   * @param dataset the name of the data set
   */
  record PrefetchFailed(Instant at, NodeId node, String dataset) implements ClusterEvent {
    /** Checks that nothing is null. */
    public PrefetchFailed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(dataset, "dataset");
    }
  }

  /**
   * A copy of a data set is no longer on a node. Those that a {@link Decision.Prefetch} evicts are
   * gone without this; a report on a copy that is gone changes nothing.
   *
   * @param dataset the name of the data set
   */
  record DataEvicted(Instant at, NodeId node, String dataset) implements ClusterEvent {
    /** Checks that nothing is null. */
    public DataEvicted {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(dataset, "dataset");
    }
  }

  /**
   * The queues that share the cluster are other ones than before, or there are some for the first
   * time. From now on jobs stand in the leaves of the tree, nothing starts beyond a limit, and
   * queues take back what is due to them. Jobs that run go on, whatever they hold.
   */
  record QueuesChanged(Instant at, QueueTree tree) implements ClusterEvent {
    /** Checks that nothing is null. */
    public QueuesChanged {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(tree, "tree");
    }
  }

  /**
   * An operator announces that a part of the cluster is spoken for from a time to another one. A
   * scheduler that keeps no timeline of expected ends refuses it.
   *
   * @param reservation what is announced, under an id that no other has, to begin now or later
   */
  record ReservationAnnounced(Instant at, AdvanceReservation reservation) implements ClusterEvent {
    /** Checks that nothing is null. */
    public ReservationAnnounced {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(reservation, "reservation");
    }
  }

  /**
   * An operator changes an announced reservation, which has not ended.
   *
   * @param reservation what takes the place of the one with the same id; it ends after now, and
   *     begins now, later, or when that one began
   */
  record ReservationChanged(Instant at, AdvanceReservation reservation) implements ClusterEvent {
    /** Checks that nothing is null. */
    public ReservationChanged {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(reservation, "reservation");
    }
  }

  /** An operator gives up an announced reservation, before it begins or while it lasts. */
  record ReservationCancelled(Instant at, ReservationId reservation) implements ClusterEvent {
    /** Checks that nothing is null. */
    public ReservationCancelled {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(reservation, "reservation");
    }
  }

  /**
   * Events that are taken together: a scheduler applies all of them, in order, and then decides
   * once. If it refuses one, it takes none. So the differences that a look at the whole cluster has
   * found are told: none of them starts what the next one contradicts, and a thousand take one
   * turn. It happens at the time of its last event.
   *
   * @param events two or more, in the order of their times; no plans and no reports of progress,
   *     which are judged beside what runs at their own time
   */
  record Bundle(List<ClusterEvent> events) implements ClusterEvent {
    /**
     * Checks and copies the events.
     *
     * @throws IllegalArgumentException if there are fewer than two, one is earlier than the one
     *     before it, or one has to come alone
     */
    public Bundle {
      events = List.copyOf(events);
      if (events.size() < 2) {
        throw new IllegalArgumentException(
            "a bundle must have at least 2 events, but had " + events.size());
      }
      Instant last = events.getFirst().at();
      for (ClusterEvent event : events) {
        if (event instanceof Bundle
            || event instanceof PlanProposed
            || event instanceof JobProgressed) {
          throw new IllegalArgumentException(
              "bundles, plans and reports of progress must come alone, but there was %s in a bundle"
                  .formatted(event));
        }
        if (event.at().isBefore(last)) {
          throw new IllegalArgumentException(
              "events must be in the order of their times, but %s comes after %s"
                  .formatted(event, last));
        }
        last = event.at();
      }
    }

    @Override
    public Instant at() {
      return events.getLast().at();
    }
  }

  /** Nothing happened but time passed; policies that look at elapsed time may decide again. */
  record TimePassed(Instant at) implements ClusterEvent {
    /** Checks that nothing is null. */
    public TimePassed {
      Objects.requireNonNull(at, "at");
    }
  }

  /**
   * A batch planner has answered a {@link Decision.RequestPlan}. The plan may be late, or there
   * twice, or the cluster may have changed meanwhile: what still fits is carried out, and for the
   * rest the scheduler finds places as if no plan had been made.
   */
  record PlanProposed(Instant at, BatchPlan plan) implements ClusterEvent {
    /** Checks that nothing is null. */
    public PlanProposed {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(plan, "plan");
    }
  }
}
