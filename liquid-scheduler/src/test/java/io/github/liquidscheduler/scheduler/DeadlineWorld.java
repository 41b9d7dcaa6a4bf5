package io.github.liquidscheduler.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A cluster in which predicted speeds and resize costs are exact and decisions take effect at once.
 */
final class DeadlineWorld {

  /** The work of a job with a number of tasks, in seconds of one task. */
  interface Speed {
    double at(int tasks);
  }

  private static final int PLANNING = 3;

  /** The pause of a job that moves to faster GPUs, in seconds. */
  static final double MOVE_PAUSE = 1;

  private static final NodeId SLOW = NodeId.of("n0");

  private final LiquidScheduler scheduler;
  private final Speed speed;
  private final double pause;
  private final double slow;
  private final Map<JobId, Running> jobs = new LinkedHashMap<>();
  private final TreeMap<Instant, List<JobSpec>> arrivals = new TreeMap<>();
  private final TreeMap<Instant, ClusterEvent> plans = new TreeMap<>();
  private final Map<JobId, Instant> ends = new LinkedHashMap<>();
  private final Map<JobId, Decision.Reject> rejected = new LinkedHashMap<>();
  private final List<String> told = new ArrayList<>();
  private final Map<JobId, Long> longer = new LinkedHashMap<>();
  private Optional<Supplier<LiquidScheduler.Builder>> alike = Optional.empty();
  private Instant now = Instant.EPOCH;

  /** A job that has been submitted and not ended. */
  private static final class Running {
    private final JobId id;
    private double left;
    private int size;
    private double pace = 1;
    private Instant asOf = Instant.EPOCH;
    private Instant pausedUntil = Instant.EPOCH;

    Running(JobId id, double work) {
      this.id = id;
      left = work;
    }
  }

  DeadlineWorld(LiquidScheduler scheduler, Speed speed, double pauseSeconds) {
    this(scheduler, speed, pauseSeconds, 1);
  }

  /**
   * Makes a world.
   *
   * @param slow the speed of jobs with a task on node n0, beside those on other nodes
   */
  DeadlineWorld(LiquidScheduler scheduler, Speed speed, double pauseSeconds, double slow) {
    this.slow = slow;
    this.scheduler = scheduler;
    this.speed = speed;
    pause = pauseSeconds;
  }

  /** Has a copy and a restored scheduler of these options decide the same before each event. */
  DeadlineWorld comparing(Supplier<LiquidScheduler.Builder> options) {
    alike = Optional.of(options);
    return this;
  }

  private List<Decision> decide(ClusterEvent event) {
    List<Scheduler> others = new ArrayList<>();
    alike.ifPresent(
        options -> {
          others.add(scheduler.copy());
          others.add(options.get().restore(scheduler.snapshot()));
        });
    List<Decision> decisions = scheduler.on(event);
    for (Scheduler other : others) {
      assertThat(other.on(event)).as("%s", event).isEqualTo(decisions);
      assertThat(other.snapshot()).isEqualTo(scheduler.snapshot());
    }
    return decisions;
  }

  /** Has a job arrive; its expected duration, at its preferred size, is right. */
  void arrive(long second, JobSpec job) {
    arrivals.computeIfAbsent(at(second), time -> new ArrayList<>()).add(job);
  }

  /** Has a job run longer than expected, and report nothing. */
  void outlive(String job, long seconds) {
    longer.put(JobId.of(job), seconds);
  }

  static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  /** Returns the ends of all ended jobs. */
  Map<JobId, Instant> ends() {
    return ends;
  }

  /** Returns the end of an ended job. */
  Instant end(String job) {
    return requireNonNull(ends.get(JobId.of(job)));
  }

  Map<JobId, Decision.Reject> rejected() {
    return rejected;
  }

  /** Returns the starts and resizes, with their seconds. */
  List<String> told() {
    return told;
  }

  /** Returns the start that is reserved for a job. */
  Optional<Instant> reservedStart(String job) {
    return scheduler.reservedStart(JobId.of(job));
  }

  /** Returns why a job waits. */
  String explain(String job) {
    return scheduler.explain(JobId.of(job)).describe();
  }

  /** Plays until nothing happens any more. */
  void play() {
    playUntil(Instant.MAX.getEpochSecond());
  }

  /** Plays what happens up to a second. */
  void playUntil(long second) {
    Instant end = Instant.ofEpochSecond(second);
    for (Optional<Instant> next = next();
        next.filter(time -> !time.isAfter(end)).isPresent();
        next = next()) {
      now = next.get();
      List<Running> done = jobs.values().stream().filter(this::isDone).toList();
      done.stream().filter(this::isDone).forEach(this::finish);
      for (JobSpec job : Optional.ofNullable(arrivals.remove(now)).orElse(List.of())) {
        submit(job);
      }
      Optional.ofNullable(plans.remove(now)).ifPresent(this::send);
      if (scheduler.nextWakeUp().filter(wake -> !wake.isAfter(now)).isPresent()) {
        send(new ClusterEvent.TimePassed(now));
      }
    }
  }

  private Optional<Instant> next() {
    List<Instant> times = new ArrayList<>();
    jobs.values().stream().filter(job -> job.size > 0).map(this::end).forEach(times::add);
    scheduler.nextWakeUp().ifPresent(times::add);
    if (!arrivals.isEmpty()) {
      times.add(arrivals.firstKey());
    }
    if (!plans.isEmpty()) {
      times.add(plans.firstKey());
    }
    return times.stream().filter(time -> time.isBefore(Instant.MAX)).min(Instant::compareTo);
  }

  private void submit(JobSpec job) {
    Duration expected = job.expectedWork().orElseThrow().duration().orElseThrow();
    double work =
        longer.getOrDefault(job.id(), 0L)
            + seconds(expected) * speed.at(job.parallelism().preferred());
    jobs.put(job.id(), new Running(job.id(), work));
    send(new ClusterEvent.JobSubmitted(now, job));
  }

  private boolean isDone(Running job) {
    return job.size > 0 && !end(job).isAfter(now);
  }

  private Instant end(Running job) {
    Instant from = job.pausedUntil.isAfter(job.asOf) ? job.pausedUntil : job.asOf;
    return from.plusNanos((long) Math.ceil(job.left / speedOf(job) * 1e9));
  }

  private double speedOf(Running job) {
    return speed.at(job.size) * job.pace;
  }

  private void finish(Running job) {
    jobs.remove(job.id);
    ends.put(job.id, now);
    send(new ClusterEvent.JobFinished(now, job.id));
  }

  private void send(ClusterEvent first) {
    Deque<ClusterEvent> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      ClusterEvent event = events.remove();
      if (event instanceof ClusterEvent.JobProgressed report && isStarting(report.job())) {
        events.add(event);
      } else {
        decide(event).forEach(decision -> carryOut(decision, events));
      }
    }
  }

  /** Returns true if a job waits for others to leave, which then report that first. */
  private boolean isStarting(JobId job) {
    return scheduler.status(job).filter(JobStatus.Starting.class::isInstance).isPresent();
  }

  private void carryOut(Decision decision, Deque<ClusterEvent> events) {
    switch (decision) {
      case Decision.Start start -> {
        Running job = requireNonNull(jobs.get(start.job()));
        resume(job, start.placement(), 0);
        if (!longer.containsKey(job.id)) {
          events.add(progress(job));
        }
      }
      case Decision.Preempt preempt -> {
        resume(requireNonNull(jobs.get(preempt.job())), 0, 1, 0);
        preempt
            .until()
            .ifPresent(any -> events.addFirst(new ClusterEvent.JobStopped(now, preempt.job())));
      }
      case Decision.Reject reject -> {
        jobs.remove(reject.job());
        rejected.put(reject.job(), reject);
      }
      case Decision.Resize resize -> {
        Running job = requireNonNull(jobs.get(resize.job()));
        boolean grows = resize.placement().gpus() > job.size;
        events.removeIf(event -> isReportOf(resize.job(), event));
        resume(job, resize.placement(), pause);
        if (grows) {
          events.add(reported(resize, ResizeStep.READY));
        }
        events.add(reported(resize, ResizeStep.SWITCHED));
        events.add(progress(job));
      }
      case Decision.RequestPlan request -> {
        Instant later = now.plusSeconds(PLANNING);
        plans.put(
            later,
            new ClusterEvent.PlanProposed(later, BatchPlanners.greedy().plan(request.request())));
      }
      case Decision.Migrate move -> {
        Running job = requireNonNull(jobs.get(move.job()));
        resume(job, move.placement(), MOVE_PAUSE);
        events.add(progress(job));
      }
      default -> throw new AssertionError("not expected: " + decision);
    }
  }

  /** Returns true if an event reports an earlier change of size, which a later one has replaced. */
  private static boolean isReportOf(JobId job, ClusterEvent event) {
    return event instanceof ClusterEvent.ResizeReported report && report.job().equals(job);
  }

  private ClusterEvent reported(Decision.Resize resize, ResizeStep step) {
    return new ClusterEvent.ResizeReported(now, resize.job(), resize.number(), step);
  }

  /** Goes on elsewhere, or with another size, after a pause. */
  private void resume(Running job, Placement to, double pauseSeconds) {
    resume(job, to.gpus(), to.nodes().contains(SLOW) ? slow : 1, pauseSeconds);
  }

  private void resume(Running job, int size, double pace, double pauseSeconds) {
    if (job.size > 0) {
      Instant from = job.pausedUntil.isAfter(job.asOf) ? job.pausedUntil : job.asOf;
      double ran = from.isAfter(now) ? 0 : seconds(Duration.between(from, now));
      job.left = Math.max(0, job.left - ran * speedOf(job));
    }
    told.add(
        "%s %d at %d"
            .formatted(job.id, size, Math.round(seconds(Duration.between(Instant.EPOCH, now)))));
    job.size = size;
    job.pace = pace;
    job.asOf = now;
    Instant until = now.plusNanos(Math.round(pauseSeconds * 1e9));
    job.pausedUntil = until.isAfter(job.pausedUntil) ? until : job.pausedUntil;
  }

  private ClusterEvent progress(Running job) {
    Duration left = Duration.between(now, end(job));
    return new ClusterEvent.JobProgressed(
        now, job.id, Progress.of(0, speedOf(job)).withRemaining(left));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
