package io.github.liquidscheduler.estimator.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.github.liquidscheduler.text.Count;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Scores rows in batches, always with the same buffers outside the heap: inputs are copied into
 * one, the runtime writes its answers into another. Per call, not per row, a few hundred bytes of
 * garbage remain inside the runtime's binding. A pinned buffer has a fixed shape, so there is one
 * pair for each of a few batch sizes; a batch is padded to the next size, and the padding is
 * computed too.
 *
 * <p>Not thread-safe; one model can have many scorers.
 */
public final class BatchScorer implements AutoCloseable {
  /** The most rows that are scored at once. */
  static final int LARGEST_BATCH = 256;

  private static final int[] BATCH_SIZES = {1, 16, LARGEST_BATCH};

  private final OrtSession session;
  private final int width;
  private final int outputs;
  private final List<Batch> batches = new ArrayList<>();

  BatchScorer(OrtSession session, String input, int width, String output, int outputs) {
    this.session = session;
    this.width = width;
    this.outputs = outputs;
    try {
      for (int size : BATCH_SIZES) {
        batches.add(new Batch(size, input, width, output, outputs));
      }
    } catch (OrtException e) {
      throw new IllegalStateException("the buffers of a model could not be made", e);
    }
  }

  /** Returns the numbers per row. */
  public int width() {
    return width;
  }

  /** Returns the answers per row. */
  public int outputs() {
    return outputs;
  }

  /**
   * Scores the first {@code count} rows.
   *
   * @param rows the rows one after the other
   * @param answers receives the answers, row after row
   * @throws IllegalArgumentException if an array is too short
   */
  public void score(float[] rows, int count, float[] answers) {
    if (rows.length < count * width || answers.length < count * outputs) {
      throw new IllegalArgumentException(
          "%s need %s and space for %s, but there were %d and %d"
              .formatted(
                  Count.of(count, "row"),
                  Count.of((long) count * width, "number"),
                  Count.of((long) count * outputs, "answer"),
                  rows.length,
                  answers.length));
    }
    int done = 0;
    while (done < count) {
      Batch batch = batchFor(count - done);
      int part = Math.min(batch.size, count - done);
      batch.in.put(0, rows, done * width, part * width);
      run(batch);
      batch.out.get(0, answers, done * outputs, part * outputs);
      done += part;
    }
  }

  @Override
  public void close() {
    for (Batch batch : batches) {
      batch.inTensor.close();
      batch.outTensor.close();
    }
  }

  private Batch batchFor(int rows) {
    for (Batch batch : batches) {
      if (rows <= batch.size) {
        return batch;
      }
    }
    return batches.getLast();
  }

  private void run(Batch batch) {
    try {
      // The answers stand in the pinned buffer; the result owns nothing.
      session.run(batch.inputs, batch.pinned).close();
    } catch (OrtException e) {
      throw new IllegalStateException("the model could not be run", e);
    }
  }

  /** A pair of buffers for one batch size, and the runtime's handles to them. */
  private static final class Batch {
    final int size;
    final FloatBuffer in;
    final FloatBuffer out;
    final OnnxTensor inTensor;
    final OnnxTensor outTensor;
    final Map<String, OnnxTensor> inputs;
    final Map<String, OnnxTensor> pinned;

    Batch(int size, String input, int width, String output, int outputs) throws OrtException {
      this.size = size;
      in = direct(size * width);
      out = direct(size * outputs);
      inTensor = tensor(in, size, width);
      outTensor = tensor(out, size, outputs);
      inputs = Map.of(input, inTensor);
      pinned = Map.of(output, outTensor);
    }

    private static FloatBuffer direct(int length) {
      return ByteBuffer.allocateDirect(length * Float.BYTES)
          .order(ByteOrder.nativeOrder())
          .asFloatBuffer();
    }

    private static OnnxTensor tensor(FloatBuffer buffer, int rows, int columns)
        throws OrtException {
      return OnnxTensor.createTensor(OnnxEnvironment.get(), buffer, new long[] {rows, columns});
    }
  }
}
