package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RoundScheduler} on GPUs that a scheduler of the cluster gives it and takes back. To that
 * scheduler the pool is one job, usually elastic, whose tasks hold its nodes: what is decided about
 * the job is translated into GPUs that come and are asked back, and what has become of that is
 * reported as of any job. Tasks on GPUs that the pool keeps go on, also if the job is stopped and
 * started again in one answer, as it is when one of its nodes is lost.
 *
 * <p>Each call returns what shall be done on the GPUs, and what has to be reported to the scheduler
 * of the cluster: at once, in order, before anything else. Not thread-safe.
 */
public final class RoundPool {

  /** What shall be done on the GPUs of the pool, and reported to the scheduler of the cluster. */
  public record Outcome(List<RoundDecision> decisions, List<ClusterEvent> reports) {
    /** Copies the lists. */
    public Outcome {
      decisions = List.copyOf(decisions);
      reports = List.copyOf(reports);
    }
  }

  private static final String POOL = "pool";

  private final JobId job;
  private final Duration grace;
  private final RoundScheduler rounds;

  private final Set<GpuId> leaving = new LinkedHashSet<>();

  private final Map<GpuId, GpuModel> promised = new LinkedHashMap<>();

  private final Set<JobId> awaited = new TreeSet<>();
  private long resize;
  private @Nullable Instant stoppingUntil;

  private RoundPool(JobId job, Duration grace, RoundScheduler rounds) {
    this.job = job;
    this.grace = grace;
    this.rounds = rounds;
  }

  /**
   * Returns a pool without GPUs.
   *
   * @param job the job that stands for it in the cluster
   * @param grace how long its tasks may go on where it has to get smaller; a job that is pre-empted
   *     is told how long
   * @param rounds the scheduler of its tasks, without GPUs, which is used through the pool from now
   *     on
   * @throws IllegalArgumentException if the grace is negative, or the scheduler has GPUs
   */
  public static RoundPool of(JobId job, Duration grace, RoundScheduler rounds) {
    requireGrace(grace, job);
    if (!rounds.gpus().isEmpty()) {
      throw new IllegalArgumentException(
          "a pool must begin without GPUs, but has %s, for job '%s'".formatted(rounds.gpus(), job));
    }
    return new RoundPool(Objects.requireNonNull(job, "job"), grace, rounds);
  }

  private static void requireGrace(Duration grace, JobId job) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException(
          "a grace must not be negative, but was %s, for job '%s'".formatted(grace, job));
    }
  }

  /**
   * Takes what the scheduler of the cluster has decided, all of one answer at once, whatever jobs
   * it is about.
   */
  public Outcome take(Instant now, List<Decision> decisions, ClusterTopology topology) {
    boolean isMine = false;
    Map<GpuId, GpuModel> target = new LinkedHashMap<>();
    Instant deadline = now;
    for (Decision decision : decisions) {
      if (decision instanceof Decision.AboutJob about && about.job().equals(job)) {
        isMine = true;
        target = note(about).map(to -> gpus(to, topology)).orElse(new LinkedHashMap<>());
        deadline = deadline(about, now);
      }
    }
    return isMine ? rounds(now, become(target, deadline, now)) : new Outcome(List.of(), List.of());
  }

  /** Takes note of what is decided about the job, and returns where it runs afterwards. */
  private Optional<Placement> note(Decision.AboutJob decision) {
    resize = 0;
    stoppingUntil = null;
    awaited.clear();
    return switch (decision) {
      case Decision.Start start -> {
        awaited.addAll(start.after());
        yield Optional.of(start.placement());
      }
      case Decision.Resize change -> {
        awaited.addAll(change.after());
        resize = change.number();
        yield Optional.of(change.placement());
      }
      case Decision.Migrate move -> {
        awaited.addAll(move.after());
        yield Optional.of(move.placement());
      }
      case Decision.Preempt preemption -> {
        stoppingUntil = preemption.until().orElse(null);
        yield Optional.empty();
      }
      case Decision.Reject rejection -> Optional.empty();
      case Decision.Profile profile -> throw refuse(profile);
    };
  }

  private IllegalArgumentException refuse(Decision decision) {
    return new IllegalArgumentException(
        "a pool cannot measure its speed and must not be asked to, but was: " + decision);
  }

  /** Returns when the GPUs that the job does not keep have to be given back. */
  private Instant deadline(Decision.AboutJob decision, Instant now) {
    return switch (decision) {
      case Decision.Preempt preemption -> preemption.until().orElse(now);
      case Decision.Resize change -> now.plus(grace);
      default -> now;
    };
  }

  /** Returns what has to happen for the pool to have these GPUs and no others. */
  private List<RoundEvent> become(Map<GpuId, GpuModel> target, Instant deadline, Instant now) {
    List<RoundEvent> events = new ArrayList<>();
    for (GpuId gpu : rounds.gpus()) {
      @Nullable GpuModel model = target.remove(gpu);
      if (model == null) {
        events.add(new RoundEvent.GpuAskedBack(now, gpu, deadline));
        leaving.add(gpu);
      } else if (leaving.remove(gpu)) {
        events.add(new RoundEvent.GpuAdded(now, gpu, model));
      }
    }
    promised.clear();
    promised.putAll(target);
    events.addAll(arrivals(now));
    return events;
  }

  /** Notes that another job has left what it held: it stopped, shrank, or its time is up. */
  public Outcome left(Instant now, JobId other) {
    return rounds(now, awaited.remove(other) ? arrivals(now) : List.of());
  }

  /** Returns the arrival of what was promised, unless somebody still has to leave. */
  private List<RoundEvent> arrivals(Instant now) {
    if (!awaited.isEmpty()) {
      return List.of();
    }
    List<RoundEvent> events = new ArrayList<>();
    promised.forEach((gpu, model) -> events.add(new RoundEvent.GpuAdded(now, gpu, model)));
    promised.clear();
    return events;
  }

  /**
   * Applies what has happened to jobs of rounds and on GPUs, at one instant. GPUs come, and are
   * asked back, by {@link #take} alone. Where a deadline of the pool is over, it has to be told
   * before the scheduler of the cluster is.
   *
   * @throws io.github.liquidscheduler.scheduling.StaleEventException as {@link RoundScheduler#on}
   *     does
   * @throws IllegalArgumentException as {@link RoundScheduler#on} does
   * @throws java.util.NoSuchElementException if there is no event
   */
  public Outcome on(List<RoundEvent> events) {
    return rounds(events.getFirst().at(), events);
  }

  /** Gives up all GPUs at once: the job that stands for the pool was cancelled, or has ended. */
  public Outcome close(Instant now) {
    resize = 0;
    stoppingUntil = null;
    awaited.clear();
    return rounds(now, become(new LinkedHashMap<>(), now, now));
  }

  private Outcome rounds(Instant now, List<RoundEvent> events) {
    List<RoundDecision> decisions = events.isEmpty() ? List.of() : rounds.on(events);
    for (RoundDecision decision : decisions) {
      if (decision instanceof RoundDecision.GiveBack back) {
        leaving.remove(back.gpu());
      }
    }
    // Lost GPUs have been left as well.
    leaving.retainAll(new HashSet<>(rounds.gpus()));
    return new Outcome(decisions, reports(now));
  }

  /** Returns what has to be reported once everybody has left and all GPUs have come. */
  private List<ClusterEvent> reports(Instant now) {
    List<ClusterEvent> reports = new ArrayList<>();
    if (leaving.isEmpty() && promised.isEmpty()) {
      if (resize > 0) {
        reports.add(new ClusterEvent.ResizeReported(now, job, resize, ResizeStep.SWITCHED));
      }
      if (stoppingUntil != null && now.isBefore(stoppingUntil)) {
        reports.add(new ClusterEvent.JobStopped(now, job));
      }
      resize = 0;
      stoppingUntil = null;
    }
    return reports;
  }

  /** Returns how far a job of rounds has come; empty if it is over, or was never submitted. */
  public Optional<RoundProgress> progress(JobId job) {
    return rounds.progress(job);
  }

  /** Returns the GPUs that the pool has, also those asked back, in the order in which they came. */
  public List<GpuId> gpus() {
    return rounds.gpus();
  }

  /** Returns when time has to pass for GPUs to be given back, as {@link RoundScheduler} does. */
  public Optional<Instant> nextWakeUp() {
    return rounds.nextWakeUp();
  }

  /** Returns the whole state as a value, to restore a pool from. */
  public SchedulerSnapshot snapshot() {
    SchedulerSnapshot snapshot = rounds.snapshot();
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(snapshot.sections());
    sections.put(POOL, save());
    return new SchedulerSnapshot(snapshot.version(), snapshot.now(), sections);
  }

  private SnapshotSection save() {
    return SnapshotSection.builder()
        .text("job", job)
        .text("grace", grace)
        .list("leaving", leaving, RoundSnapshots::save)
        .list("promised", promised.entrySet(), RoundPool::save)
        .texts("awaited", awaited)
        .put("resize", resize)
        .text("until", Optional.ofNullable(stoppingUntil))
        .build();
  }

  private static SnapshotSection save(Map.Entry<GpuId, GpuModel> promise) {
    return SnapshotSection.builder()
        .put("gpu", RoundSnapshots.save(promise.getKey()))
        .text("model", promise.getValue())
        .build();
  }

  /**
   * Returns a pool that goes on where {@code snapshot} was taken.
   *
   * @param builder the policy and speeds of its scheduler, as they were
   * @throws IllegalArgumentException as {@link RoundScheduler.Builder#restore} does
   */
  public static RoundPool restore(RoundScheduler.Builder builder, SchedulerSnapshot snapshot) {
    RoundScheduler rounds = builder.restore(snapshot);
    return snapshot.section(POOL).read(in -> restored(in, rounds));
  }

  private static RoundPool restored(SnapshotSection.Reader in, RoundScheduler rounds) {
    Duration grace = in.text("grace", Duration::parse);
    JobId job = in.text("job", JobId::of);
    requireGrace(grace, job);
    RoundPool pool = new RoundPool(job, grace, rounds);
    pool.leaving.addAll(
        in.list("leaving", SnapshotSection.class, each -> each.read(RoundSnapshots::gpu)));
    in.list("promised", SnapshotSection.class, each -> each.read(pool::promise));
    pool.awaited.addAll(in.texts("awaited", JobId::of));
    pool.resize = in.longCount("resize");
    pool.stoppingUntil = in.optionalText("until", Instant::parse).orElse(null);
    return pool;
  }

  private GpuId promise(SnapshotSection.Reader in) {
    GpuId gpu = in.value("gpu", SnapshotSection.class).read(RoundSnapshots::gpu);
    promised.put(gpu, in.text("model", GpuModel::of));
    return gpu;
  }

  private static Map<GpuId, GpuModel> gpus(Placement placement, ClusterTopology topology) {
    Map<GpuId, GpuModel> gpus = new LinkedHashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      Node node = topology.node(task.node());
      for (int index : task.gpus()) {
        gpus.put(new GpuId(node.id(), index), node.gpus().get(index).model());
      }
    }
    return gpus;
  }
}
