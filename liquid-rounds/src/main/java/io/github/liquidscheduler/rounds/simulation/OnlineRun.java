package io.github.liquidscheduler.rounds.simulation;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.GpuSequencePlan;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** One simulation: what happens at one instant is told to the scheduler together. */
final class OnlineRun {

  private static final String NODE = "fleet";

  private final RoundProblem problem;
  private final OnlineRounds rules;
  private final RoundScheduler scheduler;
  private final TreeMap<Instant, List<RoundEvent>> events = new TreeMap<>();
  private final Map<JobId, RoundJob> jobs = new HashMap<>();
  private final Map<GpuId, TaskRun> last = new HashMap<>();
  private final List<List<RoundPlan.Run>> sequences = new ArrayList<>();
  private final Map<JobId, Double> ends = new LinkedHashMap<>();

  OnlineRun(RoundProblem problem, OnlineRounds rules, RoundScheduler scheduler) {
    this.problem = problem;
    this.rules = rules;
    this.scheduler = scheduler;
    rules.switching().begin(problem);
    for (GpuModel model : problem.gpus()) {
      expect(new RoundEvent.GpuAdded(Instant.EPOCH, gpu(sequences.size()), model));
      sequences.add(new ArrayList<>());
    }
    for (RoundJob job : problem.jobs()) {
      jobs.put(job.id(), job);
      ends.put(job.id(), Double.NaN);
      expect(new RoundEvent.JobSubmitted(instant(job.arrival()), spec(job), expected(job)));
    }
  }

  /** Has the scheduler be told a plan when the last job has come. */
  void follow(RoundPlan plan) {
    Map<GpuId, List<RoundTask>> tasks = new LinkedHashMap<>();
    for (List<RoundPlan.Run> sequence : plan.sequences()) {
      tasks.put(
          gpu(tasks.size()),
          sequence.stream().map(run -> new RoundTask(run.job(), run.round(), run.task())).toList());
    }
    expect(new RoundEvent.PlanProposed(events.lastKey(), new GpuSequencePlan(tasks)));
  }

  private static GpuId gpu(int position) {
    return GpuId.of(NODE, position);
  }

  RoundPlan run() {
    while (!events.isEmpty()) {
      Map.Entry<Instant, List<RoundEvent>> next = events.pollFirstEntry();
      for (RoundDecision decision : scheduler.on(next.getValue())) {
        carryOut(decision, next.getKey());
      }
    }
    return new RoundPlan(sequences, ends);
  }

  private void carryOut(RoundDecision decision, Instant now) {
    switch (decision) {
      case RoundDecision.RunTask start -> start(start.run(), now);
      case RoundDecision.Complete complete -> {
        ends.put(complete.job(), seconds(now));
        rules.switching().ended(complete.job());
      }
      case RoundDecision.StopTask stop -> throw unexpected(decision);
      case RoundDecision.GiveBack back -> throw unexpected(decision);
    }
  }

  private void start(TaskRun run, Instant now) {
    RoundTask task = run.task();
    GpuModel model = problem.gpus().get(run.gpu().index());
    TaskTime time =
        Objects.requireNonNull(Objects.requireNonNull(jobs.get(task.job())).times().get(model));
    Optional<TaskRun> before = Optional.ofNullable(last.put(run.gpu(), run));
    Instant start = now.plus(duration(rules.switching().seconds(before, run)));
    Duration computing = duration(time.compute());
    Instant computed = start.plus(computing);
    Instant done = computed.plus(duration(time.synchronize()));
    expect(new RoundEvent.TaskComputed(computed, run, Optional.of(computing)));
    expect(new RoundEvent.TaskSynchronized(done, run));
    sequences
        .get(run.gpu().index())
        .add(
            new RoundPlan.Run(
                task.job(),
                task.round(),
                task.index(),
                seconds(start),
                seconds(computed),
                seconds(done)));
  }

  private void expect(RoundEvent event) {
    events.computeIfAbsent(event.at(), none -> new ArrayList<>()).add(event);
  }

  private static JobSpec spec(RoundJob job) {
    return JobSpec.builder(job.id())
        .gpus(job.scale())
        .synchronization(new Synchronization.RelaxedRounds(job.scale(), job.rounds()))
        .build();
  }

  private ComputeTimes expected(RoundJob job) {
    Map<GpuModel, Double> seconds = new TreeMap<>();
    if (rules.areTimesKnown()) {
      job.times().forEach((model, time) -> seconds.put(model, time.compute()));
    }
    return new ComputeTimes(seconds);
  }

  private static Instant instant(double seconds) {
    return Instant.EPOCH.plus(duration(seconds));
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private static double seconds(Instant time) {
    return Duration.between(Instant.EPOCH, time).toNanos() / 1e9;
  }

  private static IllegalStateException unexpected(RoundDecision decision) {
    return new IllegalStateException("nothing is taken back in a simulation, but " + decision);
  }
}
