package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps books of its own on a scheduler's decisions, from nothing but the topology, the events and
 * the decisions, and fails with an {@link AssertionError} at the first decision that cannot be
 * carried out: a gang that is not whole, a job that did not wait, a node that is down, anything
 * over-committed at any point between two decisions. Not thread-safe.
 */
public final class Ledger {
  private final PlainCluster cluster;
  private PlacementJudge judge;
  private final Map<JobId, JobSpec> jobs = new HashMap<>();
  private final Set<JobId> waiting = new LinkedHashSet<>();
  private final Set<JobId> ended = new LinkedHashSet<>();
  private final Set<JobId> held = new HashSet<>();
  private final Set<JobId> started = new LinkedHashSet<>();
  private final Map<JobId, List<Placement>> victims = new LinkedHashMap<>();
  private final List<Takeover> takeovers = new ArrayList<>();
  // Where jobs that are being resized run until they have switched.
  private final Map<JobId, Placement> running = new HashMap<>();
  private final Set<JobId> profiling = new HashSet<>();
  private final CopyLedger copies;

  /** A job that started where others were stopped for it, and the cluster between both. */
  public record Takeover(JobId winner, List<Placement> victims, PlainCluster before) {
    /** Copies the victims. */
    public Takeover {
      victims = List.copyOf(victims);
    }
  }

  /** Opens books on a cluster in which every node is up and nothing runs. */
  public Ledger(ClusterTopology topology) {
    cluster = PlainCluster.of(topology);
    judge = new PlacementJudge(cluster);
    copies = new CopyLedger(topology);
  }

  /** Returns the waiting jobs, in the order of arrival in the queue. */
  public Set<JobId> waiting() {
    return Collections.unmodifiableSet(waiting);
  }

  /** Returns the running jobs and their placements, in the order of their starts. */
  public Map<JobId, Placement> running() {
    Map<JobId, Placement> running = new LinkedHashMap<>();
    cluster.runningJobs().forEach(job -> running.put(job, placement(job).orElseThrow()));
    return running;
  }

  /** Returns the jobs that finished, failed for good, were cancelled or were rejected. */
  public Set<JobId> ended() {
    return Collections.unmodifiableSet(ended);
  }

  /** Returns the pre-emptions of the last event, each with the job it was for. */
  public List<Takeover> takeovers() {
    return Collections.unmodifiableList(takeovers);
  }

  /**
   * Returns a job as it was last submitted or updated.
   *
   * @throws NullPointerException if it was never submitted
   */
  public JobSpec job(JobId id) {
    return Objects.requireNonNull(jobs.get(id), () -> "job '" + id + "' was never submitted");
  }

  /**
   * Enters what happened and what was decided about it.
   *
   * @throws AssertionError if that cannot be
   */
  public void enter(ClusterEvent event, List<Decision> decisions) {
    started.clear();
    victims.clear();
    takeovers.clear();
    event.events().forEach(this::note);
    decisions.forEach(this::carryOut);
    cluster.runningJobs().forEach(this::requireNothingLost);
  }

  private void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted e -> {
        jobs.put(e.job(), e.spec());
        waiting.add(e.job());
      }
      case ClusterEvent.JobUpdated e -> jobs.put(e.job(), e.spec());
      case ClusterEvent.JobAdopted e ->
          throw new IllegalArgumentException(
              "adopted jobs may use more than there is, which this ledger never allows, but job '%s' was adopted. Use a PresenceLedger"
                  .formatted(e.job()));
      case ClusterEvent.JobFinished e -> end(e.job());
      case ClusterEvent.JobFailed e -> fail(e);
      case ClusterEvent.JobCancelled e -> end(e.job());
      case ClusterEvent.NodeLost e -> cluster.setHealth(e.node(), NodeHealth.LOST);
      case ClusterEvent.NodeDraining e -> cluster.setHealth(e.node(), NodeHealth.DRAINING);
      case ClusterEvent.NodeReturned e -> cluster.setHealth(e.node(), NodeHealth.UP);
      case ClusterEvent.NodeAdded e ->
          changeTopology(cluster.topology().withNode(e.node(), e.domains()));
      case ClusterEvent.NodeRetired e -> changeTopology(cluster.topology().withoutNode(e.node()));
      case ClusterEvent.GpuLost e -> cluster.lose(e.gpu());
      case ClusterEvent.GpuReturned e -> cluster.restore(e.gpu());
      case ClusterEvent.ResizeReported e -> resized(e);
      case ClusterEvent.JobProfiled e -> assertThat(profiling.remove(e.job())).isTrue();
      case ClusterEvent.JobProgressed e -> {}
      case ClusterEvent.JobStarted e -> {}
      case ClusterEvent.JobStopped e -> {}
      case ClusterEvent.JobHeld e -> held.add(e.job());
      case ClusterEvent.JobReleased e -> held.remove(e.job());
      case ClusterEvent.PlanProposed e -> {}
      case ClusterEvent.QueuesChanged e -> {}
      case ClusterEvent.ReservationAnnounced e -> {}
      case ClusterEvent.ReservationChanged e -> {}
      case ClusterEvent.ReservationCancelled e -> {}
      case ClusterEvent.TimePassed e -> {}
      case ClusterEvent.Bundle e -> {}
      case ClusterEvent.DataArrived e -> {}
      case ClusterEvent.PrefetchFailed e -> {}
      case ClusterEvent.DataEvicted e -> {}
    }
    copies.note(event);
  }

  private void changeTopology(ClusterTopology topology) {
    cluster.changeTopology(topology);
    judge = new PlacementJudge(cluster);
  }

  private void fail(ClusterEvent.JobFailed event) {
    end(event.job());
    if (event.retry().again()) {
      ended.remove(event.job());
      waiting.add(event.job());
    }
    event.updated().ifPresent(job -> jobs.put(job.id(), job));
  }

  private void end(JobId job) {
    running.remove(job);
    profiling.remove(job);
    waiting.remove(job);
    cluster.stop(job);
    ended.add(job);
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> start(start);
      case Decision.Preempt preempt -> preempt(preempt);
      case Decision.Migrate migrate -> migrate(migrate);
      case Decision.Resize resize -> resize(resize);
      case Decision.Profile profile -> profile(profile);
      case Decision.Prefetch prefetch -> {
        assertThat(waiting).as("%s is for a job that waits", prefetch).contains(prefetch.job());
        assertThat(job(prefetch.job()).datasets()).contains(prefetch.dataset());
        copies.bring(prefetch, running().values(), this::job);
      }
      case Decision.CancelPrefetch cancel -> copies.cancel(cancel);
      case Decision.RequestPlan request -> assertThat(waiting).containsAll(request.jobs());
      case Decision.Reject reject -> {
        assertThat(waiting.remove(reject.job())).as("%s waited", reject).isTrue();
        ended.add(reject.job());
      }
    }
  }

  private void start(Decision.Start start) {
    JobId job = start.job();
    assertThat(waiting.remove(job)).as("%s waited", start).isTrue();
    assertThat(held).as("%s is not held", start).doesNotContain(job);
    JobSpec sized = start.placement().sized(job(job));
    judge.requireStart(sized, start.placement());
    started.add(job);
    List<Placement> stopped = victims.getOrDefault(job, List.of());
    if (!stopped.isEmpty()) {
      takeovers.add(new Takeover(job, stopped, cluster.copy()));
    }
    cluster.start(sized, start.placement());
  }

  private void preempt(Decision.Preempt preempt) {
    JobId job = preempt.job();
    Placement stopped = requireRunning(preempt, job);
    assertThat(started).as("started in the same event").doesNotContain(job);
    cluster.stop(job);
    running.remove(job);
    profiling.remove(job);
    waiting.add(job);
    if (preempt.why() instanceof Reason.PreemptedByPriority reason) {
      victims.computeIfAbsent(reason.winner(), winner -> new ArrayList<>()).add(stopped);
    }
  }

  private void migrate(Decision.Migrate migrate) {
    Placement before = requireRunning(migrate, migrate.job());
    JobSpec job = before.sized(job(migrate.job()));
    boolean isForOperator =
        migrate.why() instanceof Reason.NodeDrained
            || migrate.why() instanceof Reason.ReservationBegan;
    assertThat(job.isPreemptible() || isForOperator).as("%s may be moved", job).isTrue();
    cluster.stop(job.id());
    judge.requireStart(job, migrate.placement());
    cluster.start(job, migrate.placement());
  }

  private void resize(Decision.Resize resize) {
    Placement before = requireRunning(resize, resize.job());
    JobSpec job = resize.placement().sized(job(resize.job()));
    assertThat(started).as("started in the same event").doesNotContain(resize.job());
    assertThat(profiling).as("is profiled").doesNotContain(resize.job());
    cluster.stop(job.id());
    judge.requireResize(job, before, resize.placement());
    cluster.start(job, resize.placement());
    running.putIfAbsent(job.id(), before);
  }

  /** A job is asked one thing at a time. */
  private void profile(Decision.Profile profile) {
    Placement at = requireRunning(profile, profile.job());
    assertThat(running).as("being resized").doesNotContainKey(profile.job());
    assertThat(profiling.add(profile.job())).as("%s, and is not yet", profile).isTrue();
    JobSpec job = job(profile.job());
    int size = at.size(job);
    assertThat(job.parallelism().allowedSizes()).containsAll(profile.sizes());
    assertThat(profile.sizes().getFirst()).isLessThanOrEqualTo(size);
  }

  private void resized(ClusterEvent.ResizeReported event) {
    Placement before = Objects.requireNonNull(running.get(event.job()));
    Placement next = placement(event.job()).orElseThrow();
    boolean getsLarger = next.tasks().size() > before.tasks().size();
    switch (event.step()) {
      case READY -> {}
      case SWITCHED -> running.remove(event.job());
      case FAILED, RETRY, TIMED_OUT -> {
        if (getsLarger) {
          running.remove(event.job());
          cluster.stop(event.job());
          cluster.start(before.sized(job(event.job())), before);
        }
      }
    }
  }

  private Placement requireRunning(Decision decision, JobId job) {
    Optional<Placement> placement = placement(job);
    assertThat(placement).as("%s ran", decision).isPresent();
    return placement.orElseThrow();
  }

  private Optional<Placement> placement(JobId job) {
    return cluster.placement(job);
  }

  private void requireNothingLost(JobId job) {
    for (TaskPlacement task : placement(job).orElseThrow().tasks()) {
      assertThat(cluster.health(task.node())).as("%s", task).isNotEqualTo(NodeHealth.LOST);
      assertThat(task.gpuIds()).as("GPUs of %s", task).noneMatch(cluster::isLost);
    }
  }
}
