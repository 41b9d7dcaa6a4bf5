package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.DecisionsDigest;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.ledger.ClusterLedger;
import io.github.liquidscheduler.simulator.ledger.UsageMeter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

  private final Simulation options;
  private final Scheduler scheduler;
  private final EventQueue queue = new EventQueue();
  private final SimulatedJobs jobs;
  private final ClusterLedger ledger;
  private final UsageMeter meter;
  private final Execution execution;
  private final RequestUpdates requests;
  private final Plans plans;
  private final ClusterFaults faults;
  private final InvariantChecker checker;
  private final DecisionsDigest digest = new DecisionsDigest();
  private final Promises promises;
  private final long until;
  private long now;
  private long events;
  private int fruitlessWakeUps;
  private boolean isSettled;

  SimulationRun(Simulation options) {
    this.options = options;
    scheduler = options.scheduler;
    promises = new Promises(scheduler);
    jobs = SimulatedJobs.of(options, scheduler.view().topology());
    ledger = new ClusterLedger(scheduler.view().topology());
    meter = new UsageMeter(ledger);
    execution = new Execution(options, jobs, ledger, meter, queue);
    requests = new RequestUpdates(options.requestModel, jobs);
    plans = new Plans(options, queue);
    faults = new ClusterFaults(options, ledger, queue);
    checker = new InvariantChecker(scheduler, ledger, jobs);
    until = options.until == null ? NEVER - 1 : options.until.toNanos();
    for (SimulatedJob job : jobs.all()) {
      queue.add(job.job().submit().toNanos(), EventType.ARRIVAL.key(job.position()));
    }
  }

  SimulationResult run() {
    if (options.queues != null) {
      apply(new ClusterEvent.QueuesChanged(instant(), options.queues));
    }
    while (execution.ended() < jobs.all().size() && advance()) {
      if (options.strict) {
        checker.check();
      }
    }
    checker.check();
    return new Summary(scheduler, jobs, meter, now).of(execution, events, digest, promises);
  }

  /** Processes the next event and returns whether there was one. */
  private boolean advance() {
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
      queue.remove();
      passTo(next);
      process(EventType.of(key), EventType.index(key));
    }
    return true;
  }

  private void process(EventType type, int index) {
    switch (type) {
      case END -> end(jobs.at(index));
      case OUT_OF_MEMORY -> runOutOfMemory(jobs.at(index));
      case CLUSTER ->
          faults
              .take(index, execution.ended())
              .ifPresent(
                  event -> {
                    apply(event);
                    checker.requireNothingStruck();
                  });
      case ARRIVAL -> {
        SimulatedJob job = jobs.at(index);
        execution.submit(job);
        apply(new ClusterEvent.JobSubmitted(instant(), job.spec()));
      }
      case REPORT -> report(jobs.at(index));
      case PLAN -> apply(new ClusterEvent.PlanProposed(instant(), plans.at(index)));
      case RESIZE -> apply(execution.goOn(jobs.at(index), now));
      case PROFILE -> apply(execution.resizes().profiled(jobs.at(index), now));
    }
  }

  private void end(SimulatedJob job) {
    execution.finish(job, now);
    if (job.isAlone()) {
      resubmit(job);
    }
    apply(new ClusterEvent.JobFinished(instant(), job.id()));
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
   * Returns when the scheduler wants to be woken. When nothing else is to come, nothing runs, and
   * waiting jobs that change their order for ever without fitting must not keep the run going. It
   * may be at once, until that decides nothing.
   */
  private long wakeUp(long next) {
    if (next == NEVER && fruitlessWakeUps > jobs.all().size()) {
      return NEVER;
    }
    long wakeUp = scheduler.nextWakeUp().map(VirtualTime::of).orElse(NEVER);
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
    }
    promises.note(event.at(), decisions);
    for (SimulationListener listener : options.listeners) {
      listener.decided(event, decisions, scheduler);
      listener.advanced(execution.ended(), jobs.all().size());
    }
    return decisions;
  }

  private void passTo(long time) {
    meter.advance(time);
    now = time;
  }

  private Instant instant() {
    return VirtualTime.instant(now);
  }

  private void dropVoid() {
    while (!queue.isEmpty() && isVoid(queue.key(), queue.time())) {
      queue.remove();
    }
  }

  private boolean isVoid(long key, long time) {
    return switch (EventType.of(key)) {
      case END -> isVoidEnd(jobs.at(EventType.index(key)), time);
      case OUT_OF_MEMORY -> !execution.runsOutOfMemory(jobs.at(EventType.index(key)), time);
      case REPORT -> !jobs.at(EventType.index(key)).reportsAt(time);
      case RESIZE -> !execution.resizes().goesOnAt(jobs.at(EventType.index(key)), time);
      case PROFILE -> !execution.resizes().isProfiledAt(jobs.at(EventType.index(key)), time);
      case CLUSTER, ARRIVAL, PLAN -> false;
    };
  }

  private static boolean isVoidEnd(SimulatedJob job, long time) {
    return !job.isRunning() || job.end() != time;
  }
}
