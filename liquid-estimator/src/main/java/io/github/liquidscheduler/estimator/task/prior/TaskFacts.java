package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.workload.FiniteNumber;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What follows from a task's profile and the shipped tables, without learning.
 *
 * <p>Device memory is that of parameters with their gradients and optimiser state, plus what a
 * batch keeps for the backward pass. Two things come on top when the driver is asked rather than
 * the framework's allocator: what a process takes before it does anything (1,403 MiB for an idle
 * TensorFlow process on an A100, measured by MISO), and what the allocator holds without need. The
 * hyper-parameter {@code allocator} says which it is: {@code peak} (the need itself), {@code
 * growth} (TensorFlow's, which doubles its pool, so that it ends at a power of two) or anything
 * else (a caching allocator with a tenth to spare). A pool that grows never shrinks: where there
 * are convolutions, TensorFlow first tries each of cuDNN's algorithms with up to 4 GiB of scratch
 * memory (the default of {@code TF_CUDNN_WORKSPACE_LIMIT_IN_MB}), and the pool keeps what that
 * took.
 */
public final class TaskFacts {
  private static final double PROCESS_BYTES = 1403.0 * (1 << 20);
  private static final double SMALLEST_POOL = 1L << 30;
  private static final double MOST_SCRATCH = 4.0 * (1L << 30);
  private static final double SPARE = 1.1;
  private static final double BYTES_PER_NUMBER = 4;
  private static final double DEFAULT_BYTES_PER_PARAMETER = 12;

  /** Weight, gradient and optimiser state, in bytes per parameter. */
  private static final Map<String, Double> BYTES_PER_PARAMETER =
      Map.of("sgd", 8.0, "momentum", 12.0, "adam", 16.0, "adamw", 16.0, "adadelta", 16.0);

  /**
   * The part of its peak speed that a GPU reaches in training; forward and backward are 3 passes.
   */
  private static final double EFFICIENCY = 0.35;

  private static final double OPERATIONS_PER_MAC = 6;

  private final TaskProfile task;
  private final Optional<ModelFamily> family;
  private final Optional<GpuSpecification> gpu;
  private final double growth;

  /** Looks up what follows from a profile. */
  public TaskFacts(TaskProfile task) {
    this.task = task;
    family = ModelFamilies.nearest(task.family(), task.parameters());
    gpu = GpuSpecification.named(task.gpu());
    OptionalDouble size = sampleSize();
    growth = family.isPresent() && size.isPresent() ? family.get().growth(size.getAsDouble()) : 1;
  }

  /** Returns the family that the task's resembles most, if any. */
  public Optional<ModelFamily> family() {
    return family;
  }

  /** Returns the task's GPU model, if it is in the table. */
  public Optional<GpuSpecification> gpu() {
    return gpu;
  }

  /** Returns whether enough is known for {@link #priorMemory()} to mean something. */
  public boolean hasPrior() {
    return family.isPresent() || task.parameters().isPresent();
  }

  /** Returns the number of parameters, 0 if not known. */
  public double parameters() {
    return task.parameters().orElse(family.map(ModelFamily::parameters).orElse(0.0));
  }

  /**
   * Returns the numbers kept per sample; without a family as many as a plain network has
   * parameters.
   */
  public double keptElements() {
    return family.map(known -> known.keptElements() * growth).orElse(0.5 * parameters());
  }

  /** Returns the multiply-accumulates of one forward pass of a sample, 0 if not known. */
  public double forwardMacs() {
    return family.map(known -> known.forwardMacs() * growth).orElse(0.0);
  }

  /** Returns the samples per iteration on each GPU. */
  public double batchPerGpu() {
    return task.batch().orElse(1) / (double) Math.max(1, task.gpusPerTask());
  }

  /** Returns whether the task holds parameters. */
  public boolean isParameterServer() {
    return task.role().equals(TaskProfile.PARAMETER_SERVER);
  }

  /** Returns the bytes of a number kept for the backward pass. */
  public double bytesPerNumber() {
    String precision = task.precision().toLowerCase(Locale.ROOT);
    return precision.contains("16") || precision.contains("amp") ? 2 : BYTES_PER_NUMBER;
  }

  /** Returns the memory that parameters and one batch need, in bytes. */
  public double neededMemory() {
    double state = parameters() * bytesPerParameter();
    return isParameterServer() ? state : state + batchPerGpu() * keptElements() * bytesPerNumber();
  }

  /**
   * Returns the memory that is expected to be seen as used, in bytes; at most what the device has.
   */
  public double priorMemory() {
    double seen =
        switch (task.hyperparameters().getOrDefault("allocator", "")) {
          case "peak" -> neededMemory() + scratch();
          case "growth" ->
              PROCESS_BYTES + doubledPool(Math.max(neededMemory() + scratch(), tried()));
          default -> PROCESS_BYTES + SPARE * neededMemory();
        };
    return gpu.map(model -> Math.min(seen, model.memoryBytes())).orElse(seen);
  }

  /** Returns the time that the stated iterations need on this GPU, in seconds; 0 if not known. */
  public double priorSeconds() {
    double iterations = number("iterations").orElse(0);
    double operations = iterations * batchPerGpu() * forwardMacs() * OPERATIONS_PER_MAC;
    return gpu.map(model -> operations / (model.teraflops() * 1e12 * EFFICIENCY)).orElse(0.0);
  }

  private OptionalDouble sampleSize() {
    OptionalDouble stated = number("image_size");
    if (stated.isEmpty()) {
      stated = number("sequence_length");
    }
    boolean isUsable = stated.isPresent() && stated.getAsDouble() > 0;
    return isUsable ? stated : ModelFamilies.sampleSize(task.dataset());
  }

  private OptionalDouble number(String hyperparameter) {
    return FiniteNumber.of(task.hyperparameters().getOrDefault(hyperparameter, ""));
  }

  private double bytesPerParameter() {
    String optimizer =
        task.hyperparameters().getOrDefault("optimizer", "").toLowerCase(Locale.ROOT);
    return BYTES_PER_PARAMETER.getOrDefault(optimizer, DEFAULT_BYTES_PER_PARAMETER);
  }

  private double scratch() {
    double full = family.map(ModelFamily::scratchBytes).orElse(0.0);
    return isParameterServer() ? 0 : full * Math.min(1, growth);
  }

  private double tried() {
    boolean convolves = family.map(ModelFamily::convolves).orElse(false);
    return convolves && !isParameterServer() ? MOST_SCRATCH : 0;
  }

  private static double doubledPool(double need) {
    double pool = SMALLEST_POOL;
    while (pool < need) {
      pool *= 2;
    }
    return pool;
  }
}
