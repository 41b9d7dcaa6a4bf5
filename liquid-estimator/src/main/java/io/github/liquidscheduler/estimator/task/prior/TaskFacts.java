package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The facts that follow from a task's profile and the shipped tables, without learning.
 *
 * <p>Device memory is what the task needs ({@link MemoryParts}), plus two things that come on top
 * when the driver is asked rather than the framework's allocator: what a process takes before it
 * does anything, and what the allocator holds without need. The hyper-parameter {@code allocator}
 * says which it is: {@code peak} (the need itself), {@code growth} (TensorFlow's, which doubles its
 * pool, so that it ends at a power of two) or anything else (a caching allocator). A pool that
 * grows never shrinks: where there are convolutions, TensorFlow first tries each of cuDNN's
 * algorithms with up to 4 GiB of scratch memory (the default of {@code
 * TF_CUDNN_WORKSPACE_LIMIT_IN_MB}), and the pool keeps what that took. A server that takes a part
 * of its device at once is expected to hold that part.
 *
 * <p>Nothing is limited to what a device has: what needs more cannot run there.
 */
public final class TaskFacts {
  private static final double SMALLEST_POOL = 1L << 30;
  private static final double MOST_SCRATCH = 4.0 * (1L << 30);

  /** Which part of the usual length sequences may well have, if nothing is said. */
  private static final double SHORTER = 0.25;

  /**
   * The part of its peak speed that a GPU reaches in training; forward and backward are 3 passes.
   */
  private static final double EFFICIENCY = 0.35;

  private static final double OPERATIONS_PER_MAC = 6;

  /** The lineage of models that consist of tables of embeddings. */
  private static final String TABLES = "dlrm";

  private final TaskProfile task;
  private final TaskSettings settings;
  private final Optional<ModelFamily> family;
  private final Optional<GpuSpecification> gpu;
  private final Framework framework;
  private final OptionalDouble statedSize;
  private final double growth;
  private final MemoryPrior memory;
  private final MemoryPrior least;
  private final MemoryParts counted;
  private final MemoryParts parts;

  /** Looks up what follows from a profile. */
  public TaskFacts(TaskProfile task) {
    this.task = task;
    settings = new TaskSettings(task);
    family = ModelFamilies.nearest(task.family(), task.parameters());
    gpu = GpuSpecification.named(task.gpu());
    boolean isTensorFlow = List.of("peak", "growth").contains(settings.text("allocator"));
    framework = Framework.of(isTensorFlow ? "tensorflow" : task.framework());
    statedSize = sampleSize();
    growth =
        family.isPresent() && statedSize.isPresent()
            ? family.get().growth(statedSize.getAsDouble())
            : 1;
    memory = prior(assumed(), statedSize.orElse(referenceSize()));
    least = least();
    counted = least.parts();
    parts = whole(memory.parts());
  }

  /** Returns the family that the task's resembles most, if any. */
  public Optional<ModelFamily> family() {
    return family;
  }

  /** Returns the task's GPU model, if it is in the table. */
  public Optional<GpuSpecification> gpu() {
    return gpu;
  }

  /** Returns true if enough is known for {@link #priorMemory()} to mean something. */
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
    return memory.keptElements();
  }

  /** Returns the multiply-accumulates of one forward pass of a sample, 0 if not known. */
  public double forwardMacs() {
    return family.map(known -> known.forwardMacs() * growth).orElse(0.0);
  }

  /** Returns the samples that each GPU computes at once. */
  public double batchPerGpu() {
    return memory.batch();
  }

  /** Returns true if the task holds parameters. */
  public boolean isParameterServer() {
    return task.role().equals(TaskProfile.PARAMETER_SERVER);
  }

  /** Returns the bytes of a number kept for the backward pass. */
  public double bytesPerNumber() {
    return isHalf() ? 2 : 4;
  }

  /** Returns the memory that parameters and one batch need, in bytes. */
  public double neededMemory() {
    return parts.needed();
  }

  /** Returns the expected parts of the memory of each device. */
  public MemoryParts memoryParts() {
    return parts;
  }

  /** Returns the memory that is expected to be seen as used on each device, in bytes. */
  public double priorMemory() {
    return seen(parts, 1, held(framework.heldFraction()));
  }

  /** Returns the least bytes of a pool that doubles; empty if the memory is no such pool. */
  public OptionalDouble pooledNeed() {
    double need = Math.max(parts.needed() + parts.scratch(), tried());
    return isGrowing() && need > 0 ? OptionalDouble.of(need) : OptionalDouble.empty();
  }

  /**
   * Returns the least that {@link #priorMemory()} would be if all that is guessed were {@code
   * guessed} times as much, and what the task does not say were less than assumed: numbers of 16
   * bits, fused attention, layers computed again, short sequences, an optimiser without state, a
   * server that takes no more than it needs.
   *
   * <p>Not guessed but counted are weights, gradients and optimiser state, as far as what the task
   * states fixes them. A pool that doubles holds what is needed, so it jumps.
   *
   * @param guessed at least 0; 1 if the guesses are right
   */
  public double leastMemory(double guessed) {
    double held = held(0);
    double assumed = seen(parts.guessedTimes(guessed, counted), guessed, held);
    return transformer().isEmpty()
        ? assumed
        : Math.min(
            assumed, seen(whole(least.parts()).guessedTimes(guessed, counted), guessed, held));
  }

  /**
   * Returns the most it would be: numbers of 32 bits where large models usually have 16, gradients
   * of whole tables of embeddings, the whole device where a server takes a part of it that is not
   * stated.
   *
   * @param guessed at least 0; 1 if the guesses are right
   */
  public double mostMemory(double guessed) {
    boolean isSaid = settings.statesPrecision() || transformer().isEmpty();
    MemoryPrior.Assumptions most =
        new MemoryPrior.Assumptions(isSaid && isHalf(), isFused(), isCheckpointed(), true, false);
    MemoryParts whole = whole(prior(most, statedSize.orElse(referenceSize())).parts());
    double held = held(framework.heldFraction() > 0 ? 1 : 0);
    return Math.max(
        seen(parts.guessedTimes(guessed, counted), guessed, held),
        seen(whole.guessedTimes(guessed, counted), guessed, held));
  }

  /** Returns the time that the stated iterations need on this GPU, in seconds; 0 if not known. */
  public double priorSeconds() {
    double iterations = settings.numberOr("iterations", 0);
    double operations = iterations * batchPerGpu() * forwardMacs() * OPERATIONS_PER_MAC;
    return gpu.map(model -> operations / (model.teraflops() * 1e12 * EFFICIENCY)).orElse(0.0);
  }

  private MemoryPrior prior(MemoryPrior.Assumptions assumptions, double size) {
    double kept = family.map(known -> known.keptElements() * growth).orElse(0.5 * parameters());
    return new MemoryPrior(
        task, settings, family.orElse(null), parameters(), kept, size, assumptions);
  }

  private MemoryPrior least() {
    double size = referenceSize() * (isPatched() ? 1 : SHORTER);
    MemoryPrior.Assumptions assumptions =
        new MemoryPrior.Assumptions(
            settings.statesPrecision() ? isHalf() : true,
            settings.states("attention") ? isFused() : true,
            settings.is("gradient_checkpointing", true),
            false,
            hasTables());
    return prior(assumptions, statedSize.orElse(size));
  }

  private MemoryPrior.Assumptions assumed() {
    return new MemoryPrior.Assumptions(isHalf(), isFused(), isCheckpointed(), true, hasTables());
  }

  /** Of a table of embeddings a batch touches a few rows, and only they have gradients. */
  private boolean hasTables() {
    return family.filter(known -> known.lineage().equals(TABLES)).isPresent();
  }

  private boolean isHalf() {
    return settings.computesInHalf(transformer().isPresent(), parameters());
  }

  private boolean isFused() {
    boolean usual = transformer().map(Transformer::fuses).orElse(false);
    return settings.states("attention") ? !settings.text("attention").equals("eager") : usual;
  }

  private boolean isCheckpointed() {
    return settings.is("gradient_checkpointing", false);
  }

  private Optional<Transformer> transformer() {
    return family.flatMap(known -> Optional.ofNullable(known.transformer()));
  }

  private boolean isPatched() {
    return transformer().filter(known -> known.patch() > 0).isPresent();
  }

  private double referenceSize() {
    return family.map(ModelFamily::referenceSize).orElse(1.0);
  }

  private MemoryParts whole(MemoryParts task) {
    boolean isTensorFlow = settings.text("allocator").equals("peak") || isGrowing();
    boolean isPeak = settings.text("allocator").equals("peak");
    return new MemoryParts(
        isPeak ? 0 : framework.processBytes(),
        task.weights(),
        task.gradients(),
        task.optimizerState(),
        task.activations(),
        task.cache(),
        isTensorFlow ? scratch() : 0,
        isTensorFlow ? 0 : task.spare());
  }

  /** The need of a pool is a guess too, be it what was tried. */
  private double seen(MemoryParts occupied, double guessed, double held) {
    if (isGrowing()) {
      return occupied.process()
          + doubledPool(Math.max(occupied.needed() + occupied.scratch(), guessed * tried()));
    }
    double besides = (guessed - 1) * framework.processBytes();
    double device = gpu.map(GpuSpecification::memoryBytes).orElse(0.0);
    return Math.max(occupied.total(), held > 0 ? Math.min(held + besides, device) : 0);
  }

  /** What a server takes of its device at once, in bytes; a part of it if nothing is stated. */
  private double held(double unstated) {
    double part = settings.text("allocator").isEmpty() ? unstated : 0;
    return settings.numberOr("gpu_memory_utilization", part)
        * gpu.map(GpuSpecification::memoryBytes).orElse(0.0);
  }

  private boolean isGrowing() {
    return settings.text("allocator").equals("growth");
  }

  /** Sound is cut to one length; images have the model's size unless one is stated. */
  private OptionalDouble sampleSize() {
    boolean isFixed = transformer().filter(TaskFacts::hasFixedLength).isPresent();
    OptionalDouble stated = settings.number("image_size");
    if (stated.isEmpty() && !isPatched()) {
      stated = settings.number("sequence_length");
    }
    if (isFixed) {
      return OptionalDouble.empty();
    }
    boolean isUsable = stated.isPresent() && stated.getAsDouble() > 0;
    if (isUsable || isPatched()) {
      return isUsable ? stated : OptionalDouble.of(referenceSize());
    }
    return ModelFamilies.sampleSize(task.dataset());
  }

  private static boolean hasFixedLength(Transformer transformer) {
    return transformer.patch() == 0
        && transformer.decoderLayers() > 0
        && transformer.decoderTokens() != transformer.reference();
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
