package io.github.liquidscheduler.estimator.onnx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * One operation of a model, as far as it decides how large its result is.
 *
 * @param operator the operator, behind its domain and a point unless that is the standard one
 * @param inputs the names of the values it takes; an empty name stands for one left out
 * @param outputs the names of the values it gives
 * @param numbers its attributes of whole numbers, by name; of texts, it is 1 for each {@code LEAF}
 * @param constant the tensor that is its attribute; a scalar if it has none
 */
record GraphNode(
    String operator,
    List<String> inputs,
    List<String> outputs,
    Map<String, long[]> numbers,
    GraphTensor constant) {

  private static final String LEAF = "LEAF";

  /** Reads a node; refuses graphs inside it, and tensors outside the file. */
  static GraphNode read(ProtobufReader in) {
    String operator = "";
    String domain = "";
    List<String> inputs = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    Map<String, long[]> numbers = new LinkedHashMap<>();
    List<GraphTensor> tensors = new ArrayList<>();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> inputs.add(in.text());
        case 2 -> outputs.add(in.text());
        case 4 -> operator = in.text();
        case 5 -> readAttribute(in.message(), numbers, tensors);
        case 7 -> domain = in.text();
        default -> {}
      }
    }
    boolean isStandard = domain.isEmpty() || domain.equals("ai.onnx");
    return new GraphNode(
        isStandard ? operator : domain + "." + operator,
        inputs,
        outputs,
        numbers,
        tensors.isEmpty() ? GraphTensor.SCALAR : tensors.getFirst());
  }

  private static void readAttribute(
      ProtobufReader in, Map<String, long[]> numbers, List<GraphTensor> tensors) {
    String name = "";
    LongStream.Builder values = LongStream.builder();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> name = in.text();
        case 3, 8 -> in.numbers(values);
        case 5, 10 -> tensors.add(GraphTensor.read(in.message()));
        case 9 -> values.add(in.text().equals(LEAF) ? 1 : 0);
        case 6, 11 -> throw new IllegalArgumentException("an operator has a graph inside it");
        case 22, 23 -> throw new IllegalArgumentException("an operator has a sparse tensor");
        default -> {}
      }
    }
    numbers.put(name, values.build().toArray());
  }

  /** Returns an attribute of whole numbers; none if it is not there. */
  long[] numbers(String name) {
    return numbers.getOrDefault(name, new long[0]);
  }

  /** Returns an attribute that is one whole number. */
  long number(String name, long byDefault) {
    long[] values = numbers(name);
    return values.length == 0 ? byDefault : values[0];
  }
}
