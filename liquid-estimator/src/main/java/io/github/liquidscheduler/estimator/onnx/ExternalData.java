package io.github.liquidscheduler.estimator.onnx;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Looks for tensors that an ONNX file keeps elsewhere. Such a reference names a path that the
 * runtime would open, so a model that has one is refused before the runtime sees it.
 */
final class ExternalData {
  private static final int MODEL_GRAPH = 7;
  private static final int GRAPH_NODE = 1;
  private static final int GRAPH_INITIALIZER = 5;
  private static final int GRAPH_SPARSE_INITIALIZER = 15;
  private static final int NODE_ATTRIBUTE = 5;
  private static final int ATTRIBUTE_TENSOR = 5;
  private static final int ATTRIBUTE_GRAPH = 6;
  private static final int ATTRIBUTE_TENSORS = 10;
  private static final int ATTRIBUTE_GRAPHS = 11;
  private static final int TENSOR_EXTERNAL_DATA = 13;
  private static final int TENSOR_DATA_LOCATION = 14;

  /** What a message is, which says which of its fields lead on to tensors. */
  private enum Message {
    MODEL,
    GRAPH,
    NODE,
    ATTRIBUTE,
    SPARSE_TENSOR,
    TENSOR
  }

  private ExternalData() {}

  /**
   * Returns whether a tensor of the model is kept outside the file.
   *
   * @throws IllegalArgumentException if the bytes are no protobuf message
   */
  static boolean isReferencedBy(byte[] model) {
    try {
      return search(Message.MODEL, ByteBuffer.wrap(model));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the file ends in the middle of a field", e);
    }
  }

  private static boolean search(Message message, ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      long key = varint(bytes);
      int field = (int) (key >>> 3);
      switch ((int) (key & 7)) {
        case 0 -> {
          if (varint(bytes) != 0 && isExternal(message, field)) {
            return true;
          }
        }
        case 1 -> skip(bytes, Long.BYTES);
        case 5 -> skip(bytes, Integer.BYTES);
        case 2 -> {
          if (isExternal(message, field) || searchInside(message, field, content(bytes))) {
            return true;
          }
        }
        default -> throw new IllegalArgumentException("the file has an unknown kind of field");
      }
    }
    return false;
  }

  private static boolean searchInside(Message message, int field, ByteBuffer content) {
    return switch (message) {
      case MODEL -> field == MODEL_GRAPH && search(Message.GRAPH, content);
      case GRAPH ->
          switch (field) {
            case GRAPH_NODE -> search(Message.NODE, content);
            case GRAPH_INITIALIZER -> search(Message.TENSOR, content);
            case GRAPH_SPARSE_INITIALIZER -> search(Message.SPARSE_TENSOR, content);
            default -> false;
          };
      case NODE -> field == NODE_ATTRIBUTE && search(Message.ATTRIBUTE, content);
      case ATTRIBUTE ->
          switch (field) {
            case ATTRIBUTE_TENSOR, ATTRIBUTE_TENSORS -> search(Message.TENSOR, content);
            case ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS -> search(Message.GRAPH, content);
            default -> false;
          };
      case SPARSE_TENSOR -> field <= 2 && search(Message.TENSOR, content);
      case TENSOR -> false;
    };
  }

  private static boolean isExternal(Message message, int field) {
    return message == Message.TENSOR
        && (field == TENSOR_EXTERNAL_DATA || field == TENSOR_DATA_LOCATION);
  }

  private static ByteBuffer content(ByteBuffer bytes) {
    long length = varint(bytes);
    if (length < 0 || length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer content = bytes.slice(bytes.position(), (int) length);
    skip(bytes, (int) length);
    return content;
  }

  private static void skip(ByteBuffer bytes, int length) {
    if (length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    bytes.position(bytes.position() + length);
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("the file has a number of more than 64 bits");
  }
}
