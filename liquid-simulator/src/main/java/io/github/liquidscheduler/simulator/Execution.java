package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.simulator.SimulatedJob.State;
import io.github.liquidscheduler.simulator.SimulationResult.Counts;
import io.github.liquidscheduler.simulator.SimulationResult.PromiseCounts;
import io.github.liquidscheduler.simulator.SimulationResult.StragglerCounts;
import io.github.liquidscheduler.simulator.elastic.SlowWorkers;
import io.github.liquidscheduler.simulator.failure.Slowdown;
import io.github.liquidscheduler.simulator.ledger.ClusterLedger;
import io.github.liquidscheduler.simulator.ledger.RequirementCheck;
import io.github.liquidscheduler.simulator.ledger.UsageMeter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Carries out decisions: moves jobs, books their resources, and queues their ends. */
final class Execution {

  private static final long NEVER = Long.MAX_VALUE;

  /** Models and first batches take a while to fill a GPU's memory: 30 s. */
  private static final long UNTIL_OUT_OF_MEMORY = 30_000_000_000L;

  private final Simulation options;
  private final ClusterTopology topology;
  private final SimulatedJobs jobs;
  private final Departures departures;
  private final ClusterLedger ledger;
  private final UsageMeter meter;
  private final EventQueue queue;
  private final RequirementCheck check;
  private final ColocationEffects colocations;
  private final SimulatedLaunches launches;
  private final Resizes resizes;
  private final SlowWorkers slow;
  private @Nullable Slowdown slowdown;
  private final long startOverhead;
  private final long resumeOverhead;
  private final long checkpointInterval;
  private final long reportInterval;
  private long starts;
  private long preemptions;
  private long failures;
  private long outOfMemory;

  Execution(
      Simulation options,
      SimulatedJobs jobs,
      Departures departures,
      ClusterLedger ledger,
      UsageMeter meter,
      EventQueue queue,
      SimulatedLaunches launches) {
    this.options = options;
    this.jobs = jobs;
    this.departures = departures;
    this.ledger = ledger;
    this.meter = meter;
    this.queue = queue;
    this.launches = launches;
    topology = options.scheduler.view().topology();
    check = new RequirementCheck(topology);
    colocations = new ColocationEffects(topology, options.speed);
    resizes = new Resizes(options, jobs, meter, queue);
    slow = new SlowWorkers(options.stragglers, resizes.times(), topology);
    expectSlowdown();
    startOverhead = options.overheads.start().toNanos();
    resumeOverhead = options.overheads.resume().toNanos();
    checkpointInterval = options.checkpointInterval.toNanos();
    reportInterval = options.reportInterval == null ? NEVER : options.reportInterval.toNanos();
  }

  /** Returns the counts; running out of memory counts as a failure too. */
  Counts counts(long events, long decisions, Optional<PromiseCounts> promises) {
    Optional<StragglerCounts> stragglers =
        Optional.ofNullable(options.stragglers)
            .map(some -> new StragglerCounts(slow.slowed(), slow.replaced()));
    boolean isElastic = options.elastic != null;
    return new Counts(
        preemptions,
        failures,
        outOfMemory,
        OptionalLong.of(events),
        OptionalLong.of(decisions),
        isElastic ? Optional.of(resizes.counts(starts, stragglers)) : Optional.empty(),
        promises,
        isElastic ? Optional.empty() : launches.report());
  }

  private void expectSlowdown() {
    slowdown = slow.draw();
    if (slowdown != null) {
      queue.add(slowdown.from().toNanos(), EventType.SLOWDOWN, 0);
    }
  }

  /** Slows down the job that works where the next slowdown is, and expects another after it. */
  void slowDown(long now) {
    Slowdown here = Objects.requireNonNull(slowdown);
    for (SimulatedJob job : jobs.inSystem()) {
      if (job.isRunning()
          && job.work().worksFrom() <= now
          && SlowWorkers.isOn(resizes.working(job), here.gpu())) {
        slow.slowDown(resizes.working(job), here, now, iterationsPerSecond(job));
        changeSpeed(job, now);
      }
    }
    if (!queue.isEmpty()) {
      expectSlowdown();
    }
  }

  private double iterationsPerSecond(SimulatedJob job) {
    double perSecond =
        job.job().iterations().orElseThrow() / VirtualTime.seconds(job.work().total());
    return perSecond * job.work().rate() / slow.retained(job.id());
  }

  boolean recoversAt(SimulatedJob job, long time) {
    return job.isRunning() && slow.next(job.id()) == time;
  }

  /** Lets a slow worker be as fast as before, or another take its place. */
  void recover(SimulatedJob job, long now) {
    long pause = slow.advance(job.id(), resizes.workingGpus(job), now, resizes.isChanging(job));
    if (pause > 0) {
      job.pause(now, VirtualTime.after(now, pause), checkpointInterval);
    }
    changeSpeed(job, now);
  }

  private void changeSpeed(SimulatedJob job, long now) {
    changeCoRunners(job, now);
    if (slow.next(job.id()) != SlowWorkers.NEVER) {
      queue.add(slow.next(job.id()), EventType.RECOVERY, job);
    }
  }

  void submit(SimulatedJob job) {
    job.submit(jobs.describe(job));
    job.update(options.requestModel.submit(job.job(), job.described()));
    meter.waits(job.spec().gpus());
  }

  void finish(SimulatedJob job, long now) {
    JobSpec spec = job.spec();
    Placement placement = vacate(job, now, () -> job.finish(now));
    options.requestModel.finished(
        job.job(), spec, placement, job.isAlone(), Duration.ofNanos(job.held()));
    resizes.count(job);
    departures.finish(job);
    jobs.leave(job);
  }

  /** Returns a running job's report, and schedules the next one. */
  Progress report(SimulatedJob job, long now) {
    reportNext(job, now);
    long iterations = job.job().iterations().orElseThrow();
    double perSecond = iterations / VirtualTime.seconds(job.work().total()) * job.work().rate();
    Progress progress = Progress.of((long) (iterations * job.work().part(now)), perSecond);
    return options.requestModel.report(
        job.job(),
        job.spec(),
        Duration.ofNanos(job.heldUntil(now)),
        options.elastic == null ? progress : withRemaining(job, progress, now));
  }

  /** Adds the time a job still needs at the size it has, if it may be known. */
  private Progress withRemaining(SimulatedJob job, Progress progress, long now) {
    Duration work = Duration.ofNanos(job.work().total());
    double left = (1 - job.work().part(now)) / job.work().rate();
    return options
        .durationKnowledge
        .of(job.job(), work, job.position())
        .map(told -> progress.withRemaining(Duration.ofNanos((long) (told.toNanos() * left))))
        .orElse(progress);
  }

  /** Advances a size change by one stage and returns the job's report. */
  ClusterEvent goOn(SimulatedJob job, long now) {
    ClusterEvent report = resizes.goOn(job, now);
    if (options.stragglers == null || resizes.isChanging(job)) {
      expect(job);
    } else {
      slow.switched(job.placed());
      changeSpeed(job, now);
    }
    goOnWithFreedGpus(resizes.beginWhoCan(now), now);
    return report;
  }

  /** Returns the changes of size that are under way. */
  Resizes resizes() {
    return resizes;
  }

  void carryOut(Decision decision, long now) {
    switch (decision) {
      case Decision.Start start -> start(waiting(start.job()), start.placement(), now);
      case Decision.Preempt preempt -> preempt(running(preempt.job()), now);
      case Decision.Migrate migrate -> move(running(migrate.job()), migrate.placement(), now);
      case Decision.Resize resize -> resize(running(resize.job()), resize, now);
      case Decision.Profile profile ->
          resizes.profile(running(profile.job()), profile.sizes(), now);
      case Decision.Reject reject -> reject(waiting(reject.job()), reject.why().describe());
      case Decision.Prefetch prefetch -> {
        waiting(prefetch.job());
        launches.bring(prefetch);
      }
      case Decision.CancelPrefetch cancel -> launches.cancel(cancel);
      case Decision.RequestPlan request -> request.jobs().forEach(this::waiting);
    }
  }

  private SimulatedJob waiting(JobId id) {
    return jobs.require(id, State.WAITING);
  }

  private SimulatedJob running(JobId id) {
    return jobs.require(id, State.RUNNING);
  }

  private void start(SimulatedJob job, Placement placement, long now) {
    check.require(job.spec(), placement);
    ledger.take(placement);
    meter.waitsNoMore(job.spec().gpus());
    boolean isFirst = job.firstStart() == SimulatedJob.NEVER;
    long overhead = overhead(isFirst);
    long worksFrom = VirtualTime.after(now, overhead);
    starts++;
    job.start(
        now,
        placement,
        options.speed.rate(job.job(), placement, topology),
        launches.areSimulated() ? NEVER : resizes.start(job, placement, isFirst, worksFrom));
    // One that still waits has nothing to report, though it may have been to in an earlier run.
    job.reportAt(NEVER);
    Set<SimulatedJob> coRunners = colocations.join(job, placement);
    changeCoRunners(job, now);
    for (SimulatedJob coRunner : coRunners) {
      job.addCoRunner();
      coRunner.addCoRunner();
      changeCoRunners(coRunner, now);
    }
    if (launches.areSimulated()) {
      launches.begin(job, placement, overhead, () -> train(job));
    } else {
      expectOutOfMemory(job, placement);
    }
  }

  private long overhead(boolean isFirst) {
    return startOverhead + (isFirst ? 0 : resumeOverhead);
  }

  private void train(SimulatedJob job) {
    job.begin(VirtualTime.between(options.start, launches.instant()));
    expect(job);
    expectOutOfMemory(job, job.placed());
  }

  private void expectOutOfMemory(SimulatedJob job, Placement placement) {
    if (!isEnough(job, placement)) {
      queue.add(outOfMemoryAt(job), EventType.OUT_OF_MEMORY, job);
    }
  }

  /** Returns true if there is enough memory for the job, its own and on the GPUs it shares. */
  private boolean isEnough(SimulatedJob job, Placement placement) {
    return !options.requestModel.isTooLittle(job.job(), job.spec(), placement)
        && colocations.fit(placement);
  }

  /** Returns true if a job that was to run out of memory at {@code time} still will. */
  boolean runsOutOfMemory(SimulatedJob job, long time) {
    return job.isRunning()
        && job.work().worksFrom() != NEVER
        && outOfMemoryAt(job) == time
        && !isEnough(job, job.placed());
  }

  private static long outOfMemoryAt(SimulatedJob job) {
    return VirtualTime.after(job.work().worksFrom(), UNTIL_OUT_OF_MEMORY);
  }

  /** Stops a job that has run out of memory; it waits again. */
  void runOutOfMemory(SimulatedJob job, long now) {
    Placement placement = vacate(job, now, () -> job.fail(now, checkpointInterval));
    meter.waits(job.spec().gpus());
    failures++;
    outOfMemory++;
    job.update(options.requestModel.afterOutOfMemory(job.job(), job.spec(), placement));
  }

  private void changeCoRunners(SimulatedJob job, long now) {
    Placement placement = job.placed();
    double retained = colocations.retained(job, placement) * slow.retained(job.id());
    job.changeCoRunners(now, retained, checkpointInterval);
    expect(job);
  }

  /** Queues the end of a job, and its next report, as soon as it is known when it works. */
  private void expect(SimulatedJob job) {
    if (job.end() == NEVER) {
      return;
    }
    queue.add(job.end(), EventType.END, job);
    if (reportInterval != NEVER && job.job().iterations().isPresent()) {
      reportNext(job, job.work().rateSince());
    }
  }

  /** Lets a job report when an interval has passed since the last time it did, or could have. */
  private void reportNext(SimulatedJob job, long last) {
    long next = VirtualTime.after(last, reportInterval);
    job.reportAt(next);
    queue.add(next, EventType.REPORT, job);
  }

  private void preempt(SimulatedJob job, long now) {
    if (!stop(job, now)) {
      job.countPreemption();
      preemptions++;
    }
  }

  /** Moves a job at once, or lets it work where it is until others have left. */
  private void move(SimulatedJob job, Placement placement, long now) {
    if (!resizes.isTaken(placement)) {
      stop(job, now);
      start(job, placement, now);
      return;
    }
    Placement before = job.placed();
    check.require(job.spec(), placement);
    ledger.release(before);
    leaveCoRunners(job, before, now);
    ledger.take(placement);
    colocations.join(job, placement).forEach(coRunner -> changeCoRunners(coRunner, now));
    job.place(placement);
    resizes.moveLater(job, before);
  }

  private void goOnWithFreedGpus(List<SimulatedJob> begun, long now) {
    begun.forEach(this::expect);
    resizes
        .nextToMove()
        .ifPresent(
            move -> {
              SimulatedJob job = move.getKey();
              Placement to = job.placed();
              slow.leave(job.id());
              meter.worked(move.getValue().gpus(), job.stop(now));
              starts++;
              job.start(
                  now,
                  to,
                  options.speed.rate(job.job(), to, topology),
                  resizes.start(job, to, false, VirtualTime.after(now, overhead(false))));
              changeCoRunners(job, now);
              goOnWithFreedGpus(resizes.beginWhoCan(now), now);
            });
  }

  /** Books a change of size at once, as the scheduler does, and lets it take its time. */
  private void resize(SimulatedJob job, Decision.Resize resize, long now) {
    Placement before = job.placed();
    check.require(job.spec(), resize.placement());
    ledger.release(before);
    colocations.leave(job, before);
    ledger.take(resize.placement());
    colocations.join(job, resize.placement());
    job.place(resize.placement());
    resizes.change(job, resize, before, now);
  }

  /**
   * Takes a job off its GPUs, starts the jobs that waited for them, and returns its placement.
   *
   * @param end ends its run and returns the nanoseconds for which that got on
   */
  private Placement vacate(SimulatedJob job, long now, LongSupplier end) {
    Placement placement = job.placed();
    int gpus = resizes.workingGpus(job);
    ledger.release(placement);
    meter.worked(gpus, end.getAsLong());
    launches.leave(job);
    slow.leave(job.id());
    goOnWithFreedGpus(resizes.leave(job, now), now);
    leaveCoRunners(job, placement, now);
    return placement;
  }

  private void leaveCoRunners(SimulatedJob job, Placement placement, long now) {
    colocations.leave(job, placement).forEach(coRunner -> changeCoRunners(coRunner, now));
  }

  private void reject(SimulatedJob job, String why) {
    meter.waitsNoMore(job.spec().gpus());
    job.reject();
    departures.reject(job, why);
    jobs.leave(job);
  }

  /** Stops a job; returns true if its node or GPU has failed. */
  private boolean stop(SimulatedJob job, long now) {
    boolean struck = ledger.isStruck(job.placed()) || ledger.isStruck(resizes.working(job));
    vacate(job, now, () -> struck ? job.fail(now, checkpointInterval) : job.stop(now));
    meter.waits(job.spec().gpus());
    failures += struck ? 1 : 0;
    return struck;
  }
}
