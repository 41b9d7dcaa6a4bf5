package io.github.liquidscheduler.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of who is really there, from events and decisions alone: an embedder that obeys each
 * decision at once, but begins nothing before the others have left. A job that is stopping is there
 * until its end or {@code JobStopped} is reported, or its grace period is over. Not thread-safe.
 */
public final class PresenceLedger {

  /** Tasks that begin once others have left. */
  private record Coming(Placement to, Set<JobId> after) {}

  /** A change of size that has not switched: the tasks of before, and its number. */
  private record Change(Placement running, Placement to, long number) {}

  private final Map<JobId, List<TaskPlacement>> present = new LinkedHashMap<>();
  private final Map<JobId, Coming> starting = new LinkedHashMap<>();
  private final Map<JobId, Coming> growing = new LinkedHashMap<>();
  private final Map<JobId, Coming> moving = new LinkedHashMap<>();
  private final Map<JobId, Change> changes = new HashMap<>();
  private final Map<JobId, Instant> stopping = new LinkedHashMap<>();
  private final Set<JobId> ready = new HashSet<>();
  private final Set<JobId> held = new HashSet<>();
  private final Map<JobId, Instant> since = new HashMap<>();
  // Jobs that were not started here and end where others are stopped.
  private final Set<JobId> foreign = new HashSet<>();
  private final PresentUsage usage = new PresentUsage();
  private Map<PresentTasks.Part, Long> used = Map.of();
  private Instant now = Instant.EPOCH;

  /** Opens the ledger of a scheduler without jobs. */
  public PresenceLedger() {}

  /**
   * Enters an event and what was decided, and checks that no GPU, core or byte is used twice,
   * unless a job was adopted that uses it, no limit of a queue exceeded, who has to leave is named,
   * nothing begins where nothing may, and the scheduler says of each job that is there what the
   * ledger says.
   *
   * @throws AssertionError if that does not hold
   */
  public void enter(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    event.events().forEach(usage::note);
    now = event.at();
    event.events().forEach(each -> note(each, decisions, scheduler));
    ClusterTopology cluster = scheduler.view().topology();
    decisions.forEach(decision -> carryOut(decision));
    Map<PresentTasks.Part, Long> before = used;
    used = PresentTasks.used(present.values());
    PresentTasks.requireCapacity(cluster, used, before, adoptedOn(event), decisions);
    usage.require(present, coming(), scheduler);
    requireSame(scheduler);
    requireNothingComesWhereNothingMay(scheduler.view());
  }

  /** Returns the jobs that have a task on a GPU. */
  public List<JobId> on(GpuId gpu) {
    return present.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().stream().anyMatch(task -> PresentTasks.gpus(task).contains(gpu)))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns when a job began that is there; empty if it is not. */
  public Optional<Instant> since(JobId job) {
    return present.containsKey(job) ? Optional.ofNullable(since.get(job)) : Optional.empty();
  }

  /** Returns true if the new tasks of a job wait for nobody. */
  public boolean mayGrow(JobId job) {
    return !growing.containsKey(job);
  }

  private static Set<NodeId> adoptedOn(ClusterEvent event) {
    Set<NodeId> nodes = new HashSet<>();
    for (ClusterEvent each : event.events()) {
      if (each instanceof ClusterEvent.JobAdopted adopted) {
        nodes.addAll(adopted.nodes());
      }
    }
    return nodes;
  }

  private void note(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    for (JobId job : List.copyOf(stopping.keySet())) {
      if (!requireNonNull(stopping.get(job)).isAfter(event.at())) {
        leave(job);
      }
    }
    switch (event) {
      case ClusterEvent.JobAdopted e -> adopt(e, decisions, scheduler);
      case ClusterEvent.JobStarted e -> since.put(e.job(), e.at());
      case ClusterEvent.JobFinished e -> leave(e.job());
      case ClusterEvent.JobFailed e -> leave(e.job());
      case ClusterEvent.JobCancelled e -> leave(e.job());
      case ClusterEvent.JobStopped e -> leave(e.job());
      case ClusterEvent.JobHeld e -> held.add(e.job());
      case ClusterEvent.JobReleased e -> held.remove(e.job());
      case ClusterEvent.ResizeReported e -> note(e);
      case ClusterEvent.NodeLost e -> lose(task -> task.node().equals(e.node()));
      case ClusterEvent.GpuLost e -> lose(task -> PresentTasks.gpus(task).contains(e.gpu()));
      default -> {}
    }
  }

  /** The scheduler chooses the GPUs of the nodes where a job was seen, and may move it on. */
  private void adopt(ClusterEvent.JobAdopted event, List<Decision> decisions, Scheduler scheduler) {
    JobId job = event.job();
    Optional<JobStatus> status = scheduler.status(job);
    Optional<Placement> booked = status.flatMap(PresenceLedger::placement);
    if (goesOn(job, status, decisions)) {
      return;
    }
    starting.remove(job);
    growing.remove(job);
    moving.remove(job);
    changes.remove(job);
    stopping.remove(job);
    foreign.remove(job);
    if (!event.isOwned()) {
      foreign.add(job);
    }
    if (status.orElseThrow() instanceof JobStatus.Running running) {
      since.put(job, running.since());
    }
    booked.ifPresent(at -> present.put(job, at.tasks()));
    if (decisions.stream().noneMatch(decision -> isAbout(job, decision))) {
      assertThat(requireNonNull(present.get(job)).stream().map(TaskPlacement::node))
          .as("nodes of %s", event)
          .containsExactlyInAnyOrderElementsOf(event.nodes());
    }
    left(job);
  }

  /** Returns true if a job was seen where it was known to be, and still changes as it did. */
  private boolean goesOn(JobId job, Optional<JobStatus> status, List<Decision> decisions) {
    boolean isSame =
        status
            .flatMap(PresenceLedger::placement)
            .filter(at -> at.tasks().equals(present.get(job)))
            .isPresent();
    boolean isUnchanged =
        status
            .filter(now -> now instanceof JobStatus.Resizing || now instanceof JobStatus.Moving)
            .filter(now -> decisions.stream().noneMatch(decision -> isAbout(job, decision)))
            .isPresent();
    return (changes.containsKey(job) || moving.containsKey(job)) && (isSame || isUnchanged);
  }

  private static boolean isAbout(JobId job, Decision decision) {
    return decision instanceof Decision.AboutJob about && about.job().equals(job);
  }

  private static Optional<Placement> placement(JobStatus status) {
    return switch (status) {
      case JobStatus.Running running -> Optional.of(running.placement());
      case JobStatus.Resizing resizing -> Optional.of(resizing.placement());
      case JobStatus.Moving moving -> Optional.of(moving.placement());
      case JobStatus.Stopping stopping -> Optional.of(stopping.placement());
      default -> Optional.empty();
    };
  }

  private void note(ClusterEvent.ResizeReported event) {
    Change change = requireNonNull(changes.get(event.job()));
    boolean getsLarger = change.to().tasks().size() > change.running().tasks().size();
    if (event.step() == ResizeStep.SWITCHED) {
      settle(event.job(), change.to());
    } else if (event.step() == ResizeStep.READY) {
      ready.add(event.job());
    } else if (getsLarger) {
      settle(event.job(), change.running());
    }
  }

  private void settle(JobId job, Placement at) {
    changes.remove(job);
    growing.remove(job);
    present.put(job, at.tasks());
    left(job);
  }

  /** All tasks there have stopped, whatever is decided about their jobs. */
  private void lose(Predicate<TaskPlacement> isThere) {
    for (JobId job : List.copyOf(present.keySet())) {
      List<TaskPlacement> rest = new ArrayList<>(requireNonNull(present.get(job)));
      boolean wasLeaving = isLeaving(job) && !leaving(job).isEmpty();
      rest.removeIf(isThere);
      boolean isGone = rest.size() < requireNonNull(present.get(job)).size();
      present.put(job, rest);
      if ((rest.isEmpty() && stopping.containsKey(job)) || (isGone && foreign.contains(job))) {
        leave(job);
      } else if (wasLeaving && leaving(job).isEmpty()) {
        left(job);
      }
    }
  }

  private void leave(JobId job) {
    present.remove(job);
    starting.remove(job);
    growing.remove(job);
    moving.remove(job);
    changes.remove(job);
    stopping.remove(job);
    left(job);
  }

  /** Notes that a job has left what others wait for. */
  private void left(JobId gone) {
    for (Map<JobId, Coming> waiting : List.of(starting, growing, moving)) {
      waiting.values().forEach(coming -> coming.after().remove(gone));
    }
    begin();
  }

  /** Begins what waits for nobody. */
  private void begin() {
    for (JobId job : List.copyOf(starting.keySet())) {
      if (requireNonNull(starting.get(job)).after().isEmpty()) {
        present.put(job, requireNonNull(starting.remove(job)).to().tasks());
        since.put(job, now);
      }
    }
    for (JobId job : List.copyOf(growing.keySet())) {
      if (requireNonNull(growing.get(job)).after().isEmpty()) {
        grow(job, requireNonNull(growing.remove(job)).to());
      }
    }
    for (JobId job : List.copyOf(moving.keySet())) {
      @Nullable Coming move = moving.get(job);
      if (move != null && move.after().isEmpty()) {
        moving.remove(job);
        present.put(job, move.to().tasks());
        left(job);
      }
    }
  }

  private void grow(JobId job, Placement to) {
    List<TaskPlacement> all = new ArrayList<>(requireNonNull(present.get(job)));
    all.addAll(PresentTasks.more(to, all));
    present.put(job, all);
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> {
        assertThat(present).as("starts twice").doesNotContainKey(start.job());
        assertThat(held).as("is held").doesNotContain(start.job());
        usage.start(start.job());
        requireLeaving(start.job(), start.placement().tasks(), start.after());
        starting.put(start.job(), new Coming(start.placement(), new TreeSet<>(start.after())));
        begin();
      }
      case Decision.Preempt preempt -> preempt(preempt);
      case Decision.Migrate move -> {
        assertThat(starting).as("moves before it has begun").doesNotContainKey(move.job());
        List<TaskPlacement> there = requireNonNull(present.get(move.job()));
        requireLeaving(move.job(), PresentTasks.more(move.placement(), there), move.after());
        moving.put(move.job(), new Coming(move.placement(), new TreeSet<>(move.after())));
        begin();
      }
      case Decision.Resize resize -> resize(resize);
      case Decision.Reject reject -> leave(reject.job());
      case Decision.Profile profile ->
          assertThat(starting).as("measures before it has begun").doesNotContainKey(profile.job());
      case Decision.Prefetch prefetch -> {}
      case Decision.CancelPrefetch cancel -> {}
      case Decision.RequestPlan request -> {}
    }
  }

  private void preempt(Decision.Preempt preempt) {
    JobId job = preempt.job();
    if (starting.containsKey(job)) {
      assertThat(preempt.until()).as("nothing to stop of %s", job).isEmpty();
    }
    if (preempt.until().isEmpty()) {
      leave(job);
    } else {
      stopping.put(job, preempt.until().get());
      growing.remove(job);
      moving.remove(job);
      changes.remove(job);
    }
  }

  private void resize(Decision.Resize resize) {
    JobId job = resize.job();
    assertThat(starting).as("changes its size before it has begun").doesNotContainKey(job);
    List<TaskPlacement> there = requireNonNull(present.get(job));
    Change before = changes.get(job);
    Placement running = before == null ? new Placement(job, there) : before.running();
    requireLeaving(job, PresentTasks.more(resize.placement(), there), resize.after());
    changes.put(job, new Change(running, resize.placement(), resize.number()));
    ready.remove(job);
    growing.put(job, new Coming(resize.placement(), new TreeSet<>(resize.after())));
    begin();
  }

  /** Checks that who has to leave is there, leaves, and holds some of what is taken. */
  private void requireLeaving(JobId job, List<TaskPlacement> taken, List<JobId> after) {
    assertThat(after).doesNotHaveDuplicates().doesNotContain(job);
    Set<JobId> onGpus = new TreeSet<>();
    Set<JobId> onHosts = new TreeSet<>();
    for (JobId other : present.keySet()) {
      if (!other.equals(job) && isLeaving(other)) {
        List<TaskPlacement> theirs = leaving(other);
        if (PresentTasks.overlap(theirs, taken)) {
          onGpus.add(other);
        }
        if (PresentTasks.shareHost(theirs, taken)) {
          onHosts.add(other);
        }
      }
    }
    assertThat(after).as("who is still on GPUs of %s", job).containsAll(onGpus);
    Set<JobId> named = new TreeSet<>(after);
    named.removeAll(onGpus);
    named.removeIf(other -> isLeaving(other) && usage.mayShareQuota(job, other));
    assertThat(onHosts).as("who is still on hosts of %s", job).containsAll(named);
  }

  private boolean isLeaving(JobId job) {
    return stopping.containsKey(job) || changes.containsKey(job) || moving.containsKey(job);
  }

  /** Returns the tasks that a job gives up. */
  private List<TaskPlacement> leaving(JobId job) {
    List<TaskPlacement> there = new ArrayList<>(requireNonNull(present.get(job)));
    if (stopping.containsKey(job) || there.isEmpty()) {
      return there;
    }
    Placement next =
        moving.containsKey(job)
            ? requireNonNull(moving.get(job)).to()
            : requireNonNull(changes.get(job)).to();
    return PresentTasks.more(new Placement(job, there), next.tasks());
  }

  /** Returns the tasks that come once others have left. */
  private Map<JobId, List<TaskPlacement>> coming() {
    Map<JobId, List<TaskPlacement>> coming = new HashMap<>();
    starting.forEach((job, start) -> coming.put(job, start.to().tasks()));
    moving.forEach(
        (job, move) ->
            coming.put(job, PresentTasks.more(move.to(), requireNonNull(present.get(job)))));
    growing.forEach(
        (job, more) ->
            coming.put(job, PresentTasks.more(more.to(), requireNonNull(present.get(job)))));
    return coming;
  }

  private void requireNothingComesWhereNothingMay(ClusterView cluster) {
    List<TaskPlacement> coming = new ArrayList<>();
    starting.values().forEach(start -> coming.addAll(start.to().tasks()));
    moving.forEach(
        (job, move) ->
            coming.addAll(PresentTasks.more(move.to(), requireNonNull(present.get(job)))));
    changes.forEach(
        (job, change) -> {
          if (!ready.contains(job)) {
            coming.addAll(PresentTasks.more(change.to(), change.running().tasks()));
          }
        });
    PresentTasks.requireAllowed(cluster, coming);
  }

  /** Checks that the scheduler says the same of each job that is there or comes. */
  private void requireSame(Scheduler scheduler) {
    starting.forEach(
        (job, coming) -> {
          JobStatus.Starting said = status(scheduler, job, JobStatus.Starting.class);
          assertThat(said.placement()).isEqualTo(coming.to());
          assertThat(said.after()).containsExactlyElementsOf(coming.after());
        });
    moving.forEach(
        (job, coming) -> {
          JobStatus.Moving said = (JobStatus.Moving) scheduler.status(job).orElseThrow();
          assertThat(said.placement().tasks()).isEqualTo(present.get(job));
          assertThat(said.next()).isEqualTo(coming.to());
          assertThat(said.after()).containsExactlyElementsOf(coming.after());
        });
    Set<JobId> there = new LinkedHashSet<>(scheduler.view().runningJobs());
    there.removeAll(starting.keySet());
    there.addAll(stopping.keySet());
    assertThat(present.keySet()).containsExactlyInAnyOrderElementsOf(there);
    stopping.forEach(
        (job, until) -> {
          JobStatus.Stopping said = status(scheduler, job, JobStatus.Stopping.class);
          assertThat(said.until()).isEqualTo(until);
          assertThat(PresentTasks.places(said.placement().tasks()))
              .containsExactlyInAnyOrderElementsOf(
                  PresentTasks.places(requireNonNull(present.get(job))));
        });
  }

  private static <T extends JobStatus> T status(Scheduler scheduler, JobId job, Class<T> expected) {
    JobStatus said = scheduler.status(job).orElseThrow();
    assertThat(said).as("job %s", job).isInstanceOf(expected);
    return expected.cast(said);
  }
}
