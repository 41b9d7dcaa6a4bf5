package io.github.liquidscheduler.training.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes one protobuf message field by field: the six shapes of the wire format that ONNX needs.
 * Fields come out in the order they are written, so that the same calls give the same bytes.
 */
public final class ProtobufWriter {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Adds a whole number, as a varint. */
  public ProtobufWriter number(int field, long value) {
    return varint(((long) field << 3) | VARINT).varint(value);
  }

  /** Adds bytes, after their length. */
  public ProtobufWriter bytes(int field, byte[] value) {
    varint(((long) field << 3) | LENGTH_DELIMITED).varint(value.length);
    out.writeBytes(value);
    return this;
  }

  /** Adds a text, as UTF-8. */
  public ProtobufWriter text(int field, String value) {
    return bytes(field, value.getBytes(UTF_8));
  }

  /** Adds another message as a field of this one. */
  public ProtobufWriter message(int field, ProtobufWriter value) {
    return bytes(field, value.toBytes());
  }

  ProtobufWriter numbers(int field, long... values) {
    ProtobufWriter packed = new ProtobufWriter();
    for (long value : values) {
      packed.varint(value);
    }
    return message(field, packed);
  }

  ProtobufWriter reals(int field, float... values) {
    return bytes(field, littleEndian(values));
  }

  /** Adds the fields of {@code other} to this message. */
  public ProtobufWriter append(ProtobufWriter other) {
    out.writeBytes(other.toBytes());
    return this;
  }

  static byte[] littleEndian(float... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asFloatBuffer().put(values);
    return buffer.array();
  }

  static byte[] littleEndian(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  /** Returns the message as it is on the wire. */
  public byte[] toBytes() {
    return out.toByteArray();
  }

  private ProtobufWriter varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return this;
  }
}
