package io.github.liquidscheduler.estimator.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.training.onnx.ProtobufWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFileTest {

  @Test
  void aModelSaysWhatItIs(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("m.onnx"), Models.weightedSum(2, 1));
    try (ModelFile model = ModelFile.read(file)) {
      assertThat(model.metadata().target()).isEqualTo("retained_speed");
      assertThat(model.metadata().features()).extracting(Feature::name).containsExactly("f0", "f1");
      assertThat(model.metadata().trainingDataHash()).isEqualTo("ab12");
      assertThat(model.metadata().heldOutError()).isEqualTo("mae=0.04");
      assertThat(model.metadata().note("origin")).isEqualTo("a test");
      assertThat(model.outputs()).isEqualTo(1);
    }
  }

  @Test
  void aBatchIsScoredLikeItsRowsWhateverItsSize() {
    try (ModelFile model = ModelFile.of(Models.weightedSum(2, 3), "a test");
        BatchScorer scorer = model.scorer()) {
      for (int count : new int[] {1, 2, 16, 17, 256, 700}) {
        float[] rows = new float[count * 2];
        for (int i = 0; i < rows.length; i++) {
          rows[i] = i;
        }
        float[] answers = new float[count];
        scorer.score(rows, count, answers);
        for (int i = 0; i < count; i++) {
          assertThat(answers[i]).isEqualTo(3 * (rows[2 * i] + rows[2 * i + 1]));
        }
      }
    }
  }

  @Test
  void aCorruptedFileIsRefused() {
    byte[] bytes = Models.weightedSum(2, 1);
    assertRefused(Arrays.copyOf(bytes, bytes.length / 2), "the file ends in the middle of a field");
    assertRefused("not a model at all".getBytes(UTF_8), "refused");
    assertRefused(new byte[0], "between 1 and");
  }

  @Test
  void aFileThatIsTooLargeIsRefusedBeforeItIsRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("huge.onnx");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(ModelLimits.DEFAULT.bytes() + 1);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelFile.read(file))
        .withMessageContaining("but has 67108865")
        .withMessageContaining("huge.onnx");
  }

  @Test
  void aModelWhoseTensorsAreElsewhereIsRefused() {
    ProtobufWriter tensor =
        new ProtobufWriter()
            .text(8, "weights")
            .message(13, new ProtobufWriter().text(1, "location").text(2, "/etc/passwd"));
    byte[] bytes =
        new ProtobufWriter()
            .number(1, 8)
            .message(7, new ProtobufWriter().message(5, tensor))
            .toBytes();
    assertRefused(bytes, "kept outside the file");
  }

  @Test
  void aTensorElsewhereInsideAnAttributeIsFoundToo() {
    ProtobufWriter tensor = new ProtobufWriter().number(14, 1);
    ProtobufWriter attribute = new ProtobufWriter().message(5, tensor);
    ProtobufWriter node = new ProtobufWriter().message(5, attribute);
    byte[] bytes = new ProtobufWriter().message(7, new ProtobufWriter().message(1, node)).toBytes();
    assertRefused(bytes, "kept outside the file");
  }

  @Test
  void aModelThatAnswersNoNumberIsRefused() {
    assertRefused(Models.weightedSum(2, Float.NaN), "finite, but one was NaN");
  }

  @Test
  void aModelWithoutMetadataIsRefused() {
    assertRefused(withoutField(Models.weightedSum(2, 1), 14), "'liquid.schema_version'");
  }

  @Test
  void aModelOfAnotherSchemaVersionIsRefused() {
    ProtobufWriter version = new ProtobufWriter().text(1, "liquid.schema_version").text(2, "99");
    byte[] bytes = new ProtobufWriter().append(new ProtobufWriter().message(14, version)).toBytes();
    byte[] model = withoutField(Models.weightedSum(2, 1), 14);
    byte[] joined = Arrays.copyOf(model, model.length + bytes.length);
    System.arraycopy(bytes, 0, joined, model.length, bytes.length);
    assertRefused(joined, "schema version must be 1, but was 99");
  }

  @Test
  void swappedModelsAreRefused() {
    ModelContract contract =
        new ModelContract("gpu_memory", "bytes", Models.metadata(2).features(), 1);
    try (ModelFile model = ModelFile.of(Models.weightedSum(2, 1), "iapp.onnx")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.requires(contract))
          .withMessage(
              "the model must predict gpu_memory [bytes], but predicts retained_speed [1], in"
                  + " iapp.onnx. Were two model files swapped?");
    }
  }

  @Test
  void anUnknownFeatureOrAnotherOrderIsRefused() {
    try (ModelFile model = ModelFile.of(Models.weightedSum(2, 1), "m.onnx")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.requires(contract("f0")))
          .withMessageContaining("must have 1 feature, but has 2 (unknown: f1), in m.onnx");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.requires(contract("f1", "f0")))
          .withMessage("feature 0 must be f1 [1], but was f0 [1], in m.onnx");
      assertThat(model.requires(contract("f0", "f1"))).isSameAs(model);
    }
  }

  @Test
  void aModelWithTheWrongNumberOfAnswersIsRefused() {
    ModelContract contract =
        new ModelContract("retained_speed", "1", Models.metadata(2).features(), 3);
    try (ModelFile model = ModelFile.of(Models.weightedSum(2, 1), "m.onnx")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.requires(contract))
          .withMessageContaining("must return 3 numbers per row, but returns 1");
    }
  }

  private static ModelContract contract(String... names) {
    List<Feature> columns = Arrays.stream(names).map(name -> Feature.plain(name, "1")).toList();
    return new ModelContract("retained_speed", "1", columns, 1);
  }

  private static void assertRefused(byte[] bytes, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelFile.of(bytes, "bad.onnx").close())
        .withMessageContaining(reason)
        .withMessageContaining("bad.onnx");
  }

  /** Returns the message without one of its length-delimited fields at the outer level. */
  private static byte[] withoutField(byte[] message, int field) {
    ProtobufWriter rest = new ProtobufWriter();
    int at = 0;
    while (at < message.length) {
      int key = message[at] & 0x7F;
      int next = at + 1;
      if ((key & 7) == 0) {
        rest.number(key >>> 3, message[next++]);
      } else {
        int length = 0;
        for (int shift = 0; ; shift += 7) {
          byte part = message[next++];
          length |= (part & 0x7F) << shift;
          if (part >= 0) {
            break;
          }
        }
        if (key >>> 3 != field) {
          rest.bytes(key >>> 3, Arrays.copyOfRange(message, next, next + length));
        }
        next += length;
      }
      at = next;
    }
    return rest.toBytes();
  }
}
