package io.github.liquidscheduler.micrometer;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the first waiting jobs wait for. An explanation can take milliseconds, so a turn pays for
 * one at most: a survey takes as many samples as it asks jobs, and is published when it is through.
 */
final class WaitingSurvey {
  private final Map<Constraint, AtomicInteger> published = new EnumMap<>(Constraint.class);
  private final Map<Constraint, Integer> counted = new EnumMap<>(Constraint.class);
  private final Deque<JobId> toAsk = new ArrayDeque<>();
  private final int most;

  WaitingSurvey(int most, Meters meters) {
    this.most = most;
    for (Constraint constraint : Constraint.values()) {
      AtomicInteger jobs = new AtomicInteger();
      published.put(constraint, jobs);
      String tag = constraint.name().toLowerCase(Locale.ROOT).replace('_', '-');
      meters.gauge(SchedulerMeter.JOBS_EXPLAINED, jobs, AtomicInteger::get, tag);
    }
  }

  /** Asks one job more. */
  void goOn(Scheduler scheduler) {
    @Nullable JobId next = toAsk.poll();
    if (next == null) {
      begin(scheduler);
      next = toAsk.poll();
    }
    if (next != null && isWaiting(scheduler, next)) {
      Explanation explanation = scheduler.explain(next);
      counted.merge(explanation.unmetConstraints().getFirst().constraint(), 1, Integer::sum);
    }
    if (toAsk.isEmpty()) {
      publish();
    }
  }

  private void begin(Scheduler scheduler) {
    counted.clear();
    scheduler.waiting().stream().limit(most).forEach(toAsk::add);
  }

  private static boolean isWaiting(Scheduler scheduler, JobId job) {
    return scheduler.status(job).filter(JobStatus.Waiting.class::isInstance).isPresent();
  }

  private void publish() {
    published.forEach((constraint, jobs) -> jobs.set(counted.getOrDefault(constraint, 0)));
  }
}
