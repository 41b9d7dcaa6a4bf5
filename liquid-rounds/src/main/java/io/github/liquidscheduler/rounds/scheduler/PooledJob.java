package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A job of rounds, and what it has brought into its pool. Mutable. */
final class PooledJob {

  /** The deadline of GPUs that nobody else needs: they are given back when their tasks are done. */
  static final Instant NEVER = Instant.MAX;

  private static final RoundProgress UNBEGUN = new RoundProgress(0, 0, 0, 0);

  private final JobId id;
  private final RoundPool pool;
  private final Set<GpuId> gpus = new LinkedHashSet<>();
  private final Set<JobId> awaited = new TreeSet<>();
  private long resize;
  private boolean isProfiling;
  private boolean isOver;
  private boolean isCancelled;

  PooledJob(JobId id, RoundPool pool) {
    this.id = id;
    this.pool = pool;
  }

  /** Returns what the scheduler of the cluster takes a job of rounds for. */
  static JobSpec inCluster(JobSpec job) {
    int most = job.roles().getFirst().count();
    return job.toBuilder()
        .synchronization(new Synchronization.Gang())
        .parallelism(Parallelism.between(1, most, most))
        .sharing(new Sharing.Exclusive())
        .build();
  }

  JobId id() {
    return id;
  }

  RoundPool pool() {
    return pool;
  }

  /** Returns the GPUs that it has brought into its pool, also those asked back. To be changed. */
  Set<GpuId> gpus() {
    return gpus;
  }

  void complete() {
    isOver = true;
  }

  void cancel() {
    isOver = true;
    isCancelled = true;
  }

  /** Returns true if it needs no GPUs any more. */
  boolean isOver() {
    return isOver;
  }

  boolean isCancelled() {
    return isCancelled;
  }

  /**
   * Checks that no task of it has run, and that it holds no GPU.
   *
   * @throws IllegalArgumentException if one has
   */
  void requireUnbegun() {
    boolean isUnbegun = pool.tasks().progress(id).filter(UNBEGUN::equals).isPresent();
    if (!isUnbegun || !gpus.isEmpty()) {
      throw new IllegalArgumentException(
          "the rounds and the pool of a job may change until a task runs, but '%s' has begun"
              .formatted(id));
    }
  }

  /** Takes note of who has left, and of what is decided about the job. */
  void note(ClusterEvent event, List<Decision> decisions, Scheduler cluster) {
    awaited.removeIf(other -> hasLeft(other, event));
    for (Decision decision : decisions) {
      if (decision instanceof Decision.AboutJob about && about.job().equals(id)) {
        awaited.clear();
        isProfiling = decision instanceof Decision.Profile;
        if (decision instanceof Decision.Resize change) {
          resize = change.number();
          awaited.addAll(change.after());
        }
      }
    }
    awaited.removeIf(other -> !isLeaving(cluster.status(other).orElse(null)));
  }

  private static boolean hasLeft(JobId job, ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.ResizeReported report ->
          report.job().equals(job) && report.step() == ResizeStep.SWITCHED;
      case ClusterEvent.JobStopped stopped -> stopped.job().equals(job);
      default -> false;
    };
  }

  private static boolean isLeaving(@Nullable JobStatus status) {
    return status instanceof JobStatus.Stopping
        || status instanceof JobStatus.Resizing
        || status instanceof JobStatus.Moving;
  }

  /** Returns what asks back the GPUs that it must not keep, and keeps those that it may again. */
  List<RoundEvent> releases(Instant now, Duration grace, Scheduler cluster) {
    @Nullable JobStatus status = cluster.status(id).orElse(null);
    Map<GpuId, GpuModel> kept = kept(status, cluster);
    Instant deadline =
        switch (status) {
          case JobStatus.Stopping stopping when stopping.until().isAfter(now) -> stopping.until();
          case JobStatus.Resizing resizing -> now.plus(grace);
          case null, default -> now;
        };
    List<RoundEvent> events = new ArrayList<>();
    for (GpuId gpu : gpus) {
      @Nullable GpuModel model = kept.get(gpu);
      @Nullable Instant until = pool.tasks().until(gpu);
      Instant due = model == null ? deadline : NEVER;
      if (model != null && !isOver) {
        if (until != null) {
          events.add(new RoundEvent.GpuAdded(now, gpu, model));
        }
      } else if (until == null || due.isBefore(until)) {
        events.add(new RoundEvent.GpuAskedBack(now, gpu, due));
      }
    }
    return events;
  }

  /** Returns the GPUs on which it may run once it has switched; a starting job has no tasks. */
  private static Map<GpuId, GpuModel> kept(@Nullable JobStatus status, Scheduler cluster) {
    Optional<Placement> placement =
        switch (status) {
          case JobStatus.Launching launching -> Optional.of(launching.placement());
          case JobStatus.Running running -> Optional.of(running.placement());
          case JobStatus.Resizing resizing -> Optional.of(resizing.next());
          case JobStatus.Moving moving -> Optional.of(moving.placement());
          case null, default -> Optional.empty();
        };
    Map<GpuId, GpuModel> gpus = new LinkedHashMap<>();
    ClusterTopology topology = cluster.view().topology();
    for (TaskPlacement task : placement.map(Placement::tasks).orElse(List.of())) {
      Node node = topology.node(task.node());
      task.gpus().forEach(n -> gpus.put(new GpuId(node.id(), n), node.gpus().get(n).model()));
    }
    return gpus;
  }

  /** Returns the GPUs that come, unless others still have to leave. */
  List<RoundEvent> arrivals(Instant now, Scheduler cluster) {
    @Nullable JobStatus status = cluster.status(id).orElse(null);
    if (isOver || !awaited.isEmpty()) {
      return List.of();
    }
    List<RoundEvent> events = new ArrayList<>();
    kept(status, cluster)
        .forEach(
            (gpu, model) -> {
              if (!pool.tasks().has(gpu)) {
                gpus.add(gpu);
                events.add(new RoundEvent.GpuAdded(now, gpu, model));
              }
            });
    return events;
  }

  /** Returns true if the cluster will never have what it needs. */
  boolean isRejected(Scheduler cluster) {
    return !isOver && cluster.status(id).filter(JobStatus.Ended.class::isInstance).isPresent();
  }

  /** Returns what has to be reported about it, if anything has. */
  Optional<ClusterEvent> report(Instant now, Scheduler cluster) {
    @Nullable JobStatus status = cluster.status(id).orElse(null);
    if (isProfiling) {
      isProfiling = false;
      return Optional.of(new ClusterEvent.JobProfiled(now, id, List.of()));
    }
    if (isOver) {
      return gpus.isEmpty() ? Optional.of(end(now, status)) : Optional.empty();
    }
    return switch (status) {
      case JobStatus.Stopping stopping when gpus.isEmpty() && now.isBefore(stopping.until()) ->
          Optional.of(new ClusterEvent.JobStopped(now, id));
      case JobStatus.Launching launching -> Optional.of(new ClusterEvent.JobStarted(now, id));
      case JobStatus.Resizing resizing
          when awaited.isEmpty() && gpus.equals(kept(resizing, cluster).keySet()) ->
          Optional.of(new ClusterEvent.ResizeReported(now, id, resize, ResizeStep.SWITCHED));
      case null, default -> Optional.empty();
    };
  }

  private ClusterEvent end(Instant now, @Nullable JobStatus status) {
    boolean isThere = status instanceof JobStatus.Running || isLeaving(status);
    return isThere && !isCancelled
        ? new ClusterEvent.JobFinished(now, id)
        : new ClusterEvent.JobCancelled(now, id);
  }

  SnapshotSection save() {
    return SnapshotSection.builder()
        .text("job", id)
        .list("gpus", gpus, RoundSnapshots::save)
        .texts("awaited", awaited)
        .put("resize", resize)
        .put("over", (Object) isOver)
        .put("cancelled", (Object) isCancelled)
        .build();
  }

  static PooledJob load(SnapshotSection.Reader in, RoundPool pool) {
    PooledJob job = new PooledJob(in.text("job", JobId::of), pool);
    job.gpus.addAll(in.list("gpus", SnapshotSection.class, each -> each.read(RoundSnapshots::gpu)));
    job.awaited.addAll(in.texts("awaited", JobId::of));
    job.resize = in.longCount("resize");
    job.isOver = in.value("over", Boolean.class);
    job.isCancelled = in.value("cancelled", Boolean.class);
    return job;
  }
}
