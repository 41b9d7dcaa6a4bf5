package io.github.liquidscheduler.estimator.resource;

import com.google.common.collect.EvictingQueue;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.estimator.task.regression.ResourceModel;
import io.github.liquidscheduler.estimator.task.regression.ScaledAnswer;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.ResourceEstimate;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what a task needs, from the most trustworthy thing it knows: what the same task was
 * measured to use, a trained model that knows the family, one that knows similar families, an
 * analytic prior, a documented default. It learns at once from what is observed: the past of a task
 * and the mean error of its family correct the model, two batch sizes of a task make a line on
 * which its device memory lies at others, errors that grow beyond those of the model's training
 * widen the intervals, and running out of memory raises what is requested. Training a new model
 * from {@link #samples()} is done elsewhere, off the hot path; {@link #use} takes it over.
 *
 * <p>Memory is requested at a high quantile, be it more than the GPU has: an estimate says what a
 * task needs, not what is free. Utilisation is rounded up to a percent (the released Liquid rounds
 * it down to a tenth).
 *
 * <p>Not thread-safe. Closing it closes its model.
 */
public final class LearnedResourceEstimator implements ResourceEstimator, AutoCloseable {
  private static final int MOST_SAMPLES = 10_000;
  private static final double MEBIBYTE = 1 << 20;

  private @Nullable ResourceModel model;
  private final Map<ResourceTarget, UsageHistory> histories = new EnumMap<>(ResourceTarget.class);
  private final Map<ResourceTarget, ErrorDrift> drifts = new EnumMap<>(ResourceTarget.class);
  private final MemoryLines lines = new MemoryLines();
  private final OutOfMemoryFloors floors = new OutOfMemoryFloors();
  private final Queue<ResourceSample> samples = EvictingQueue.create(MOST_SAMPLES);

  private LearnedResourceEstimator(@Nullable ResourceModel model) {
    this.model = model;
    for (ResourceTarget target : ResourceTarget.values()) {
      histories.put(target, new UsageHistory());
      drifts.put(target, new ErrorDrift());
    }
  }

  /** Returns an estimator that asks the model that ships with Liquid. */
  public static LearnedResourceEstimator shipped() {
    return new LearnedResourceEstimator(ResourceModel.shipped());
  }

  /**
   * Returns an estimator that asks the model in {@code file}.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it is no model of resource needs
   */
  public static LearnedResourceEstimator read(Path file) throws IOException {
    return read(file, ModelLimits.DEFAULT);
  }

  /**
   * Returns an estimator that asks the model in {@code file}, which is refused if it is larger, or
   * does more, than {@code limits} allow.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it is no model of resource needs
   */
  public static LearnedResourceEstimator read(Path file, ModelLimits limits) throws IOException {
    ModelFile model = ModelFile.read(file, Set.of(), limits);
    return new LearnedResourceEstimator(ResourceModel.of(model));
  }

  /**
   * Returns an estimator that asks the model in {@code onnx}.
   *
   * @param owner what the bytes are, for messages
   * @throws IllegalArgumentException if they are no model of resource needs
   */
  public static LearnedResourceEstimator of(byte[] onnx, String owner) {
    return of(onnx, owner, ModelLimits.DEFAULT);
  }

  /**
   * Returns an estimator that asks the model in {@code onnx}, which is refused if it is larger, or
   * does more, than {@code limits} allow.
   *
   * @param owner what the bytes are, for messages
   * @throws IllegalArgumentException if they are no model of resource needs
   */
  public static LearnedResourceEstimator of(byte[] onnx, String owner, ModelLimits limits) {
    ModelFile model = ModelFile.of(onnx, owner, Set.of(), limits);
    return new LearnedResourceEstimator(ResourceModel.of(model));
  }

  /** Returns an estimator that starts from the analytic prior and the defaults only. */
  public static LearnedResourceEstimator withoutModel() {
    return new LearnedResourceEstimator(null);
  }

  /**
   * Replaces the model, such as by one trained on {@link #samples()}.
   *
   * @param owner what the bytes are, for messages
   * @throws IllegalArgumentException if they are no model of resource needs; the old one stays
   */
  public void use(byte[] onnx, String owner) {
    ResourceModel replacement = ResourceModel.of(ModelFile.of(onnx, owner));
    close();
    model = replacement;
  }

  /** Returns the samples observed, the oldest first; at most {@value #MOST_SAMPLES}. */
  public List<ResourceSample> samples() {
    return List.copyOf(samples);
  }

  @Override
  public ResourceEstimate estimate(JobSpec job, TaskRole role, GpuModel gpu) {
    return estimate(TaskProfile.of(job, role, gpu)).toEstimate();
  }

  /** Returns the estimate for a task. */
  public TaskEstimate estimate(TaskProfile task) {
    TaskFacts facts = new TaskFacts(task);
    Map<ResourceTarget, ScaledAnswer> raw = rawAnswers(task, facts);
    Map<ResourceTarget, ScaledAnswer> answers = new EnumMap<>(ResourceTarget.class);
    UsageHistory.Keys keys = UsageHistory.Keys.of(task);
    for (ResourceTarget target : ResourceTarget.values()) {
      refined(keys, target, raw.get(target)).ifPresent(answer -> answers.put(target, answer));
    }
    withLine(task, facts, answers);
    double device = facts.gpu().map(GpuSpecification::memoryBytes).orElse(Double.POSITIVE_INFINITY);
    Map<ResourceTarget, Prediction> predictions = predictions(answers);
    double expected = Objects.requireNonNull(predictions.get(ResourceTarget.GPU_MEMORY)).value();
    double requested = requested(task, answers.get(ResourceTarget.GPU_MEMORY), device);
    Memory memory = Memory.ofBytes((long) Math.ceil(Math.max(requested, expected)));
    return new TaskEstimate(task, memory, predictions);
  }

  @Override
  public void observe(JobSpec job, TaskRole role, GpuModel gpu, ResourceUsage usage) {
    observe(ResourceSample.of(TaskProfile.of(job, role, gpu), usage));
  }

  /** Learns from a sample. Only a task that had its GPUs for itself makes one. */
  public void observe(ResourceSample sample) {
    TaskProfile task = sample.task();
    TaskFacts facts = new TaskFacts(task);
    Map<ResourceTarget, ScaledAnswer> raw = rawAnswers(task, facts);
    UsageHistory.Keys keys = UsageHistory.Keys.of(task);
    for (ResourceTarget target : ResourceTarget.values()) {
      sample
          .value(target)
          .ifPresent(value -> learn(keys, target, target.toScale(value), raw.get(target)));
    }
    sample.value(ResourceTarget.GPU_MEMORY).ifPresent(bytes -> lines.record(task, facts, bytes));
    samples.add(sample);
  }

  @Override
  public void observeOutOfMemory(JobSpec job, TaskRole role, GpuModel gpu, Memory granted) {
    floors.raise(TaskProfile.of(job, role, gpu), (double) granted.bytes());
  }

  /** Frees the model; without one, estimates start from the analytic prior. */
  @Override
  public void close() {
    if (model != null) {
      model.close();
      model = null;
    }
  }

  /** Returns the factor that widens intervals of {@code target} for recent errors; 1 if none. */
  public double widening(ResourceTarget target) {
    return drift(target).widening();
  }

  private void learn(
      UsageHistory.Keys keys, ResourceTarget target, double value, @Nullable ScaledAnswer raw) {
    ScaledAnswer base = Objects.requireNonNullElseGet(raw, () -> Groundwork.byDefault(target));
    if (raw != null) {
      double error = Math.abs(value - history(target).refine(keys, base).center());
      drift(target).record(error, base.calibration().error());
    }
    history(target).record(keys, value, base.center());
  }

  /** What the model says, or the analytic prior; nothing for a target that neither answers. */
  private Map<ResourceTarget, ScaledAnswer> rawAnswers(TaskProfile task, TaskFacts facts) {
    Map<ResourceTarget, ScaledAnswer> answers = Groundwork.answers(facts);
    if (model != null) {
      Map<ResourceTarget, ScaledAnswer> learned = model.answers(task, facts);
      if (!facts.hasPrior() && !model.schema().knowsFamily(task)) {
        // It would guess the memory of something of unknown size.
        learned.remove(ResourceTarget.GPU_MEMORY);
      }
      answers.putAll(learned);
    }
    answers.computeIfPresent(
        ResourceTarget.GPU_MEMORY, (target, answer) -> Groundwork.inBytes(answer, facts));
    return answers;
  }

  private Optional<ScaledAnswer> refined(
      UsageHistory.Keys keys, ResourceTarget target, @Nullable ScaledAnswer raw) {
    if (raw == null && !history(target).knows(keys)) {
      return Optional.empty();
    }
    ScaledAnswer base = Objects.requireNonNullElseGet(raw, () -> Groundwork.byDefault(target));
    return Optional.of(history(target).refine(keys, base).widened(widening(target)));
  }

  /** The line through other batch sizes of the task knows more than its family does. */
  private void withLine(
      TaskProfile task, TaskFacts facts, Map<ResourceTarget, ScaledAnswer> answers) {
    ScaledAnswer known = answers.get(ResourceTarget.GPU_MEMORY);
    if (known == null || known.provenance() != Provenance.MEASURED) {
      lines.answer(task, facts).ifPresent(line -> answers.put(ResourceTarget.GPU_MEMORY, line));
    }
  }

  /** The answers in the units of the targets; the default where there is none. */
  private static Map<ResourceTarget, Prediction> predictions(
      Map<ResourceTarget, ScaledAnswer> answers) {
    Map<ResourceTarget, Prediction> predictions = new EnumMap<>(ResourceTarget.class);
    for (ResourceTarget target : ResourceTarget.values()) {
      ScaledAnswer answer = answers.get(target);
      double high = target.isFraction() ? 1 : Double.POSITIVE_INFINITY;
      predictions.put(
          target,
          answer == null
              ? new Prediction(target.byDefault(), 0, high, Provenance.DEFAULT)
              : answer.prediction(target));
    }
    return predictions;
  }

  private UsageHistory history(ResourceTarget target) {
    return Objects.requireNonNull(histories.get(target));
  }

  private ErrorDrift drift(ResourceTarget target) {
    return Objects.requireNonNull(drifts.get(target));
  }

  /**
   * What to request; all of the device, or twice the default, when nothing is known. It may be more
   * than any device can grant.
   */
  private double requested(TaskProfile task, @Nullable ScaledAnswer answer, double device) {
    double asked = 2 * ResourceTarget.GPU_MEMORY.byDefault();
    if (answer != null) {
      asked = answer.request(ResourceTarget.GPU_MEMORY);
    } else if (Double.isFinite(device)) {
      asked = device;
    }
    return Math.ceil(Math.max(asked, floors.floor(task)) / MEBIBYTE) * MEBIBYTE;
  }
}
