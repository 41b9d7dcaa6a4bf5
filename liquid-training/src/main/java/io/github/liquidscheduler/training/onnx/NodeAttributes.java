package io.github.liquidscheduler.training.onnx;

import java.util.ArrayList;
import java.util.List;

/** The attributes of one ONNX node, and the operator domain that they belong to. */
final class NodeAttributes {
  private static final int INT = 2;
  private static final int STRING = 3;
  private static final int FLOATS = 6;
  private static final int INTS = 7;
  private static final int STRINGS = 8;

  private final String domain;
  private final List<ProtobufWriter> messages = new ArrayList<>();

  private NodeAttributes(String domain) {
    this.domain = domain;
  }

  static NodeAttributes none() {
    return new NodeAttributes("");
  }

  static NodeAttributes inDomain(String domain) {
    return new NodeAttributes(domain);
  }

  String domain() {
    return domain;
  }

  List<ProtobufWriter> messages() {
    return messages;
  }

  NodeAttributes number(String name, long value) {
    return add(name, INT, new ProtobufWriter().number(3, value));
  }

  NodeAttributes text(String name, String value) {
    return add(name, STRING, new ProtobufWriter().text(4, value));
  }

  NodeAttributes reals(String name, float... values) {
    return add(name, FLOATS, new ProtobufWriter().reals(7, values));
  }

  NodeAttributes numbers(String name, long... values) {
    return add(name, INTS, new ProtobufWriter().numbers(8, values));
  }

  NodeAttributes texts(String name, List<String> values) {
    ProtobufWriter content = new ProtobufWriter();
    values.forEach(value -> content.text(9, value));
    return add(name, STRINGS, content);
  }

  private NodeAttributes add(String name, int type, ProtobufWriter content) {
    messages.add(new ProtobufWriter().text(1, name).append(content).number(20, type));
    return this;
  }
}
