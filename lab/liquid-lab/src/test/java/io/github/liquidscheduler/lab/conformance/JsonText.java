package io.github.liquidscheduler.lab.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON text of maps, lists, texts, numbers and truths. */
final class JsonText {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private JsonText() {}

  /** Returns the text; a field whose name ends with {@link CaseMutation#TWICE} comes twice. */
  static String of(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> fields -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          json.writeFieldName(field.getKey().toString().replace(CaseMutation.TWICE, ""));
          write(json, field.getValue());
        }
        json.writeEndObject();
      }
      case List<?> elements -> {
        json.writeStartArray();
        for (Object element : elements) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case Boolean flag -> json.writeBoolean(flag);
      case Number number -> json.writeNumber(number.doubleValue());
      default -> json.writeString(value.toString());
    }
  }
}
