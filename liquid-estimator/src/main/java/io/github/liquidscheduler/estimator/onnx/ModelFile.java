package io.github.liquidscheduler.estimator.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A trained model, loaded from an ONNX file that has been checked: not too large, made of operators
 * whose work and memory are bounded, nothing kept outside the file, one input and one output of
 * float rows in batches of any size, metadata that describes the columns, and finite answers. What
 * does not fit is refused with an {@link IllegalArgumentException} of one line that says what and
 * whose.
 *
 * <p>Thread-safe. The first model of a process takes about 0.2 s, because ONNX Runtime unpacks its
 * library.
 */
public final class ModelFile implements AutoCloseable {
  private static final int MAX_OUTPUTS = 4096;
  private static final int MAX_MESSAGE = 500;

  private final String owner;
  private final OrtSession session;
  private final ModelMetadata metadata;
  private final String input;
  private final String output;
  private final int outputs;

  private ModelFile(String owner, OrtSession session, ModelMetadata metadata) throws OrtException {
    this.owner = owner;
    this.session = session;
    this.metadata = metadata;
    input = only(session.getInputInfo(), "input").getName();
    output = only(session.getOutputInfo(), "output").getName();
    int width = width(session.getInputInfo(), "input");
    outputs = width(session.getOutputInfo(), "output");
    if (width != metadata.features().size()) {
      throw new IllegalArgumentException(
          "the model's input must be as wide as its %s, but is %d wide, in %s"
              .formatted(Count.of(metadata.features().size(), "feature"), width, owner));
    }
  }

  /**
   * Loads the model in {@code file}.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the model is refused
   */
  public static ModelFile read(Path file) throws IOException {
    return read(file, Set.of(), ModelLimits.DEFAULT);
  }

  /**
   * Loads the model in {@code file}, which is trusted to use {@code operators} well besides those
   * that any model may have: neither their memory nor their time is bounded.
   *
   * @param operators the names, such as {@code ai.onnx.ml.SVMRegressor}, with the domain unless it
   *     is the standard one
   * @param limits how large it may be, and how much it may do
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the model is refused
   */
  public static ModelFile read(Path file, Collection<String> operators, ModelLimits limits)
      throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "a model must be a file, not a folder");
    }
    long size = Files.size(file);
    requireSize(size, file.toString(), limits);
    return of(Files.readAllBytes(file), file.toString(), operators, limits);
  }

  /**
   * Loads a model that is shipped beside {@code owner}.
   *
   * @throws IllegalArgumentException if there is no such resource or the model is refused
   */
  public static ModelFile shipped(Class<?> owner, String resource) {
    try (InputStream stream = owner.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalArgumentException("there is no shipped model '" + resource + "'");
      }
      return of(stream.readAllBytes(), "the shipped model " + resource);
    } catch (IOException e) {
      throw new IllegalArgumentException("the shipped model '" + resource + "' is unreadable", e);
    }
  }

  /**
   * Loads the model in {@code bytes}.
   *
   * @param owner what the bytes are, for messages
   * @throws IllegalArgumentException if the model is refused
   */
  public static ModelFile of(byte[] bytes, String owner) {
    return of(bytes, owner, Set.of(), ModelLimits.DEFAULT);
  }

  /**
   * Loads the model in {@code bytes}, trusting {@code operators} as {@link #read(Path, Collection,
   * ModelLimits)} does.
   *
   * @param owner what the bytes are, for messages
   * @param limits how large it may be, and how much it may do
   * @throws IllegalArgumentException if the model is refused
   */
  public static ModelFile of(
      byte[] bytes, String owner, Collection<String> operators, ModelLimits limits) {
    requireSize(bytes.length, owner, limits);
    try {
      GraphCheck.require(bytes, operators, limits);
    } catch (IllegalArgumentException e) {
      throw refusal("the model is refused", owner, e);
    }
    OrtSession session = open(bytes, owner);
    try {
      ModelMetadata metadata =
          ModelMetadata.fromProperties(session.getMetadata().getCustomMetadata(), owner);
      ModelFile model = new ModelFile(owner, session, metadata);
      model.requireFiniteAnswers();
      return model;
    } catch (OrtException | IllegalStateException e) {
      close(session);
      throw refusal("the model cannot be used", owner, e);
    } catch (IllegalArgumentException e) {
      close(session);
      throw e;
    }
  }

  /** Says in one line, however many the runtime needs, why a model is refused. */
  private static IllegalArgumentException refusal(String what, String owner, Exception why) {
    String cause = why.getCause() instanceof OrtException inner ? ": " + inner.getMessage() : "";
    String line = (what + ": " + why.getMessage() + cause).replaceAll("\\s*\\R\\s*", " ");
    String cut = line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "…" : line;
    return new IllegalArgumentException(cut + ": " + owner, why);
  }

  /** Returns the metadata of the file. */
  public ModelMetadata metadata() {
    return metadata;
  }

  /**
   * Returns the lines of a note of the metadata, each as {@code parse} reads it.
   *
   * @throws IllegalArgumentException if there is no such note, or a line of it is malformed
   */
  public <T> List<T> noteLines(String note, Function<String, T> parse) {
    @Nullable String text = metadata.notes().get(note);
    if (text == null) {
      throw new IllegalArgumentException(
          "a model must have the note '%s', but has %s, in %s"
              .formatted(note, metadata.notes().keySet(), owner));
    }
    return text.lines().map(line -> parsed(note, line, parse)).toList();
  }

  private <T> T parsed(String note, String line, Function<String, T> parse) {
    try {
      return parse.apply(line);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a line of the note '%s' is malformed: '%s', in %s: %s"
              .formatted(note, line, owner, e.getMessage()),
          e);
    }
  }

  /** Returns the numbers that the model answers per row. */
  public int outputs() {
    return outputs;
  }

  /** Returns the origin of the model, for messages. */
  public String owner() {
    return owner;
  }

  /**
   * Returns this model if it keeps the contract.
   *
   * @throws IllegalArgumentException if it predicts something else or from other columns
   */
  public ModelFile requires(ModelContract contract) {
    contract.check(metadata, outputs, owner);
    return this;
  }

  /** Returns a scorer with buffers of its own; it must be closed before this model is. */
  public BatchScorer scorer() {
    return new BatchScorer(session, input, metadata.features().size(), output, outputs);
  }

  @Override
  public void close() {
    close(session);
  }

  private static OrtSession open(byte[] bytes, String owner) {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      return OnnxEnvironment.get().createSession(bytes, options);
    } catch (OrtException e) {
      throw refusal("the file is no ONNX model that can be run", owner, e);
    }
  }

  private static void requireSize(long size, String owner, ModelLimits limits) {
    if (size == 0 || size > limits.bytes()) {
      throw new IllegalArgumentException(
          "a model must have between 1 and %d bytes, but has %d: %s"
              .formatted(limits.bytes(), size, owner));
    }
  }

  private NodeInfo only(Map<String, NodeInfo> values, String what) {
    if (values.size() != 1) {
      throw new IllegalArgumentException(
          "a model must have one %s, but has %d, in %s".formatted(what, values.size(), owner));
    }
    return values.values().iterator().next();
  }

  private int width(Map<String, NodeInfo> values, String what) {
    NodeInfo info = only(values, what);
    if (info.getInfo() instanceof TensorInfo tensor
        && tensor.type == OnnxJavaType.FLOAT
        && tensor.getShape().length == 2
        && tensor.getShape()[0] < 0
        && tensor.getShape()[1] > 0
        && tensor.getShape()[1] <= MAX_OUTPUTS) {
      return (int) tensor.getShape()[1];
    }
    throw new IllegalArgumentException(
        "a model's %s must be float rows of a fixed width, in batches of any size, but is %s, in %s"
            .formatted(what, info.getInfo(), owner));
  }

  /**
   * Asks at the mean and three steps to either side, where a broken weight shows, in batches of
   * each size.
   */
  private void requireFiniteAnswers() {
    double[] steps = {0, -3, 3};
    int width = metadata.features().size();
    float[] rows = new float[BatchScorer.LARGEST_BATCH * width];
    for (int i = 0; i < rows.length; i++) {
      double step = steps[i / width % steps.length];
      rows[i] = (float) metadata.features().get(i % width).away(step);
    }
    try (BatchScorer scorer = scorer()) {
      for (int count : new int[] {1, steps.length, BatchScorer.LARGEST_BATCH}) {
        requireFinite(scorer, rows, count);
      }
    }
  }

  private void requireFinite(BatchScorer scorer, float[] rows, int count) {
    float[] answers = new float[count * outputs];
    scorer.score(rows, count, answers);
    for (float value : answers) {
      if (!Float.isFinite(value)) {
        throw new IllegalArgumentException(
            "a model's answers must be finite, but one was " + value + ", in " + owner);
      }
    }
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("the model could not be closed", e);
    }
  }
}
