package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;

/** Gives events to a scheduler, one a second, and keeps who runs and who waits. */
final class Driver {

  private final LiquidScheduler scheduler;
  private final Timings timings;
  private final Random random;
  private final Roster running = new Roster();
  private final Roster waiting = new Roster();
  private final List<Decision.Resize> resizes = new ArrayList<>();
  private long second;
  private int decided;

  Driver(LiquidScheduler scheduler, Timings timings, long seed) {
    this.scheduler = scheduler;
    this.timings = timings;
    random = new Random(seed);
  }

  LiquidScheduler scheduler() {
    return scheduler;
  }

  int running() {
    return running.jobs.size();
  }

  int waiting() {
    return waiting.jobs.size();
  }

  List<JobId> waitingJobs() {
    return List.copyOf(waiting.jobs);
  }

  /** Returns a number that tells the decisions so far from others. */
  int decided() {
    return decided;
  }

  /** Returns when the next event comes. */
  Instant now() {
    return Instant.ofEpochSecond(second);
  }

  /** Draws a job whose run has begun. */
  JobId anyRunning() {
    JobId job = running.jobs.get(random.nextInt(running.jobs.size()));
    while (scheduler.status(job).filter(JobStatus.Running.class::isInstance).isEmpty()) {
      job = running.jobs.get(random.nextInt(running.jobs.size()));
    }
    return job;
  }

  /** Reports that jobs have switched to the sizes decided so far. */
  void reportSwitches() {
    List<Decision.Resize> decided = List.copyOf(resizes);
    resizes.clear();
    for (Decision.Resize each : decided) {
      if (scheduler.status(each.job()).filter(JobStatus.Resizing.class::isInstance).isPresent()) {
        on(
            "switched",
            at ->
                new ClusterEvent.ResizeReported(
                    at, each.job(), each.number(), ResizeStep.SWITCHED));
      }
    }
  }

  JobId anyWaiting() {
    return waiting.jobs.get(random.nextInt(waiting.jobs.size()));
  }

  boolean isRunning(JobId job) {
    return running.positions.containsKey(job);
  }

  /** Lets the next second bring an event, and returns what was decided. */
  List<Decision> on(String kind, Function<Instant, ClusterEvent> made) {
    Instant at = Instant.ofEpochSecond(second++);
    List<Decision> decisions = take(kind, made.apply(at));
    while (scheduler.nextWakeUp().stream().anyMatch(at::equals)) {
      decisions.addAll(take("again", new ClusterEvent.TimePassed(at)));
    }
    return decisions;
  }

  private List<Decision> take(String kind, ClusterEvent event) {
    List<Decision> decisions = timings.time(kind, () -> scheduler.on(event));
    follow(event);
    decisions.forEach(this::follow);
    return new ArrayList<>(decisions);
  }

  private void follow(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted e -> waiting.add(e.job());
      case ClusterEvent.JobFinished e -> running.remove(e.job());
      case ClusterEvent.JobCancelled e -> waiting.remove(e.job());
      case ClusterEvent.JobFailed e -> {
        running.remove(e.job());
        waiting.add(e.job());
      }
      default -> {}
    }
  }

  private void follow(Decision decision) {
    decided = 31 * decided + decision.toString().hashCode();
    switch (decision) {
      case Decision.Start start -> {
        waiting.remove(start.job());
        running.add(start.job());
      }
      case Decision.Preempt preempt -> {
        running.remove(preempt.job());
        waiting.add(preempt.job());
      }
      case Decision.Reject reject -> waiting.remove(reject.job());
      case Decision.Resize resize -> resizes.add(resize);
      default -> {}
    }
  }

  /** Jobs of which any can be drawn and removed at once. */
  private static final class Roster {
    private final List<JobId> jobs = new ArrayList<>();
    private final Map<JobId, Integer> positions = new HashMap<>();

    void add(JobId job) {
      positions.put(job, jobs.size());
      jobs.add(job);
    }

    void remove(JobId job) {
      int position = Objects.requireNonNull(positions.remove(job));
      JobId last = jobs.removeLast();
      if (!last.equals(job)) {
        jobs.set(position, last);
        positions.put(last, position);
      }
    }
  }
}
