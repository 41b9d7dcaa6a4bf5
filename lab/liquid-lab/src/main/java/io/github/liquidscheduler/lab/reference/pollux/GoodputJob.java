package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplication;
import java.util.Objects;

/**
 * A training job as its user submits it.
 *
 * @param name the identity, unique in its workload
 * @param arrival when it is submitted, in whole seconds, at least 0
 * @param application what it trains
 * @param gpus the GPUs its user asks for, at least 1; elastic policies do not look at it
 * @param batch the batch size its user asks for, within the limits of the application
 */
public record GoodputJob(
    String name, long arrival, MeasuredApplication application, int gpus, int batch) {

  /**
   * Checks the job.
   *
   * @throws IllegalArgumentException if a number is out of its range
   */
  public GoodputJob {
    Objects.requireNonNull(name, "name");
    int initial = application.limits().initial();
    int largest = application.limits().largest();
    if (arrival < 0 || gpus < 1 || batch < initial || batch > largest) {
      throw new IllegalArgumentException(
          "a job must arrive at 0 or later, ask for at least 1 GPU and a batch size from %d to %d,"
                  .formatted(initial, largest)
              + " but %s arrived at %d and asked for %d and %d"
                  .formatted(name, arrival, gpus, batch));
    }
  }
}
