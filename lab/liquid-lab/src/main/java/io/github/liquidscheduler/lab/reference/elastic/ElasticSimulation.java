package io.github.liquidscheduler.lab.reference.elastic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One run: time jumps from event to event. Events within {@link #INSTANT} of the earliest belong to
 * one instant: first ends, then queue changes, then arrivals, then one plan. All jobs are brought
 * up to date at every event, so that an event costs as much as there are unfinished jobs.
 */
final class ElasticSimulation {

  private static final double INSTANT = 1e-6;

  private final int gpus;
  private final ElasticPolicy policy;
  private final List<Double> thresholds;
  private final JobOrder order;
  private final SizeChanges changes;
  private final List<ElasticJobState> all;
  private final Deque<ElasticJobState> toArrive;

  /** The jobs in the system, in the order in which they entered it. */
  private final List<ElasticJobState> present = new ArrayList<>();

  private double now;

  ElasticSimulation(
      int gpus, ElasticPolicy policy, ScalingCost cost, List<ElasticJobState> byArrival) {
    this.gpus = gpus;
    this.policy = policy;
    this.thresholds = policy.serviceThresholds();
    this.order = policy.newOrder();
    this.changes = new SizeChanges(cost);
    this.all = byArrival;
    this.toArrive = new ArrayDeque<>(byArrival);
  }

  ElasticRun run() {
    while (!toArrive.isEmpty() || !present.isEmpty()) {
      step(earliest());
    }
    return changes.run(policy.name(), gpus, all);
  }

  private void step(double event) {
    requireProgress(event);
    double instantEnd = event + INSTANT;
    List<ElasticJobState> ended =
        present.stream().filter(job -> job.expectedEnd(now) <= instantEnd).toList();
    List<ElasticJobState> demoted =
        present.stream()
            .filter(job -> queueChange(job) <= instantEnd && !ended.contains(job))
            .toList();
    present.forEach(job -> job.pass(now, event));
    now = event;
    ended.forEach(this::end);
    demoted.forEach(this::demote);
    arriveUntil(instantEnd);
    if (!present.isEmpty()) {
      plan();
    }
  }

  private double earliest() {
    double earliest = nextArrival();
    for (ElasticJobState job : present) {
      earliest = Math.min(earliest, Math.min(job.expectedEnd(now), queueChange(job)));
    }
    return earliest;
  }

  private double nextArrival() {
    ElasticJobState next = toArrive.peekFirst();
    return next == null ? Double.POSITIVE_INFINITY : next.job().arrival();
  }

  private double queueChange(ElasticJobState job) {
    return job.queue() < thresholds.size()
        ? job.reaches(thresholds.get(job.queue()), now)
        : Double.POSITIVE_INFINITY;
  }

  private void end(ElasticJobState job) {
    present.remove(job);
    order.remove(job);
    changes.end(job, now);
  }

  private void demote(ElasticJobState job) {
    job.demote(thresholds.get(job.queue()));
    order.demoted(job);
  }

  private void arriveUntil(double instantEnd) {
    while (nextArrival() <= instantEnd) {
      ElasticJobState job = toArrive.removeFirst();
      present.add(job);
      order.add(job);
    }
  }

  private void plan() {
    List<ElasticJobState> jobs = order.jobs();
    changes.apply(jobs, policy.sizes(jobs, gpus, now), now);
    order.planned();
  }

  private void requireProgress(double event) {
    if (Double.isInfinite(event)) {
      throw new IllegalArgumentException(
          "policy %s must give GPUs to a job, but leaves %d without from %s s on"
              .formatted(policy.name(), present.size(), now));
    }
  }
}
