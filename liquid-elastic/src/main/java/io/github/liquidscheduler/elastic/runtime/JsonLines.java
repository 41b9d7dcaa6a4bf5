package io.github.liquidscheduler.elastic.runtime;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionState;
import io.github.liquidscheduler.elastic.protocol.LeaderState;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import io.github.liquidscheduler.elastic.protocol.ToWorker;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Frames and saved states as JSON, each on one line; a type is told by the name of its record. */
final class JsonLines {
  private static final List<Class<?>> SEALED =
      List.of(
          Frame.class,
          ToLeader.class,
          ToWorker.class,
          ToWorker.LedgerUpdate.class,
          PartitionState.class,
          ScalingRequest.class,
          ScalingAnswer.class);

  private final JsonMapper mapper = mapper();

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  private interface NamedByType {}

  /** A name is written as a string. */
  private interface AsText {
    @JsonValue
    String value();
  }

  String write(Frame frame) {
    return text(frame);
  }

  String write(LeaderState state) {
    return text(state);
  }

  /**
   * Reads a frame.
   *
   * @throws IllegalArgumentException if the line is none, in one sentence
   */
  Frame frame(String line) {
    return read(line, Frame.class);
  }

  /**
   * Reads a saved state.
   *
   * @throws IllegalArgumentException if the text is none, in one sentence
   */
  LeaderState state(String text) {
    return read(text, LeaderState.class);
  }

  private String text(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <T> T read(String text, Class<T> type) {
    T value;
    try {
      value = mapper.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "it is no %s: %s".formatted(type.getSimpleName(), e.getOriginalMessage()), e);
    }
    if (value == null) {
      throw new IllegalArgumentException("it is no %s, but null".formatted(type.getSimpleName()));
    }
    return value;
  }

  private static JsonMapper mapper() {
    JsonMapper.Builder builder =
        JsonMapper.builder()
            .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .addModule(
                new SimpleModule()
                    .addSerializer(Duration.class, new ToStringSerializer(Duration.class))
                    .addDeserializer(Duration.class, new DurationReader()))
            .addMixIn(WorkerId.class, AsText.class);
    for (Class<?> parent : SEALED) {
      builder.addMixIn(parent, NamedByType.class);
      for (Class<?> child : parent.getPermittedSubclasses()) {
        builder.registerSubtypes(new NamedType(child, child.getSimpleName()));
      }
    }
    return builder.build();
  }

  private static final class DurationReader extends FromStringDeserializer<Duration> {
    private static final long serialVersionUID = 1;

    DurationReader() {
      super(Duration.class);
    }

    @Override
    protected Duration _deserialize(
        String value, com.fasterxml.jackson.databind.DeserializationContext context) {
      return Duration.parse(value);
    }
  }
}
