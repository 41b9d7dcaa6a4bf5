package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;

/** A job during one run: what it has and has had. Mutable; policies only read. */
public final class ElasticJobState {

  private final ElasticJob job;
  private double left;
  private double attainedService;
  private double usefulService;
  private double held;
  private int queue;
  private int size;
  private double throughput;
  private double firstStart = Double.POSITIVE_INFINITY;
  private double lastChange = Double.NEGATIVE_INFINITY;
  private double pauseEnd = Double.NEGATIVE_INFINITY;
  private double end = Double.POSITIVE_INFINITY;
  private int preemptions;

  ElasticJobState(ElasticJob job) {
    this.job = job;
    this.left = job.work().iterations();
  }

  /** Returns the job as it was submitted. */
  public ElasticJob job() {
    return job;
  }

  /** Returns its throughput by number of GPUs. */
  public ThroughputCurve curve() {
    return job.work().curve();
  }

  /** Returns the GPUs it holds, 0 if it waits. */
  public int size() {
    return size;
  }

  /** Returns whether it holds GPUs. */
  public boolean isRunning() {
    return size > 0;
  }

  /** Returns the remaining iterations. */
  public double left() {
    return left;
  }

  /** Returns the GPU-seconds it has held, pauses included. */
  public double attainedService() {
    return attainedService;
  }

  /** Returns the queue it is in, from 0. */
  public int queue() {
    return queue;
  }

  /** Returns when it first got GPUs; infinity if it never did. */
  public double firstStart() {
    return firstStart;
  }

  /** Returns when its size last became another that is not 0; minus infinity if it never did. */
  public double lastChange() {
    return lastChange;
  }

  int preemptions() {
    return preemptions;
  }

  /** Returns the GPU-seconds in which it progressed. */
  double usefulService() {
    return usefulService;
  }

  /** Returns the time during which it held GPUs. */
  double held() {
    return held;
  }

  double end() {
    return end;
  }

  /** Returns when it ends if its size stays; infinity if it waits. */
  double expectedEnd(double now) {
    return isRunning() ? Math.max(pauseEnd, now) + left / throughput : Double.POSITIVE_INFINITY;
  }

  /** Returns when its attained service reaches {@code threshold}; infinity if it waits. */
  double reaches(double threshold, double now) {
    return isRunning() ? now + (threshold - attainedService) / size : Double.POSITIVE_INFINITY;
  }

  /** Lets time pass between two events. */
  void pass(double from, double until) {
    if (isRunning()) {
      double useful = Math.max(0, until - Math.max(from, pauseEnd));
      left -= useful * throughput;
      usefulService += size * useful;
      attainedService += size * (until - from);
      held += until - from;
    }
  }

  /** Moves it one queue down, at exactly {@code service}. */
  void demote(double service) {
    attainedService = service;
    queue++;
  }

  /** Gives it another size above 0. */
  void resize(int gpus, double pause, double now) {
    firstStart = Math.min(firstStart, now);
    lastChange = now;
    pauseEnd = Math.max(pauseEnd, now + pause);
    size = gpus;
    throughput = curve().throughput(gpus);
  }

  void preempt() {
    size = 0;
    preemptions++;
  }

  void finish(double now) {
    left = 0;
    size = 0;
    end = now;
  }
}
