package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.testkit.ClusterStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Jobs with exact durations on a cluster without failures. A pre-empted job leaves at once and
 * keeps the work it has done; no job is pre-empted at the instant of its end.
 */
final class ExactRun {

  private static final Comparator<Map.Entry<JobId, Instant>> SOONEST = Map.Entry.comparingByValue();

  private final LiquidScheduler scheduler;
  private final StartCheck check;
  private final Map<JobId, Instant> ends = new LinkedHashMap<>();
  private final Map<JobId, Duration> left = new LinkedHashMap<>();
  private Instant now = Instant.EPOCH;
  private int submitted;

  /** Is told of each job that starts. */
  @FunctionalInterface
  interface StartCheck {
    void started(Decision.Start start, Instant now, Instant end);
  }

  ExactRun(LiquidScheduler scheduler, StartCheck check) {
    this.scheduler = scheduler;
    this.check = check;
  }

  Instant now() {
    return now;
  }

  /** Lets everything happen before a step, and then submits its job. */
  void submit(ClusterStep step) {
    passTo(now.plusSeconds(step.seconds()));
    submit(step.job().named("j" + submitted++), 1 + step.pick() % 300);
  }

  /** Submits a job of one size that runs for so long. */
  void submit(JobSpec job, long seconds) {
    left.put(job.id(), Duration.ofSeconds(seconds));
    on(
        new ClusterEvent.JobSubmitted(
            now,
            job.toBuilder()
                .parallelism(Parallelism.fixed(job.roles().getFirst().count()))
                .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)))
                .build()));
  }

  /** Lets everything happen before an instant, which is now from then on. */
  void passTo(Instant at) {
    while (goOn(at)) {}
    now = at;
  }

  /** Plays the next step before an instant; returns true if there was one. */
  boolean goOn(Instant end) {
    Optional<Instant> next = next().filter(end::isAfter);
    next.ifPresent(this::happen);
    return next.isPresent();
  }

  private void happen(Instant at) {
    now = at;
    List<JobId> over = new ArrayList<>();
    ends.entrySet().stream()
        .sorted(SOONEST)
        .filter(each -> each.getValue().equals(now))
        .forEach(each -> over.add(each.getKey()));
    for (JobId job : over) {
      ends.remove(job);
      on(new ClusterEvent.JobFinished(now, job));
    }
    if (over.isEmpty()) {
      on(new ClusterEvent.TimePassed(now));
    }
  }

  private Optional<Instant> next() {
    Optional<Instant> end = ends.values().stream().min(Comparator.naturalOrder());
    Optional<Instant> wakeUp = scheduler.nextWakeUp().filter(now::isBefore);
    return wakeUp.isPresent() && end.filter(wakeUp.get()::isAfter).isEmpty() ? wakeUp : end;
  }

  /** Takes an event; who is given time to stop takes none. */
  void on(ClusterEvent event) {
    List<ClusterEvent> stops = new ArrayList<>();
    for (Decision decision : scheduler.on(event)) {
      if (decision instanceof Decision.Start start) {
        Duration length = Objects.requireNonNull(left.get(start.job()));
        ends.put(start.job(), now.plus(length));
        check.started(start, now, now.plus(length));
      } else if (decision instanceof Decision.Preempt preempt) {
        Instant end = Objects.requireNonNull(ends.remove(preempt.job()));
        assertThat(end).as("end of job %s, stopped", preempt.job()).isAfter(now);
        left.put(preempt.job(), Duration.between(now, end));
        preempt
            .until()
            .ifPresent(until -> stops.add(new ClusterEvent.JobStopped(now, preempt.job())));
      }
    }
    stops.forEach(this::on);
  }
}
