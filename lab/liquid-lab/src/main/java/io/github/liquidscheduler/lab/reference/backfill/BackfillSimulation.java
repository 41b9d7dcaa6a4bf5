package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.simulator.metrics.RunDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One run: time jumps from instant to instant at which something happens. At each: first jobs end,
 * then those that go on beyond their predicted end are predicted anew, then jobs arrive, then one
 * pass starts jobs. An instant costs as much as there are unfinished jobs, besides the pass.
 */
final class BackfillSimulation {

  private static final long NEVER = Long.MAX_VALUE;

  private final BackfillSchedule<Integer, GpusOnNodes> schedule;
  private final BackfillRule rule;
  private final RunDigest digest;
  private final Deque<BackfillJob> toArrive;
  private final Map<JobId, BackfillJob> waiting = new LinkedHashMap<>();
  private final List<BackfillJob> running = new ArrayList<>();

  BackfillSimulation(
      BackfillSchedule<Integer, GpusOnNodes> schedule,
      BackfillRule rule,
      RunDigest digest,
      Collection<BackfillJob> inOrder) {
    this.schedule = schedule;
    this.rule = rule;
    this.digest = digest;
    this.toArrive = new ArrayDeque<>(inOrder);
  }

  void run() {
    for (long now = next(); now != NEVER; now = next()) {
      end(now);
      overrun(now);
      arrive(now);
      pass(now);
    }
  }

  private long next() {
    long next = Math.min(nextArrival(), BackfillRule.nextStart(schedule).orElse(NEVER));
    for (BackfillJob job : running) {
      next = Math.min(next, Math.min(job.end(), job.predictedEnd()));
    }
    return next;
  }

  private long nextArrival() {
    BackfillJob next = toArrive.peekFirst();
    return next == null ? NEVER : next.submit();
  }

  private void end(long now) {
    List<BackfillJob> ended = running.stream().filter(job -> job.end() == now).toList();
    for (BackfillJob job : ended) {
      schedule.ended(job.id(), now);
      digest.add(now + " finish " + job.id());
    }
    running.removeAll(ended);
  }

  private void overrun(long now) {
    for (BackfillJob job : running) {
      if (job.predictedEnd() == now) {
        job.overrun(now);
        schedule.predictedEnd(job.id(), job.predictedEnd());
      }
    }
  }

  private void arrive(long now) {
    while (nextArrival() == now) {
      BackfillJob job = toArrive.removeFirst();
      waiting.put(job.id(), job);
    }
  }

  private void pass(long now) {
    List<StartedJob<GpusOnNodes>> started =
        rule.pass(schedule, now, waiting.values().stream().map(BackfillJob::waiting).toList());
    for (StartedJob<GpusOnNodes> start : started) {
      BackfillJob job = Objects.requireNonNull(waiting.remove(start.job()));
      job.start(start);
      running.add(job);
      GpusOnNodes at = start.slot().placement();
      digest.add(now + " start " + start.job() + " " + at.gpusEach() + " on " + at.nodes());
    }
  }
}
