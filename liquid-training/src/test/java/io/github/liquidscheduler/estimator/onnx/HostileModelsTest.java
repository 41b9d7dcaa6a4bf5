package io.github.liquidscheduler.estimator.onnx;

import static io.github.liquidscheduler.prediction.ModelLimits.DEFAULT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import io.github.liquidscheduler.training.onnx.ProtobufWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a file holds, it loads or is refused in one line, soon and within little memory. */
class HostileModelsTest {

  private static final long NOT_STATED = -1;

  @Test
  void aModelOfOneOperatorLoads() {
    ModelFile.of(model(weights("w", 1, 2), node("Gemm", "y", "x", "w", transposed())), "m").close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Loop",
        "If",
        "Scan",
        "SequenceMap",
        "ConstantOfShape",
        "Expand",
        "Tile",
        "Range",
        "Pad",
        "Resize",
        "OneHot",
        "RandomNormal",
        "",
        "gemm"
      })
  void anOperatorThatNoModelNeedsIsRefusedByName(String operator) {
    refused(
        model(node(operator, "y", "x")),
        "operator '" + operator + "' is none of those that a model may have");
  }

  @Test
  void anOperatorOfAnotherDomainIsAnother() {
    ProtobufWriter gemm = content("Gemm", "y", "x", "x").text(7, "com.microsoft");

    refused(model(field(1, gemm)), "operator 'com.microsoft.Gemm' is none of those");
  }

  @Test
  void whoLoadsAModelMayAllowMore() {
    byte[] cosine =
        model(weights("w", 1, 2), node("Cos", "c", "x"), node("Gemm", "y", "c", "w", transposed()));

    refused(cosine, "operator 'Cos' is none of those");
    ModelFile.of(cosine, "m", List.of("Cos"), DEFAULT).close();
  }

  @Test
  void whoLoadsAModelSaysHowLargeItMayBeAndHowMuchItMayDo() {
    byte[] product = model(weights("w", 1, 2), node("Gemm", "y", "x", "w", transposed()));

    refused(product, DEFAULT.withNumbers(10), "a model may have 10 numbers in a batch");
    refused(product, DEFAULT.withMultiplications(20), "and multiply 20, but 'y' of up");
    refused(product, DEFAULT.withBytes(30), "a model must have between 1 and 30 bytes");
  }

  @Test
  void everyPredictorTakesTheLimits() {
    ModelLimits tight = DEFAULT.withBytes(30);
    byte[] large = new byte[31];
    String message = "a model must have between 1 and 30 bytes, but has 31: m";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LearnedResourceEstimator.of(large, "m", tight))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NeuralSimilarity.of(large, "m", tight))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompositePredictor.builder().limits(tight).model(large, "m"))
        .withMessage(message);
  }

  @Test
  void limitsThatAllowNothingAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULT.withBytes(0))
        .withMessage("a model may be limited to 1 to 2147483639 bytes, but was to 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULT.withNumbers(0))
        .withMessage(
            "a model must be allowed a number and a multiplication, but was 0 and 4294967296");
  }

  @Test
  void functionsAreRefusedWhateverTheyKeepElsewhere() {
    ProtobufWriter tensor = new ProtobufWriter().text(8, "w").number(14, 1);
    ProtobufWriter function =
        new ProtobufWriter().text(1, "Gemm").message(7, attribute("value", 5, tensor));
    byte[] model = model(node("Gemm", "y", "x", "x"));

    refused(joined(model, field(25, function)), "the model brings functions of its own");
  }

  @Test
  void instructionsForTrainingAreRefused() {
    byte[] model = model(node("Gemm", "y", "x", "x"));

    refused(joined(model, field(20, new ProtobufWriter())), "instructions for training");
  }

  @Test
  void graphsInsideOperatorsAreRefusedHoweverDeep() {
    ProtobufWriter graph = new ProtobufWriter();
    for (int depth = 0; depth < 2000; depth++) {
      graph =
          new ProtobufWriter()
              .message(1, content("Relu", "y", "x").message(5, attribute("body", 6, graph)));
    }

    refused(model(graph), "an operator has a graph inside it");
  }

  @Test
  void aBatchOfFixedSizeIsRefused() {
    byte[] model = model(1, weights("w", 1, 2), node("Gemm", "y", "x", "w", transposed()));

    refused(model, "float rows of a fixed width, in batches of any size");
  }

  @Test
  void valuesThatDoubleAndDoubleAreRefused() {
    ProtobufWriter nodes = node("Concat", "v0", "x", "x", axis(1));
    for (int i = 0; i < 60; i++) {
      nodes = nodes.append(node("Concat", "v" + (i + 1), "v" + i, "v" + i, axis(1)));
    }

    refused(model(nodes), "'v16' of up to 67108864 is too much");
  }

  @Test
  void aRowBesideAColumnIsRefusedIfTheirTableIsTooLarge() {
    refused(
        model(
            weights("row", 1, 20_000),
            weights("column", 20_000, 1),
            node("Add", "t", "row", "column")),
        "'t' of up to 400000000 is too much");
  }

  @Test
  void aShapeThatIsSetAnewIsFollowed() {
    ProtobufWriter shape = integers("shape", -1, 1);
    ProtobufWriter turned = integers("turned", 1, -1);

    refused(
        model(
            weights("w", 100, 100),
            shape,
            turned,
            node("Reshape", "column", "w", "shape"),
            node("Reshape", "row", "w", "turned"),
            node("Mul", "table", "row", "column")),
        "'table' of up to 100000000 is too much");
  }

  @Test
  void productsOfTooMuchWorkAreRefused() {
    ProtobufWriter nodes = node("MatMul", "v0", "x", "wide");
    for (int i = 0; i < 10; i++) {
      nodes = nodes.append(node("MatMul", "v" + (i + 1), "v" + i, "square"));
    }

    refused(
        model(weights("wide", 2, 4000), weights("square", 4000, 4000), nodes),
        "and multiply 4294967296, but 'v2' of up to 1024000 is too much");
  }

  @Test
  void aTreeThatEndsInItselfIsRefused() {
    refused(
        model(trees(new long[] {0, 1}, new long[] {1, 0})), "node 0 of tree 0 must stand behind");
  }

  @Test
  void aTreeThatIsTooDeepIsRefused() {
    int nodes = 5000;
    long[] ids = IntStream.range(0, nodes).asLongStream().toArray();
    long[] children = IntStream.range(1, nodes + 1).asLongStream().toArray();

    refused(model(trees(ids, children)), "a tree may be 1000 deep, but is deeper");
  }

  @Test
  void aModelThatCannotAnswerIsRefusedInOneLine() {
    OnnxGraph graph = new OnnxGraph(1);
    byte[] bytes =
        graph.toBytes(graph.embedding(graph.input(), new float[2], 1), Models.metadata(1));

    refused(bytes, "the model cannot be used: the model could not be run: ");
  }

  @Test
  void aValueThatIsTakenBeforeItIsMadeIsRefused() {
    refused(
        model(node("Relu", "y", "later"), node("Relu", "later", "x")),
        "'later' is taken before it is made");
  }

  @Test
  void aFileThatTheRuntimeRefusesIsRefusedInOneLine() {
    refused(model(node("Relu", "z", "x")), "the file is no ONNX model that can be run");
  }

  private static void refused(byte[] model, String reason) {
    refused(model, DEFAULT, reason);
  }

  private static void refused(byte[] model, ModelLimits limits, String reason) {
    IllegalArgumentException refusal =
        catchThrowableOfType(
            IllegalArgumentException.class,
            () -> ModelFile.of(model, "bad.onnx", List.of(), limits).close());

    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage())
        .contains(reason)
        .contains("bad.onnx")
        .doesNotContainPattern("\\R")
        .hasSizeLessThan(700);
  }

  /** Returns a model from rows {@code x} of two columns to {@code y} of one column. */
  private static byte[] model(ProtobufWriter... parts) {
    return model(NOT_STATED, parts);
  }

  private static byte[] model(long batch, ProtobufWriter... parts) {
    ProtobufWriter graph = new ProtobufWriter().text(2, "hostile");
    for (ProtobufWriter part : parts) {
      graph.append(part);
    }
    graph.message(11, rows("x", batch, 2)).message(12, rows("y", batch, 1));
    ProtobufWriter model =
        new ProtobufWriter()
            .number(1, 8)
            .message(7, graph)
            .message(8, new ProtobufWriter().text(1, "").number(2, 17))
            .message(8, new ProtobufWriter().text(1, "ai.onnx.ml").number(2, 3));
    Models.metadata(2)
        .toProperties()
        .forEach(
            (key, value) -> model.message(14, new ProtobufWriter().text(1, key).text(2, value)));
    return model.toBytes();
  }

  private static ProtobufWriter rows(String name, long batch, long width) {
    ProtobufWriter size = new ProtobufWriter();
    ProtobufWriter shape =
        new ProtobufWriter()
            .message(1, batch == NOT_STATED ? size.text(2, "batch") : size.number(1, batch))
            .message(1, new ProtobufWriter().number(1, width));
    ProtobufWriter tensor = new ProtobufWriter().number(1, 1).message(2, shape);
    return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
  }

  private static ProtobufWriter field(int field, ProtobufWriter content) {
    return new ProtobufWriter().message(field, content);
  }

  private static byte[] joined(byte[] model, ProtobufWriter more) {
    byte[] last = more.toBytes();
    byte[] all = Arrays.copyOf(model, model.length + last.length);
    System.arraycopy(last, 0, all, model.length, last.length);
    return all;
  }

  private static ProtobufWriter content(String operator, String output, String... inputs) {
    ProtobufWriter node = new ProtobufWriter();
    for (String input : inputs) {
      node.text(1, input);
    }
    return node.text(2, output).text(4, operator);
  }

  private static ProtobufWriter node(String operator, String output, String... inputs) {
    return field(1, content(operator, output, inputs));
  }

  private static ProtobufWriter node(
      String operator, String output, String left, String right, ProtobufWriter attribute) {
    return field(1, content(operator, output, left, right).message(5, attribute));
  }

  private static ProtobufWriter attribute(String name, int field, ProtobufWriter value) {
    return new ProtobufWriter().text(1, name).message(field, value);
  }

  private static ProtobufWriter transposed() {
    return new ProtobufWriter().text(1, "transB").number(3, 1).number(20, 2);
  }

  private static ProtobufWriter axis(long axis) {
    return new ProtobufWriter().text(1, "axis").number(3, axis).number(20, 2);
  }

  /** Returns a constant of ones. */
  private static ProtobufWriter weights(String name, int rows, int columns) {
    byte[] ones = new byte[Math.min(rows * columns, 10_000) * Float.BYTES];
    for (int i = 0; i < ones.length; i += Float.BYTES) {
      ones[i + 2] = (byte) 0x80;
      ones[i + 3] = 0x3f;
    }
    return field(
        5,
        new ProtobufWriter()
            .number(1, rows)
            .number(1, columns)
            .number(2, 1)
            .text(8, name)
            .bytes(9, ones));
  }

  private static ProtobufWriter integers(String name, long... values) {
    ProtobufWriter tensor = new ProtobufWriter().number(1, values.length).number(2, 7);
    for (long value : values) {
      tensor.number(7, value);
    }
    return field(5, tensor.text(8, name));
  }

  /** Returns one tree whose nodes go to {@code children} either way; the last one is a leaf. */
  private static ProtobufWriter trees(long[] ids, long[] children) {
    ProtobufWriter node = content("TreeEnsembleRegressor", "y", "x").text(7, "ai.onnx.ml");
    node.message(5, numbers("nodes_treeids", new long[ids.length]));
    node.message(5, numbers("nodes_nodeids", ids));
    node.message(5, numbers("nodes_truenodeids", children));
    node.message(5, numbers("nodes_falsenodeids", children));
    ProtobufWriter modes = new ProtobufWriter().text(1, "nodes_modes");
    for (int i = 0; i < ids.length; i++) {
      modes.text(9, i == ids.length - 1 && ids.length > 2 ? "LEAF" : "BRANCH_LEQ");
    }
    return field(1, node.message(5, modes.number(20, 8)));
  }

  private static ProtobufWriter numbers(String name, long[] values) {
    ProtobufWriter attribute = new ProtobufWriter().text(1, name);
    for (long value : values) {
      attribute.number(8, value);
    }
    return attribute.number(20, 7);
  }
}
