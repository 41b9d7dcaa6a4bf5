package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.DecisionsDigest;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationResult.Counts;
import io.github.liquidscheduler.simulator.SimulationResult.Usage;
import io.github.liquidscheduler.simulator.ledger.ClusterLedger;
import io.github.liquidscheduler.simulator.ledger.UsageMeter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a trace: takes the next event from a queue, applies it to the scheduler, and carries
 * out the decisions.
 *
 * <p>An event costs O(log n) in the number of queued events, plus the GPUs that a decision moves,
 * plus the scheduler's time. A job that stops or changes its speed leaves its old end in the queue,
 * where it is dropped as void at the front.
 */
final class SimulationRun {

  private static final long NEVER = Long.MAX_VALUE;

  /** The number of waiting jobs explained at most, since people read no more. */
  private static final int MOST_EXPLAINED = 100;

  private final Simulation options;
  private final Scheduler scheduler;
  private final EventQueue queue = new EventQueue();
  private final SimulatedJobs jobs;
  private final Departures departures;
  private final ClusterLedger ledger;
  private final UsageMeter meter;
  private final SimulatedLaunches launches;
  private final Execution execution;
  private final RequestUpdates requests;
  private final Plans plans;
  private final ClusterFaults faults;
  private final InvariantChecker checker;
  private final DecisionsDigest digest = new DecisionsDigest();
  private final Promises promises;
  private final long until;
  private final int size;
  private long firstArrival = NEVER;
  private long now;
  private long events;
  private int explained;
  private int fruitlessWakeUps;
  private boolean isSettled;

  SimulationRun(Simulation options, ObjIntConsumer<JobFate> sink) {
    this.options = options;
    scheduler = options.scheduler;
    promises = new Promises(scheduler);
    departures = new Departures(sink);
    jobs = new SimulatedJobs(options, scheduler.view().topology());
    ledger = new ClusterLedger(scheduler.view().topology());
    meter = new UsageMeter(ledger);
    launches = new SimulatedLaunches(options, queue, () -> now, this::apply);
    execution = new Execution(options, jobs, departures, ledger, meter, queue, launches);
    requests = new RequestUpdates(options.requestModel, jobs);
    plans = new Plans(options, queue);
    faults = new ClusterFaults(options, ledger, queue);
    checker = new InvariantChecker(scheduler, ledger, jobs);
    until = options.until == null ? NEVER - 1 : options.until.toNanos();
    size = options.trace.size();
  }

  RunSummary run() {
    if (!options.trace.tellsDurations() || !options.speed.takesAllWithDurations()) {
      options.trace.forEach(jobs::requireUsable);
    }
    try (Arrivals arrivals = new Arrivals(options.trace, queue)) {
      return run(arrivals);
    }
  }

  private RunSummary run(Arrivals arrivals) {
    if (options.queues != null) {
      apply(new ClusterEvent.QueuesChanged(instant(), options.queues));
    }
    while (departures.ended() < size && advance(arrivals)) {
      if (options.strict) {
        checker.check();
      }
    }
    checker.check();
    jobs.inSystem().forEach(this::leaveOver);
    arrivals.leaveOver(departures);
    Counts counts = execution.counts(events, digest.decisions(), promises.counts());
    return departures.summary(usage(), counts, digest.hex());
  }

  private void leaveOver(SimulatedJob job) {
    String why = job.isRunning() ? "was still running" : "was still waiting" + explanation(job);
    departures.leaveOver(job.position(), new JobFate.Unfinished(job.job(), why));
  }

  private String explanation(SimulatedJob job) {
    return ++explained > MOST_EXPLAINED
        ? ""
        : ": " + scheduler.explain(job.id()).unmetConstraints().get(0).describe();
  }

  private Usage usage() {
    double offered =
        scheduler.view().topology().gpuCount()
            * VirtualTime.seconds(Math.max(0, now - firstArrival));
    return offered == 0
        ? new Usage(0, 0, OptionalDouble.of(0))
        : new Usage(
            meter.heldTime() / offered,
            meter.usefulTime() / offered,
            OptionalDouble.of(meter.fragmentation()));
  }

  private boolean advance(Arrivals arrivals) {
    dropVoid();
    long next = queue.isEmpty() ? NEVER : queue.time();
    long wakeUp = wakeUp(next);
    if (Math.min(next, wakeUp) > until) {
      return false;
    }
    if (wakeUp < next || wakeUp == now) {
      wake(wakeUp, next);
    } else {
      long key = queue.key();
      @Nullable SimulatedJob job = queue.job();
      queue.remove();
      passTo(next);
      if (job == null) {
        process(EventType.of(key), EventType.index(key), arrivals);
      } else {
        process(EventType.of(key), job);
      }
    }
    return true;
  }

  private void process(EventType type, int index, Arrivals arrivals) {
    switch (type) {
      case CLUSTER ->
          faults
              .take(index, departures.ended())
              .ifPresent(
                  event -> {
                    apply(event);
                    checker.requireNothingStruck();
                  });
      case ARRIVAL -> {
        firstArrival = Math.min(firstArrival, now);
        SimulatedJob job = jobs.arrive(arrivals.take());
        execution.submit(job);
        apply(new ClusterEvent.JobSubmitted(instant(), job.spec()));
      }
      case PLAN -> apply(new ClusterEvent.PlanProposed(instant(), plans.at(index)));
      case SLOWDOWN -> execution.slowDown(now);
      case TRANSFER -> launches.take(index);
      default -> throw new IllegalStateException("every " + type + " is about a job");
    }
  }

  private void process(EventType type, SimulatedJob job) {
    switch (type) {
      case END -> end(job);
      case OUT_OF_MEMORY -> runOutOfMemory(job);
      case REPORT -> report(job);
      case RESIZE -> apply(execution.goOn(job, now));
      case PROFILE -> apply(execution.resizes().profiled(job, now));
      case RECOVERY -> execution.recover(job, now);
      default -> throw new IllegalStateException("no " + type + " is about a job");
    }
  }

  private void end(SimulatedJob job) {
    execution.finish(job, now);
    if (job.isAlone()) {
      resubmit(job);
    }
    apply(new ClusterEvent.JobFinished(instant(), job.id()));
    checker.requireEnded(job.id(), JobStatus.Outcome.FINISHED);
  }

  private void runOutOfMemory(SimulatedJob job) {
    JobSpec before = job.spec();
    execution.runOutOfMemory(job, now);
    Optional<JobSpec> updated = Optional.of(job.spec()).filter(spec -> !spec.equals(before));
    resubmit(job);
    apply(
        new ClusterEvent.JobFailed(
            instant(), before.id(), Failure.OUT_OF_MEMORY, Retry.now(), updated));
  }

  /** Updates the requests of waiting jobs, before capacity is free that they could take. */
  private void resubmit(SimulatedJob other) {
    for (SimulatedJob job : requests.mayDiffer(other)) {
      if (requests.resubmit(job)) {
        apply(new ClusterEvent.JobUpdated(instant(), job.spec()));
      }
    }
  }

  private void report(SimulatedJob job) {
    apply(new ClusterEvent.JobProgressed(instant(), job.id(), execution.report(job, now)));
  }

  private void wake(long wakeUp, long next) {
    passTo(wakeUp);
    boolean fruitless = apply(new ClusterEvent.TimePassed(instant())).isEmpty();
    fruitlessWakeUps = fruitless && next == NEVER ? fruitlessWakeUps + 1 : 0;
    isSettled = fruitless;
  }

  /**
   * Returns the time at which the scheduler wants to be woken. If nothing else is to come and
   * nothing runs, waiting jobs that reorder for ever without fitting must not keep the run going.
   * It may be at once, until that decides nothing.
   */
  private long wakeUp(long next) {
    if (next == NEVER && fruitlessWakeUps > size) {
      return NEVER;
    }
    Optional<Instant> wanted = scheduler.nextWakeUp();
    long wakeUp = wanted.isPresent() ? VirtualTime.between(options.start, wanted.get()) : NEVER;
    return wakeUp > now || (wakeUp == now && !isSettled) ? wakeUp : NEVER;
  }

  private List<Decision> apply(ClusterEvent event) {
    List<Decision> decisions = scheduler.on(event);
    isSettled = false;
    events++;
    digest.add(event.at(), decisions);
    for (Decision decision : decisions) {
      if (decision instanceof Decision.RequestPlan request) {
        plans.ask(request, now);
      }
      execution.carryOut(decision, now);
      if (decision instanceof Decision.Reject reject) {
        checker.requireEnded(reject.job(), JobStatus.Outcome.REJECTED);
      }
    }
    promises.note(event.at(), decisions);
    for (SimulationListener listener : options.listeners) {
      listener.decided(event, decisions, scheduler);
      listener.advanced(departures.ended(), size);
    }
    return decisions;
  }

  private void passTo(long time) {
    meter.advance(time);
    now = time;
  }

  private Instant instant() {
    return VirtualTime.instant(options.start, now);
  }

  private void dropVoid() {
    while (!queue.isEmpty() && (isCalledOff() || isVoid(queue.job()))) {
      queue.remove();
    }
  }

  private boolean isCalledOff() {
    return EventType.of(queue.key()) == EventType.TRANSFER
        && launches.isCalledOff(EventType.index(queue.key()));
  }

  private boolean isVoid(@Nullable SimulatedJob job) {
    if (job == null) {
      return false;
    }
    long time = queue.time();
    return switch (EventType.of(queue.key())) {
      case END -> !job.isRunning() || job.end() != time;
      case OUT_OF_MEMORY -> !execution.runsOutOfMemory(job, time);
      case REPORT -> !job.reportsAt(time);
      case RESIZE -> !execution.resizes().goesOnAt(job, time);
      case PROFILE -> !execution.resizes().isProfiledAt(job, time);
      case RECOVERY -> !execution.recoversAt(job, time);
      case CLUSTER, ARRIVAL, PLAN, SLOWDOWN, TRANSFER -> false;
    };
  }
}
