package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.application.GpuLayout;
import io.github.liquidscheduler.lab.reference.pollux.application.GradientNoise;
import io.github.liquidscheduler.lab.reference.pollux.application.LocalBatch;
import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplication;
import io.github.liquidscheduler.lab.reference.pollux.application.StepTime;
import io.github.liquidscheduler.lab.reference.pollux.goodput.BatchChoice;
import io.github.liquidscheduler.lab.reference.pollux.goodput.JobEstimate;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A job in a simulation: where it is, what it holds and what is known of it. Each change of its
 * GPUs stops it for {@link #RESTART_SECONDS}. It looks at its batch size after each epoch and each
 * step of time.
 */
final class GoodputProgress {

  static final int RESTART_SECONDS = 30;

  private final GoodputJob job;
  private final boolean adapts;
  private final JobEstimate estimate;
  private @Nullable NodeAllocation allocation;
  private LocalBatch batch = new LocalBatch(1, 0);
  private double progress;
  private int epoch;
  private long pause;
  private long completed = -1;
  private int restarts = -1;
  private double gpuSeconds;
  private double goodput;

  /**
   * Makes a job that has not started.
   *
   * @param adapts whether it chooses its batch size, instead of its user
   */
  GoodputProgress(GoodputJob job, boolean adapts) {
    this.job = job;
    this.adapts = adapts;
    this.estimate = new JobEstimate(job.application().limits());
  }

  GoodputJob job() {
    return job;
  }

  JobEstimate estimate() {
    return estimate;
  }

  int epoch() {
    return epoch;
  }

  @Nullable NodeAllocation allocation() {
    return allocation;
  }

  /** Returns the GPU-seconds it held. */
  double gpuSeconds() {
    return gpuSeconds;
  }

  /** Returns the progress so far, in steps of the initial batch size. */
  double progress() {
    return progress;
  }

  int restarts() {
    return Math.max(0, restarts);
  }

  boolean isCompleted() {
    return completed >= 0;
  }

  /** Returns when it ended, in seconds, if it has. */
  OptionalLong completion() {
    return isCompleted() ? OptionalLong.of(completed) : OptionalLong.empty();
  }

  /** Gives it other GPUs, or none. */
  void reallocate(@Nullable NodeAllocation next) {
    allocation = next;
    if (next != null) {
      batch = chooseBatch(next.layout());
      pause = RESTART_SECONDS;
      restarts++;
    }
  }

  /** Lets time pass; interference takes a fraction of the speed. */
  void pass(long from, long seconds, double interference) {
    if (allocation == null || isCompleted()) {
      return;
    }
    GpuLayout layout = allocation.layout();
    long left = seconds - Math.min(pause, seconds);
    pause -= seconds - left;
    while (left > 0 && !isCompleted()) {
      goodput = goodput(layout) * (1 - interference);
      left = train(from + seconds - left, left);
      batch = chooseBatch(layout);
    }
    gpuSeconds += (seconds - left) * layout.gpus();
  }

  /** Trains until the end of the epoch or of the time; returns the time that is left. */
  private long train(long now, long seconds) {
    double epochEnd = job.application().progress(epoch + 1);
    if (progress + goodput * seconds < epochEnd) {
      progress += goodput * seconds;
      return 0;
    }
    long needed = Math.round(Math.rint((epochEnd - progress) / goodput));
    progress = epochEnd;
    epoch++;
    if (epoch == job.application().epochs()) {
      completed = now + needed;
    }
    return seconds - needed;
  }

  private double goodput(GpuLayout layout) {
    MeasuredApplication application = job.application();
    StepTime time = application.stepTime(layout, batch.size());
    int total = batch.total(layout.gpus());
    GradientNoise noise = application.noise(total, epoch);
    estimate.observe(layout, batch.size(), time, noise);
    double scale = (double) total / application.limits().initial();
    return noise.gain(scale) / time.accumulating(batch.accumulations());
  }

  private LocalBatch chooseBatch(GpuLayout layout) {
    BatchLimits limits = job.application().limits();
    int gpus = layout.gpus();
    if (!adapts) {
      return limits.divided(job.batch(), gpus);
    }
    if (!job.application().isElastic()) {
      return limits.divided(limits.largest(), gpus);
    }
    return estimate
        .best(layout.nodes(), gpus)
        .map(BatchChoice::batch)
        .orElseGet(
            () -> limits.divided(Math.max(limits.initial(), limits.smallestLocal() * gpus), gpus));
  }
}
