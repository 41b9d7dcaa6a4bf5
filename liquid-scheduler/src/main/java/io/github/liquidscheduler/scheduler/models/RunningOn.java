package io.github.liquidscheduler.scheduler.models;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import java.util.Map;
import java.util.Optional;

/**
 * A running job that may move, with all GPUs of one model.
 *
 * @param model the model of its GPUs
 * @param speeds its speed by model, fastest first
 * @param left its remaining seconds on its fastest model, not negative
 */
record RunningOn(JobEntry entry, GpuModel model, Map<GpuModel, Double> speeds, double left) {

  /** Returns the speed on a model; empty if not allowed or unknown. */
  Optional<Double> speed(GpuModel on) {
    return Optional.ofNullable(speeds.get(on));
  }

  /** Returns the remaining seconds on its current model. */
  double time() {
    return time(model);
  }

  /** Returns the remaining seconds on a model of known speed. */
  double time(GpuModel on) {
    return left / speedOn(on);
  }

  /** Returns the speed on a model of known speed. */
  double speedOn(GpuModel on) {
    return speed(on).orElseThrow();
  }

  /** Returns the seconds saved on its fastest model. */
  double mostSaved() {
    return time() - left;
  }

  int gpus() {
    return entry.placement().orElseThrow().gpus();
  }
}
