package io.github.liquidscheduler.rounds.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** GPUs and jobs that do what a scheduler decides, and books of their own that check it. */
final class RoundWorld {

  /** A job, and how many seconds its tasks take by model. */
  record Job(JobSpec spec, int scale, int rounds, Map<GpuModel, Integer> seconds) {
    static Job of(String id, int scale, int rounds, Map<GpuModel, Integer> seconds) {
      JobSpec spec =
          JobSpec.builder(id)
              .gpus(scale)
              .synchronization(new Synchronization.RelaxedRounds(scale, rounds))
              .build();
      return new Job(spec, scale, rounds, seconds);
    }

    ComputeTimes times() {
      Map<GpuModel, Double> times = new TreeMap<>();
      seconds.forEach((model, time) -> times.put(model, time.doubleValue()));
      return new ComputeTimes(times);
    }
  }

  private static final int SYNCHRONIZING = 1;

  RoundScheduler scheduler;
  Instant now = Instant.EPOCH;
  final Map<JobId, Job> jobs = new LinkedHashMap<>();
  final Map<GpuId, GpuModel> gpus = new LinkedHashMap<>();
  final Map<GpuId, Instant> askedBack = new LinkedHashMap<>();
  final TreeMap<Long, TaskRun> computing = new TreeMap<>();
  final TreeMap<Long, TaskRun> synchronizing = new TreeMap<>();
  final Set<RoundTask> done = new HashSet<>();
  final Set<JobId> cancelled = new HashSet<>();
  final List<JobId> completed = new ArrayList<>();
  final List<RoundDecision> decided = new ArrayList<>();
  final Map<JobId, Long> repeated = new HashMap<>();

  private int turns;
  private final Map<Long, Instant> due = new HashMap<>();
  private final Map<Long, Instant> started = new HashMap<>();

  RoundWorld(RoundScheduler scheduler) {
    this.scheduler = scheduler;
  }

  void submit(Job job, boolean isKnown) {
    jobs.put(job.spec().id(), job);
    on(new RoundEvent.JobSubmitted(now, job.spec(), isKnown ? job.times() : ComputeTimes.UNKNOWN));
  }

  void cancel(JobId job) {
    cancelled.add(job);
    on(new RoundEvent.JobCancelled(now, job));
  }

  void add(GpuId gpu, GpuModel model) {
    gpus.put(gpu, model);
    askedBack.remove(gpu);
    on(new RoundEvent.GpuAdded(now, gpu, model));
  }

  void lose(GpuId gpu) {
    runsOn(gpu).forEach(this::repeat);
    gpus.remove(gpu);
    askedBack.remove(gpu);
    on(new RoundEvent.GpuLost(now, gpu));
  }

  void askBack(GpuId gpu, Duration grace) {
    askedBack.merge(gpu, now.plus(grace), (one, other) -> one.isBefore(other) ? one : other);
    on(new RoundEvent.GpuAskedBack(now, gpu, now.plus(grace)));
  }

  void fail(TaskRun run) {
    repeat(run);
    on(new RoundEvent.TaskFailed(now, run));
  }

  /** Lets time pass to the next thing that happens by itself; returns whether there is any. */
  boolean advance() {
    Optional<Instant> next = due.values().stream().min(Instant::compareTo);
    Optional<Instant> wakeUp = scheduler.nextWakeUp();
    if (next.isEmpty() && wakeUp.isEmpty()) {
      return false;
    }
    now =
        next.isEmpty() || wakeUp.filter(next.get()::isAfter).isPresent()
            ? wakeUp.get()
            : next.get();
    List<RoundEvent> events = new ArrayList<>();
    for (TaskRun run : List.copyOf(computing.values())) {
      if (now.equals(due.get(run.number()))) {
        computing.remove(run.number());
        synchronizing.put(run.number(), run);
        due.put(run.number(), now.plusSeconds(SYNCHRONIZING));
        assertThat(Duration.between(started.get(run.number()), now).toSeconds())
            .isEqualTo(seconds(run));
        events.add(new RoundEvent.TaskComputed(now, run));
      }
    }
    for (TaskRun run : List.copyOf(synchronizing.values())) {
      if (now.equals(due.get(run.number()))) {
        end(run);
        assertThat(done.add(run.task())).as("%s is done once", run.task()).isTrue();
        events.add(new RoundEvent.TaskSynchronized(now, run));
      }
    }
    on(events.isEmpty() ? List.of(new RoundEvent.TimePassed(now)) : events);
    return true;
  }

  List<RoundDecision> on(RoundEvent event) {
    return on(List.of(event));
  }

  private List<RoundDecision> on(List<RoundEvent> events) {
    List<RoundDecision> decisions = decide(events);
    decided.addAll(decisions);
    decisions.forEach(this::carryOut);
    askedBack.forEach((gpu, until) -> assertThat(until).as("back in time").isAfter(now));
    assertThat(scheduler.gpus()).containsExactlyInAnyOrderElementsOf(gpus.keySet());
    jobs.keySet().forEach(this::checkProgress);
    return decisions;
  }

  /** Returns what is decided; now and then a copy has to decide the same. */
  private List<RoundDecision> decide(List<RoundEvent> events) {
    if (turns++ % 4 > 0) {
      return scheduler.on(events);
    }
    RoundScheduler copy = scheduler.copy();
    List<RoundDecision> decisions = scheduler.on(events);
    assertThat(copy.on(events)).isEqualTo(decisions);
    assertThat(copy.snapshot()).isEqualTo(scheduler.snapshot());
    scheduler = copy;
    return decisions;
  }

  private void carryOut(RoundDecision decision) {
    switch (decision) {
      case RoundDecision.RunTask start -> run(start.run());
      case RoundDecision.StopTask stop -> stop(stop);
      case RoundDecision.GiveBack back -> giveBack(back.gpu());
      case RoundDecision.Complete complete -> complete(complete.job());
    }
  }

  private void run(TaskRun run) {
    Job job = requireNonNull(jobs.get(run.task().job()));
    assertThat(gpus).containsKey(run.gpu());
    assertThat(askedBack).doesNotContainKey(run.gpu());
    assertThat(computing.values()).noneMatch(other -> other.gpu().equals(run.gpu()));
    assertThat(inFlight()).noneMatch(other -> other.task().equals(run.task()));
    assertThat(done).doesNotContain(run.task());
    assertThat(run.task().index()).isLessThan(job.scale());
    assertThat(run.task().round()).as("behind its barrier").isEqualTo(round(job));
    assertThat(isOver(run.task().job())).isFalse();
    computing.put(run.number(), run);
    started.put(run.number(), now);
    due.put(run.number(), now.plusSeconds(seconds(run)));
  }

  private void stop(RoundDecision.StopTask stop) {
    TaskRun run = stop.run();
    assertThat(inFlight()).contains(run);
    @Nullable Instant until = askedBack.get(run.gpu());
    boolean isCancelled = stop.why() == RoundDecision.StopCause.CANCELLED;
    assertThat(isCancelled).isEqualTo(cancelled.contains(run.task().job()));
    if (!isCancelled) {
      assertThat(until).as("only what is due is stopped").isEqualTo(now);
      repeat(run);
    }
    end(run);
  }

  private void giveBack(GpuId gpu) {
    assertThat(runsOn(gpu)).isEmpty();
    assertThat(askedBack.remove(gpu)).isNotNull();
    gpus.remove(gpu);
  }

  private void complete(JobId id) {
    Job job = requireNonNull(jobs.get(id));
    assertThat(round(job)).isEqualTo(job.rounds());
    assertThat(completed).doesNotContain(id);
    completed.add(id);
  }

  private void checkProgress(JobId id) {
    if (isOver(id)) {
      assertThat(scheduler.progress(id)).isEmpty();
    } else {
      Job job = requireNonNull(jobs.get(id));
      var progress = scheduler.progress(id).orElseThrow();
      assertThat(progress.round()).isEqualTo(round(job));
      assertThat(progress.repeatedRuns()).isEqualTo(repeated.getOrDefault(id, 0L));
      assertThat(progress.runningTasks())
          .isEqualTo((int) inFlight().stream().filter(run -> run.task().job().equals(id)).count());
    }
  }

  boolean isOver(JobId job) {
    return cancelled.contains(job) || completed.contains(job);
  }

  List<TaskRun> inFlight() {
    List<TaskRun> runs = new ArrayList<>(computing.values());
    runs.addAll(synchronizing.values());
    return runs;
  }

  /** Returns the first round of which a task is not done. */
  int round(Job job) {
    int round = 0;
    while (round < job.rounds() && isRoundDone(job, round)) {
      round++;
    }
    return round;
  }

  private boolean isRoundDone(Job job, int round) {
    for (int index = 0; index < job.scale(); index++) {
      if (!done.contains(new RoundTask(job.spec().id(), round, index))) {
        return false;
      }
    }
    return true;
  }

  private List<TaskRun> runsOn(GpuId gpu) {
    return inFlight().stream().filter(run -> run.gpu().equals(gpu)).toList();
  }

  private void repeat(TaskRun run) {
    repeated.merge(run.task().job(), 1L, Long::sum);
    end(run);
  }

  private void end(TaskRun run) {
    computing.remove(run.number());
    synchronizing.remove(run.number());
    due.remove(run.number());
  }

  private int seconds(TaskRun run) {
    Job job = requireNonNull(jobs.get(run.task().job()));
    return requireNonNull(job.seconds().get(requireNonNull(gpus.get(run.gpu()))));
  }
}
