package io.github.liquidscheduler.estimator.onnx;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;

/**
 * Reads the fields of a protobuf message one by one, and nothing inside them. What is no message is
 * refused with an {@link IllegalArgumentException}.
 */
final class ProtobufReader {

  private static final int NUMBER = 0;
  private static final int CONTENT = 2;

  private final ByteBuffer bytes;
  private int field;
  private boolean isContent;
  private long number;
  private ByteBuffer content = ByteBuffer.allocate(0);

  ProtobufReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Goes to the next field; returns true if there is one. */
  boolean next() {
    try {
      return bytes.hasRemaining() && read();
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the file ends in the middle of a field", e);
    }
  }

  /** Returns the number of the field. */
  int field() {
    return field;
  }

  /** Returns the field's number, or 0 if it has content. */
  long number() {
    return isContent ? 0 : number;
  }

  /** Returns the field's content as a message, which is empty if the field is a number. */
  ProtobufReader message() {
    return new ProtobufReader(content());
  }

  /** Returns the field's content as text. */
  String text() {
    return StandardCharsets.UTF_8.decode(content()).toString();
  }

  /** Adds the field's whole numbers: one, or several that are packed. */
  void numbers(LongStream.Builder into) {
    if (!isContent) {
      into.add(number);
      return;
    }
    ByteBuffer packed = content();
    while (packed.hasRemaining()) {
      into.add(varint(packed));
    }
  }

  /** Returns the field's content as whole numbers of eight bytes each. */
  long[] fixedNumbers() {
    LongBuffer fixed = content().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    long[] numbers = new long[fixed.remaining()];
    fixed.get(numbers);
    return numbers;
  }

  private ByteBuffer content() {
    return isContent ? content.duplicate() : ByteBuffer.allocate(0);
  }

  private boolean read() {
    long key = varint(bytes);
    field = (int) (key >>> 3);
    int kind = (int) (key & 7);
    isContent = kind == CONTENT;
    switch (kind) {
      case NUMBER -> number = varint(bytes);
      case 1 -> number = bytes.order(ByteOrder.LITTLE_ENDIAN).getLong();
      case CONTENT -> content = slice(varint(bytes));
      case 5 -> number = bytes.order(ByteOrder.LITTLE_ENDIAN).getInt();
      default -> throw new IllegalArgumentException("the file has an unknown kind of field");
    }
    return true;
  }

  private ByteBuffer slice(long length) {
    if (length < 0 || length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer slice = bytes.slice(bytes.position(), (int) length);
    bytes.position(bytes.position() + (int) length);
    return slice;
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
