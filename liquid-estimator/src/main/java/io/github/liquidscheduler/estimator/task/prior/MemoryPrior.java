package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import org.jspecify.annotations.Nullable;

/**
 * The device memory of a task by arithmetic.
 *
 * <p>Weights, gradients and optimiser state are divided by tensor and pipeline parallelism; by ZeRO
 * also by the replicas, as far as its stage goes (Rajbhandari et al., "ZeRO", section 5). Of the
 * activations, tensor parallelism divides seven tenths (Korthikanti et al., equation 2), and a
 * pipeline none: its first stage keeps as many micro-batches as there are stages. A server keeps no
 * activations but those of its widest layer, and the keys and values of every token that it has
 * seen.
 */
final class MemoryPrior {
  private static final double SHARDED_ACTIVATIONS = 0.7;
  private static final double WIDEST = 0.15;
  private static final double SPARE_ACTIVATIONS = 0.1;
  private static final double SPARE_STATE = 0.02;
  private static final double FULL = 4;

  private final TaskProfile task;
  private final TaskSettings settings;
  private final @Nullable ModelFamily family;
  private final double parameters;
  private final double keptOtherwise;
  private final double sampleSize;
  private final Assumptions assumptions;

  /**
   * What is taken for granted where the task says nothing.
   *
   * @param isHalf whether numbers have 16 bits
   * @param isFused whether attention is fused
   * @param isCheckpointed whether layers are computed again for the backward pass
   * @param hasState whether the optimiser keeps anything, if it is not stated
   * @param isSparse whether so few of the weights have gradients in a step that they do not count
   */
  record Assumptions(
      boolean isHalf,
      boolean isFused,
      boolean isCheckpointed,
      boolean hasState,
      boolean isSparse) {}

  /**
   * Prepares the arithmetic.
   *
   * @param keptOtherwise the numbers kept per sample of what is no transformer of the table
   * @param sampleSize the tokens, or the side of the image, of a sample of a transformer
   */
  MemoryPrior(
      TaskProfile task,
      TaskSettings settings,
      @Nullable ModelFamily family,
      double parameters,
      double keptOtherwise,
      double sampleSize,
      Assumptions assumptions) {
    this.task = task;
    this.settings = settings;
    this.family = family;
    this.parameters = parameters;
    this.keptOtherwise = keptOtherwise;
    this.sampleSize = sampleSize;
    this.assumptions = assumptions;
  }

  /** Returns the parts without process and scratch memory. */
  MemoryParts parts() {
    double shard = parameters / (tensorParallel() * pipelineParallel());
    double trained = settings.servesOnly() ? 0 : trainedPart();
    double adapters = settings.servesOnly() ? 0 : adapters() / tensorParallel();
    double frozen = settings.frozenBytes(assumptions.isHalf());
    double each = settings.trainedBytes(assumptions.isHalf());
    double updated = shard * trained + adapters;
    double weights =
        (shard * (frozen * (1 - trained) + each * trained) + adapters * each) / zero(3);
    boolean hasGradients = settings.hasGradients() && !assumptions.isSparse();
    double gradients = hasGradients ? updated * each / zero(2) : 0;
    double state = updated * stateBytes() / zero(1);
    double activations = isServer() ? 0 : batch() * activations();
    double spare = SPARE_ACTIVATIONS * (activations + gradients) + SPARE_STATE * (weights + state);
    return new MemoryParts(0, weights, gradients, state, activations, cache(), 0, spare);
  }

  /** Returns the samples that are kept at once on each device. */
  double batch() {
    double replicas = Math.max(1, task.gpusPerTask() / (tensorParallel() * pipelineParallel()));
    double whole = task.batch().orElse(1) / replicas;
    double micro = whole / Math.max(1, settings.numberOr("gradient_accumulation", 1));
    return settings.numberOr("micro_batch", micro);
  }

  /** Returns the numbers kept for a sample, those of four bytes counted once. */
  double keptElements() {
    Transformer transformer = transformer();
    return transformer == null
        ? keptOtherwise
        : kept(transformer) + transformer.scores(tokens(transformer));
  }

  private double stateBytes() {
    boolean hasState = assumptions.hasState() || settings.states("optimizer");
    boolean isKeptHere = hasState && !settings.is("optimizer_offload", false);
    return isKeptHere && settings.hasGradients()
        ? settings.stateBytes(assumptions.isHalf(), isTransformer())
        : 0;
  }

  private double activations() {
    double bytes = assumptions.isHalf() ? 2 : FULL;
    Transformer transformer = transformer();
    double divided = settings.is("sequence_parallel", false) ? 1 : SHARDED_ACTIVATIONS;
    double shards = 1 - divided + divided / tensorParallel();
    if (transformer == null) {
      return keptOtherwise * bytes * (settings.servesOnly() ? WIDEST : 1);
    }
    double kept = kept(transformer) * bytes * shards;
    return settings.servesOnly()
        ? kept / (transformer.layers() + transformer.decoderLayers())
        : kept + transformer.scores(tokens(transformer)) * FULL / tensorParallel();
  }

  private double kept(Transformer transformer) {
    double tokens = tokens(transformer);
    return assumptions.isCheckpointed() && !settings.servesOnly()
        ? transformer.checkpointed(tokens, assumptions.isFused())
        : transformer.kept(tokens, assumptions.isFused());
  }

  private double cache() {
    Transformer transformer = transformer();
    if (!settings.servesOnly() || transformer == null) {
      return 0;
    }
    double all = settings.numberOr("kv_cache_tokens", batch() * tokens(transformer));
    double bytes = assumptions.isHalf() ? 2 : FULL;
    return transformer.cached(all) * bytes / (tensorParallel() * pipelineParallel());
  }

  private double trainedPart() {
    boolean hasAdapters = settings.numberOr("lora_rank", 0) > 0;
    return hasAdapters ? 0 : Math.min(1, settings.numberOr("trainable_fraction", 1));
  }

  private double adapters() {
    Transformer transformer = transformer();
    double rank = settings.numberOr("lora_rank", 0);
    boolean isEverywhere = settings.text("lora_targets").startsWith("all");
    return transformer == null ? 0 : transformer.adapters(rank, isEverywhere);
  }

  /** By how much ZeRO divides what its stage {@code from} begins to divide. */
  private double zero(int from) {
    double stage = settings.numberOr("zero_stage", settings.is("fsdp", false) ? 3 : 0);
    double devices = (double) Math.max(1, task.workers()) * Math.max(1, task.gpusPerTask());
    return stage >= from ? Math.max(1, devices / (tensorParallel() * pipelineParallel())) : 1;
  }

  private double tensorParallel() {
    return Math.max(1, settings.numberOr("tensor_parallel", 1));
  }

  private double pipelineParallel() {
    return Math.max(1, settings.numberOr("pipeline_parallel", 1));
  }

  private double tokens(Transformer transformer) {
    return transformer.tokens(sampleSize);
  }

  private boolean isServer() {
    return task.role().equals(TaskProfile.PARAMETER_SERVER);
  }

  private boolean isTransformer() {
    return transformer() != null;
  }

  private @Nullable Transformer transformer() {
    return family == null ? null : family.transformer();
  }
}
