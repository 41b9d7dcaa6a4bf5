package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps its own books of a scheduler's decisions, from nothing but the events and the decisions,
 * and checks each decision against them.
 */
final class Ledger {

  private final ClusterTopology cluster;
  private final Map<JobId, JobSpec> jobs = new HashMap<>();
  private final Set<JobId> waiting = new LinkedHashSet<>();
  private final Map<JobId, Placement> running = new LinkedHashMap<>();
  private final Set<JobId> over = new LinkedHashSet<>();
  private final Set<NodeId> lost = new LinkedHashSet<>();
  private final Set<NodeId> draining = new LinkedHashSet<>();
  private final Set<GpuId> lostGpus = new LinkedHashSet<>();
  private final Set<JobId> started = new LinkedHashSet<>();
  private final Map<JobId, List<Placement>> victims = new LinkedHashMap<>();
  private final List<Takeover> takeovers = new ArrayList<>();

  /** What a job that started had stopped for it, and what ran on beside it. */
  record Takeover(JobId winner, List<Placement> victims, List<Placement> others) {}

  Ledger(ClusterTopology cluster) {
    this.cluster = cluster;
  }

  Set<JobId> waiting() {
    return waiting;
  }

  Map<JobId, Placement> running() {
    return running;
  }

  Set<JobId> over() {
    return over;
  }

  /** Returns for whom the last event stopped whom. */
  List<Takeover> takeovers() {
    return takeovers;
  }

  JobSpec job(JobId id) {
    return Objects.requireNonNull(jobs.get(id));
  }

  /** Returns a cluster with its outages of now in which these placements hold. */
  ClusterState state(Collection<Placement> placements) {
    ClusterState state = ClusterState.of(cluster);
    placements.forEach(placement -> state.apply(job(placement.job()), placement));
    draining.forEach(node -> state.setHealth(node, NodeHealth.DRAINING));
    lost.forEach(node -> state.setHealth(node, NodeHealth.LOST));
    lostGpus.forEach(state::lose);
    return state;
  }

  void enter(Playback.Step step) {
    started.clear();
    victims.clear();
    takeovers.clear();
    note(step.event());
    step.decisions().forEach(this::carryOut);
    requireThatWhatIsLostIsEmpty();
    requireThatNothingIsOverCommitted();
  }

  private void note(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted e -> {
        jobs.put(e.job(), e.spec());
        waiting.add(e.job());
      }
      case ClusterEvent.JobUpdated e -> jobs.put(e.job(), e.spec());
      case ClusterEvent.JobFinished e -> end(e.job());
      case ClusterEvent.JobFailed e -> {
        end(e.job());
        if (e.retry()) {
          over.remove(e.job());
          waiting.add(e.job());
        }
        e.updated().ifPresent(job -> jobs.put(job.id(), job));
      }
      case ClusterEvent.JobCancelled e -> end(e.job());
      case ClusterEvent.NodeLost e -> {
        draining.remove(e.node());
        lost.add(e.node());
      }
      case ClusterEvent.NodeDraining e -> draining.add(e.node());
      case ClusterEvent.NodeReturned e -> {
        draining.remove(e.node());
        lost.remove(e.node());
      }
      case ClusterEvent.GpuLost e -> lostGpus.add(e.gpu());
      case ClusterEvent.GpuReturned e -> lostGpus.remove(e.gpu());
      case ClusterEvent.JobProgressed e -> {}
      case ClusterEvent.PlanProposed e -> {}
      case ClusterEvent.TimePassed e -> {}
    }
  }

  private void end(JobId job) {
    waiting.remove(job);
    running.remove(job);
    over.add(job);
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> {
        JobId job = start.job();
        assertThat(waiting.remove(job)).as("%s waited", start).isTrue();
        requireWhole(start.placement());
        requireAllowed(start.placement());
        started.add(job);
        List<Placement> stopped = victims.getOrDefault(job, List.of());
        if (!stopped.isEmpty()) {
          takeovers.add(new Takeover(job, stopped, List.copyOf(running.values())));
        }
        running.put(job, start.placement());
      }
      case Decision.Preempt preempt -> {
        JobId job = preempt.job();
        Placement stopped = running.remove(job);
        assertThat(stopped).as("%s ran", preempt).isNotNull();
        assertThat(started).as("started in the same event").doesNotContain(job);
        waiting.add(job);
        if (preempt.why() instanceof Reason.PreemptedByPriority outranked) {
          victims.computeIfAbsent(outranked.winner(), w -> new ArrayList<>()).add(stopped);
        }
      }
      case Decision.Migrate migrate -> {
        requireWhole(migrate.placement());
        requireAllowed(migrate.placement());
        assertThat(job(migrate.job()).isPreemptible()).as("%s may", migrate).isTrue();
        assertThat(running.remove(migrate.job())).as("%s ran", migrate).isNotNull();
        running.put(migrate.job(), migrate.placement());
        requireThatNothingIsOverCommitted();
      }
      case Decision.RequestPlan request -> assertThat(waiting).containsAll(request.jobs());
      case Decision.Reject reject -> {
        assertThat(waiting.remove(reject.job())).as("%s waited", reject).isTrue();
        over.add(reject.job());
      }
      default -> throw new AssertionError("unexpected " + decision);
    }
  }

  private void requireWhole(Placement placement) {
    List<TaskId> tasks = new ArrayList<>();
    for (TaskRole role : job(placement.job()).roles()) {
      for (int i = 0; i < role.count(); i++) {
        tasks.add(new TaskId(role.name(), i));
      }
    }
    assertThat(placement.tasks()).extracting(TaskPlacement::task).containsExactlyElementsOf(tasks);
  }

  private void requireAllowed(Placement placement) {
    JobSpec job = job(placement.job());
    assertThat(placement.nodes()).noneMatch(lost::contains).noneMatch(draining::contains);
    for (TaskPlacement task : placement.tasks()) {
      Node node = cluster.node(task.node());
      assertThat(node.labels()).containsAllEntriesOf(job.nodeLabels());
      assertThat(withoutShare(task.request()))
          .isEqualTo(withoutShare(job.role(task.task().role()).orElseThrow().request()));
      if (!job.gpuModels().isEmpty()) {
        assertThat(job.gpuModels())
            .containsAll(task.gpus().stream().map(gpu -> node.gpus().get(gpu).model()).toList());
      }
    }
    job.topology()
        .required()
        .ifPresent(level -> assertThat(isWithin(level, placement)).as("%s", placement).isTrue());
  }

  private static ResourceRequest withoutShare(ResourceRequest request) {
    return request.toBuilder().gpus(request.gpus()).build();
  }

  private boolean isWithin(String level, Placement placement) {
    if (placement.nodes().size() == 1 || level.equals(ClusterTopology.CLUSTER)) {
      return true;
    }
    List<Optional<DomainId>> domains =
        placement.nodes().stream()
            .map(node -> cluster.domainOf(node, level).map(Domain::id))
            .distinct()
            .toList();
    return domains.size() == 1 && domains.get(0).isPresent();
  }

  private void requireThatWhatIsLostIsEmpty() {
    for (Placement placement : running.values()) {
      assertThat(placement.nodes()).noneMatch(lost::contains);
      for (TaskPlacement task : placement.tasks()) {
        for (int gpu : task.gpus()) {
          assertThat(lostGpus).doesNotContain(new GpuId(task.node(), gpu));
        }
      }
    }
  }

  private void requireThatNothingIsOverCommitted() {
    for (Node node : cluster.nodes()) {
      List<TaskPlacement> tasks =
          running.values().stream()
              .flatMap(placement -> placement.tasks().stream())
              .filter(task -> task.node().equals(node.id()))
              .toList();
      assertThat(tasks.stream().mapToLong(Ledger::cpu).sum())
          .isLessThanOrEqualTo(node.cpu().millicores());
      assertThat(tasks.stream().mapToLong(Ledger::memory).sum())
          .isLessThanOrEqualTo(node.memory().bytes());
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        requireThatGpuIsNotOverCommitted(node.gpus().get(gpu), gpu, tasks);
      }
    }
  }

  private static void requireThatGpuIsNotOverCommitted(
      Gpu gpu, int index, List<TaskPlacement> tasks) {
    List<TaskPlacement> holders = tasks.stream().filter(t -> t.gpus().contains(index)).toList();
    assertThat(holders.stream().mapToInt(task -> task.share().thousandths()).sum())
        .isLessThanOrEqualTo(1000);
    assertThat(
            holders.stream()
                .mapToLong(task -> task.request().gpuMemory().orElse(Memory.ZERO).bytes())
                .sum())
        .isLessThanOrEqualTo(gpu.memory().bytes());
  }

  private static long cpu(TaskPlacement task) {
    return task.request().cpu().orElse(CpuCores.ZERO).millicores();
  }

  private static long memory(TaskPlacement task) {
    return task.request().memory().orElse(Memory.ZERO).bytes();
  }
}
