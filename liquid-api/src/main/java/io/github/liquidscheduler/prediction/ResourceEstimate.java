package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;

/**
 * The expected needs of one task of a role.
 *
 * @param gpuMemory largest device memory on each GPU, in bytes
 * @param gpuMemoryRequested the device memory to ask for: a high quantile, at least the prediction
 * @param gpuUtilization mean GPU utilisation, from 0 to 1
 * @param cpuMillicores largest CPU use, in thousandths of a core
 * @param memory largest host memory use, in bytes
 * @param networkBytesPerSecond larger of the mean rates received and sent, in bytes per second
 * @param preSeconds time from start until the GPU is first busy, in seconds
 * @param postSeconds time from when the GPU is last busy until the end, in seconds
 * @param totalSeconds time from start to end, in seconds; may be infinite when nothing is known
 */
public record ResourceEstimate(
    Prediction gpuMemory,
    Memory gpuMemoryRequested,
    Prediction gpuUtilization,
    Prediction cpuMillicores,
    Prediction memory,
    Prediction networkBytesPerSecond,
    Prediction preSeconds,
    Prediction postSeconds,
    Prediction totalSeconds) {

  /** Checks that nothing is null. */
  public ResourceEstimate {
    Objects.requireNonNull(gpuMemory, "gpuMemory");
    Objects.requireNonNull(gpuMemoryRequested, "gpuMemoryRequested");
    Objects.requireNonNull(gpuUtilization, "gpuUtilization");
    Objects.requireNonNull(cpuMillicores, "cpuMillicores");
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(networkBytesPerSecond, "networkBytesPerSecond");
    Objects.requireNonNull(preSeconds, "preSeconds");
    Objects.requireNonNull(postSeconds, "postSeconds");
    Objects.requireNonNull(totalSeconds, "totalSeconds");
  }
}
