package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.DecisionsDigest;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run of a trace: takes what happens next from a queue, tells the scheduler, and has its
 * decisions carried out.
 *
 * <p>A happening costs O(log n) in the number of happenings to come, plus the GPUs that a decision
 * moves, plus what the scheduler takes. A job that stops or changes its speed leaves its old end
 * behind in the queue, where it is recognised as void when it comes to the front.
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
  private final Plans plans;
  private final ClusterFaults faults;
  private final InvariantChecker audit;
  private final DecisionsDigest digest = new DecisionsDigest();
  private final long until;
  private long now;
  private long events;
  private int fruitlessWakeUps;

  SimulationRun(Simulation options) {
    this.options = options;
    scheduler = options.scheduler();
    jobs = SimulatedJobs.of(options, scheduler.view().topology());
    ledger = new ClusterLedger(scheduler.view().topology());
    meter = new UsageMeter(ledger);
    execution = new Execution(options, jobs, ledger, meter, queue);
    plans = new Plans(options, jobs, queue);
    faults = new ClusterFaults(options, ledger, queue);
    audit = new InvariantChecker(scheduler, ledger, jobs);
    until = options.until().map(Duration::toNanos).orElse(NEVER - 1);
    for (SimulatedJob job : jobs.all()) {
      queue.add(job.job().submit().toNanos(), EventType.ARRIVAL.key(job.position()));
    }
  }

  SimulationResult run() {
    while (execution.ended() < jobs.all().size() && advance()) {
      if (options.isStrict()) {
        audit.check();
      }
    }
    audit.check();
    return new Summary(scheduler, jobs, meter, now).of(execution, events, digest);
  }

  /** Lets the next thing happen and returns whether there was one. */
  private boolean advance() {
    dropVoid();
    long next = queue.isEmpty() ? NEVER : queue.time();
    long wakeUp = wakeUp(next);
    if (Math.min(next, wakeUp) > until) {
      return false;
    }
    if (wakeUp < next) {
      wake(wakeUp, next);
    } else {
      long key = queue.key();
      queue.remove();
      passTo(next);
      happen(EventType.of(key), EventType.index(key));
    }
    return true;
  }

  private void happen(EventType kind, int index) {
    switch (kind) {
      case END -> end(jobs.at(index));
      case OUT_OF_MEMORY -> runOutOfMemory(jobs.at(index));
      case CLUSTER ->
          faults
              .take(index)
              .ifPresent(
                  event -> {
                    tell(event);
                    audit.requireNothingStruck();
                  });
      case ARRIVAL -> {
        SimulatedJob job = jobs.at(index);
        execution.submit(job);
        tell(new ClusterEvent.JobSubmitted(instant(), job.spec()));
      }
      case REPORT -> report(jobs.at(index));
      case PLAN -> tell(new ClusterEvent.PlanProposed(instant(), plans.at(index)));
    }
  }

  private void end(SimulatedJob job) {
    execution.finish(job, now);
    if (job.isAlone()) {
      askAnew(job);
    }
    tell(new ClusterEvent.JobFinished(instant(), job.spec().id()));
  }

  private void runOutOfMemory(SimulatedJob job) {
    JobSpec before = job.spec();
    execution.runOutOfMemory(job, now);
    Optional<JobSpec> updated = Optional.of(job.spec()).filter(spec -> !spec.equals(before));
    askAnew(job);
    tell(new ClusterEvent.JobFailed(instant(), before.id(), Failure.OUT_OF_MEMORY, true, updated));
  }

  /** Has waiting jobs ask anew, before anything is free that they might take as they are. */
  private void askAnew(SimulatedJob other) {
    for (SimulatedJob job : execution.mayDiffer(other)) {
      if (execution.askAnew(job)) {
        tell(new ClusterEvent.JobUpdated(instant(), job.spec()));
      }
    }
  }

  private void report(SimulatedJob job) {
    tell(new ClusterEvent.JobProgressed(instant(), job.spec().id(), execution.report(job, now)));
  }

  private void wake(long wakeUp, long next) {
    passTo(wakeUp);
    boolean fruitless = tell(new ClusterEvent.TimePassed(instant())).isEmpty() && next == NEVER;
    fruitlessWakeUps = fruitless ? fruitlessWakeUps + 1 : 0;
  }

  /**
   * Returns when the scheduler wants to be woken. When nothing else is to come, nothing runs, and
   * waiting jobs that change their order for ever without fitting must not keep the run going.
   */
  private long wakeUp(long next) {
    if (next == NEVER && fruitlessWakeUps > jobs.all().size()) {
      return NEVER;
    }
    long wakeUp = scheduler.nextWakeUp().map(VirtualTime::of).orElse(NEVER);
    return wakeUp > now ? wakeUp : NEVER;
  }

  private List<Decision> tell(ClusterEvent event) {
    List<Decision> decisions = scheduler.on(event);
    events++;
    digest.add(event.at(), decisions);
    for (Decision decision : decisions) {
      if (decision instanceof Decision.RequestPlan request) {
        plans.ask(request, now);
      }
      execution.carryOut(decision, now);
    }
    for (SimulationListener listener : options.listeners()) {
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
      case CLUSTER, ARRIVAL, PLAN -> false;
    };
  }

  private static boolean isVoidEnd(SimulatedJob job, long time) {
    return !job.isRunning() || job.end() != time;
  }
}
