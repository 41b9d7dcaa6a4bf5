package io.github.liquidscheduler.scheduler.combination;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler.Step;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * An embedder that carries out decisions and reports what becomes of them: who is pre-empted with a
 * grace period stops after ten seconds, a resize switches after two, a data set arrives after
 * eight, a plan comes after one. It can be restarted from a snapshot before any event.
 */
final class Embedder {

  private static final Instant END = Instant.ofEpochSecond(2_000);
  private static final int MOST_EVENTS = 500;

  private static final Duration ROUNDS_GRACE = Duration.ofSeconds(10);

  /** A report to come, unless it no longer holds then. */
  private record Report(Instant at, long number, BooleanSupplier holds, Runnable sending) {}

  /** A job that begins, moves or grows once others have left. */
  private record Coming(Set<JobId> after, Runnable begin) {}

  private final Scenario scenario;
  private final Options options;
  private final ClusterTopology cluster;
  private final IntPredicate restartsBefore;
  private final Map<JobId, Duration> runTimes;
  private final Map<JobId, Coming> coming = new LinkedHashMap<>();
  private final Map<JobId, Integer> runs = new HashMap<>();
  private final Set<JobId> begun = new HashSet<>();
  private final Map<JobId, Long> resizes = new HashMap<>();
  private final Set<String> transfers = new HashSet<>();
  private final PriorityQueue<Report> reports =
      new PriorityQueue<>(Comparator.comparing(Report::at).thenComparing(Report::number));
  private final List<Told> told = new ArrayList<>();
  private final Set<TaskRun> tasks = new HashSet<>();
  private PooledScheduler scheduler;
  private Instant now = Instant.EPOCH;
  private long reported;
  private int events;

  private Embedder(Scenario scenario, Options options, IntPredicate restartsBefore) {
    this.scenario = scenario;
    this.options = options;
    this.restartsBefore = restartsBefore;
    cluster = scenario.cluster();
    runTimes = scenario.runTimes();
    scheduler = build();
  }

  /**
   * Plays a scenario and returns all decisions.
   *
   * @param restartsBefore the numbers of events before which the scheduler is restored from its
   *     snapshot
   * @throws RefusalException if the builder refuses the options, or the scheduler the queues
   */
  static List<Told> play(Scenario scenario, Options options, IntPredicate restartsBefore) {
    Embedder embedder = new Embedder(scenario, options, restartsBefore);
    embedder.play();
    return embedder.told;
  }

  private PooledScheduler build() {
    try {
      return PooledScheduler.around(options.on(cluster).build(), policy(), ROUNDS_GRACE);
    } catch (IllegalStateException refused) {
      throw new RefusalException(refused);
    }
  }

  private static RoundScheduler.Builder policy() {
    return RoundScheduler.builder(RoundPolicy.scaleFreeHlas());
  }

  private void play() {
    Deque<ClusterEvent> script = new ArrayDeque<>(scenario.events(options));
    Optional<Instant> next = next(script);
    while (next.isPresent() && !next.get().isAfter(END)) {
      now = next.get();
      if (!reports.isEmpty() && !reports.element().at().isAfter(now)) {
        report(reports.remove());
      } else if (!script.isEmpty() && !script.element().at().isAfter(now)) {
        tell(script.remove());
      } else {
        send(new ClusterEvent.TimePassed(now));
      }
      next = next(script);
    }
  }

  /** Sends an event, but for updates of jobs that have started: their users are too late. */
  private void tell(ClusterEvent event) {
    boolean isLate =
        event instanceof ClusterEvent.JobUpdated update
            && (runs.containsKey(update.job()) || hasBegun(update.job()));
    if (!isLate) {
      send(event);
    }
  }

  /** Returns true if tasks of a job have run, maybe on GPUs of other jobs of its pool. */
  private boolean hasBegun(JobId job) {
    return scheduler
        .progress(job)
        .filter(progress -> !progress.equals(new RoundProgress(0, 0, 0, 0)))
        .isPresent();
  }

  private Optional<Instant> next(Deque<ClusterEvent> script) {
    List<Instant> times = new ArrayList<>();
    scheduler.nextWakeUp().map(wake -> wake.isBefore(now) ? now : wake).ifPresent(times::add);
    if (!reports.isEmpty()) {
      times.add(reports.element().at());
    }
    if (!script.isEmpty()) {
      times.add(script.element().at());
    }
    return times.stream().min(Comparator.naturalOrder());
  }

  private void report(Report report) {
    if (report.holds().getAsBoolean()) {
      report.sending().run();
    }
  }

  private void after(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobFinished end -> left(end.job());
      case ClusterEvent.JobCancelled end -> {
        stop(end.job());
        left(end.job());
      }
      case ClusterEvent.JobStopped stop -> left(stop.job());
      case ClusterEvent.ResizeReported step -> {
        if (step.step() == ResizeStep.SWITCHED) {
          left(step.job());
        }
      }
      default -> {}
    }
  }

  private void send(ClusterEvent event) {
    if (event instanceof ClusterEvent.JobFinished end) {
      begun.remove(end.job());
    } else if (event instanceof ClusterEvent.NodeLost lost) {
      tasks.removeIf(run -> run.gpu().node().equals(lost.node()));
    }
    prepare(event);
    decide(event).forEach(this::carryOut);
    after(event);
  }

  private void send(RoundEvent event) {
    prepare(event);
    scheduler.on(List.of(event)).forEach(this::carryOut);
  }

  private void prepare(Object event) {
    if (events++ > MOST_EVENTS) {
      throw new AssertionError(
          "the scheduler never comes to rest: %s of %s at %s, waiting %s"
              .formatted(
                  told.stream().map(Told::text).toList(),
                  scenario,
                  event,
                  scheduler.waiting().stream().map(scheduler::explain).toList()));
    }
    if (restartsBefore.test(events)) {
      scheduler =
          PooledScheduler.restore(
              options.on(cluster)::restore, policy(), ROUNDS_GRACE, scheduler.snapshot());
    }
  }

  private List<Step> decide(ClusterEvent event) {
    try {
      return scheduler.on(event);
    } catch (IllegalArgumentException refused) {
      if (event instanceof ClusterEvent.QueuesChanged) {
        throw new RefusalException(refused);
      }
      throw refused;
    }
  }

  private void later(BooleanSupplier holds, ClusterEvent event) {
    reports.add(new Report(event.at(), reported++, holds, () -> send(event)));
  }

  private void carryOut(Step step) {
    switch (step) {
      case Step.Cluster cluster -> {
        told.add(Told.of(now, cluster.decision()));
        carryOut(cluster.decision());
      }
      case Step.Pool pool -> {
        told.add(Told.of(now, pool.decision()));
        follow(pool.decision());
      }
      case Step.Task task -> carryOut(task.decision());
      case Step.Report report -> after(report.event());
    }
  }

  private void carryOut(RoundDecision decision) {
    if (decision instanceof RoundDecision.RunTask start) {
      TaskRun run = start.run();
      tasks.add(run);
      Instant end = now.plus(requireNonNull(runTimes.get(run.task().job())).dividedBy(2));
      reports.add(
          new Report(
              end,
              reported++,
              () -> tasks.remove(run),
              () -> send(new RoundEvent.TaskSynchronized(end, run))));
    } else if (decision instanceof RoundDecision.StopTask stop) {
      tasks.remove(stop.run());
    }
  }

  /** Takes note of when the GPUs of a pool are free for others. */
  private void follow(Decision decision) {
    switch (decision) {
      case Decision.Start start -> runs.merge(start.job(), 1, Integer::sum);
      case Decision.Preempt preempt when preempt.until().isPresent() ->
          later(
              () -> {
                left(preempt.job());
                return true;
              },
              new ClusterEvent.TimePassed(preempt.until().get()));
      case Decision.Preempt preempt -> left(preempt.job());
      case Decision.Migrate move -> once(move.job(), move.after(), () -> left(move.job()));
      default -> {}
    }
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> {
        int run = runs.merge(start.job(), 1, Integer::sum);
        once(start.job(), start.after(), () -> begin(start.job(), run));
      }
      case Decision.Preempt preempt -> preempt(preempt);
      case Decision.Migrate move -> once(move.job(), move.after(), () -> left(move.job()));
      case Decision.Resize resize -> resize(resize);
      case Decision.Reject reject -> stop(reject.job());
      case Decision.Prefetch prefetch -> {
        String key = prefetch.node() + " " + prefetch.dataset().name();
        transfers.add(key);
        Instant at = now.plusSeconds(8);
        later(
            () -> transfers.remove(key),
            new ClusterEvent.DataArrived(at, prefetch.node(), prefetch.dataset()));
      }
      case Decision.CancelPrefetch cancel ->
          transfers.remove(cancel.node() + " " + cancel.dataset());
      case Decision.RequestPlan request ->
          later(
              () -> true,
              new ClusterEvent.PlanProposed(
                  now.plusSeconds(1), BatchPlanners.greedy().plan(request.request())));
      case Decision.Profile profile -> {}
    }
  }

  private void once(JobId job, List<JobId> after, Runnable begin) {
    Set<JobId> awaited = new HashSet<>(after);
    if (awaited.isEmpty()) {
      begin.run();
    } else {
      coming.put(job, new Coming(awaited, begin));
    }
  }

  private void left(JobId gone) {
    for (Map.Entry<JobId, Coming> entry : List.copyOf(coming.entrySet())) {
      Coming other = entry.getValue();
      if (other.after().remove(gone) && other.after().isEmpty()) {
        coming.remove(entry.getKey(), other);
        other.begin().run();
      }
    }
  }

  private void begin(JobId job, int run) {
    begun.add(job);
    Instant end = now.plus(requireNonNull(runTimes.get(job)));
    later(
        () -> runs.getOrDefault(job, 0) == run && begun.contains(job),
        new ClusterEvent.JobFinished(end, job));
  }

  private void preempt(Decision.Preempt preempt) {
    boolean hadBegun = begun.contains(preempt.job());
    stop(preempt.job());
    if (hadBegun && preempt.until().isPresent()) {
      int run = runs.getOrDefault(preempt.job(), 0);
      later(
          () -> runs.getOrDefault(preempt.job(), 0) == run && isStopping(preempt.job()),
          new ClusterEvent.JobStopped(now.plusSeconds(10), preempt.job()));
    } else {
      left(preempt.job());
    }
  }

  /** Returns false for a job all of whose nodes were lost in the meantime: no one reports it. */
  private boolean isStopping(JobId job) {
    return scheduler.status(job).filter(JobStatus.Stopping.class::isInstance).isPresent();
  }

  /** Ends the present run of a job, whether it had begun or not. */
  private void stop(JobId job) {
    runs.merge(job, 1, Integer::sum);
    begun.remove(job);
    coming.remove(job);
    resizes.remove(job);
  }

  private void resize(Decision.Resize resize) {
    JobId job = resize.job();
    resizes.put(job, resize.number());
    BooleanSupplier holds = () -> resizes.getOrDefault(job, 0L) == resize.number();
    once(
        job,
        resize.after(),
        () ->
            later(
                () -> holds.getAsBoolean() && begun.contains(job),
                new ClusterEvent.ResizeReported(
                    now.plusSeconds(2), job, resize.number(), ResizeStep.SWITCHED)));
  }
}
