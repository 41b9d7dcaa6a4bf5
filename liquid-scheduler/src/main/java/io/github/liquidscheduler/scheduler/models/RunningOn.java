package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.util.Map;
import java.util.Optional;

/**
 * A running job that may move, all of whose GPUs are of one model.
 *
 * @param entry the job
 * @param model the model of its GPUs
 * @param speeds how fast it is on each model, the fastest first
 * @param left for how many seconds it would still run on its fastest model, not negative
 */
record RunningOn(JobEntry entry, GpuModel model, Map<GpuModel, Double> speeds, double left) {

  /** Returns how fast it is on a model; empty if it may not run there or nobody knows. */
  Optional<Double> speed(GpuModel on) {
    return Optional.ofNullable(speeds.get(on));
  }

  /** Returns for how many seconds it still runs where it does. */
  double time() {
    return time(model);
  }

  /** Returns for how many seconds it would still run on a model of which its speed is known. */
  double time(GpuModel on) {
    return left / speedOn(on);
  }

  /** Returns its speed on a model of which it is known. */
  double speedOn(GpuModel on) {
    return speed(on).orElseThrow();
  }

  /** Returns what it would save on its fastest model, in seconds. */
  double mostSaved() {
    return time() - left;
  }

  int gpus() {
    return entry.placement().orElseThrow().gpus();
  }
}
