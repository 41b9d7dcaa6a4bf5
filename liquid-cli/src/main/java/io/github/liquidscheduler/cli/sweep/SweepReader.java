package io.github.liquidscheduler.cli.sweep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cli.comparison.PolicyChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the file of a sweep. Names of files in it are relative to its folder. Every message names
 * the file and the line.
 */
final class SweepReader {
  private static final long MOST_BYTES = 16L << 20;
  private static final List<String> REQUIRED = List.of("traces", "clusters", "policies");

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Path file;
  private final Path folder;
  private final JsonParser json;
  private final Set<String> fields = new TreeSet<>();

  private List<SweptTrace> traces = List.of();
  private List<String> clusters = List.of();
  private List<String> policies = List.of();
  private List<String> placers = List.of("best-fit");
  private List<Double> loads = List.of(1.0);
  private int seeds = 5;
  private OptionalInt block = OptionalInt.empty();
  private List<Map<String, String>> optionSets = List.of(Map.of());

  private SweepReader(Path file, JsonParser json) {
    this.file = file;
    this.folder = file.toAbsolutePath().normalize().resolveSibling("");
    this.json = json;
  }

  /**
   * Reads a sweep.
   *
   * @throws IllegalArgumentException if the file is not the description of one
   * @throws UncheckedIOException if it cannot be read
   */
  static Sweep read(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IllegalArgumentException(
            file + ": a sweep must have at most " + MOST_BYTES + " bytes");
      }
      try (JsonParser json = JSON.createParser(Files.readAllBytes(file))) {
        return new SweepReader(file, json).sweep();
      }
    } catch (JsonProcessingException e) {
      long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new IllegalArgumentException(
          "%s, line %d: must be JSON, but: %s".formatted(file, line, e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the sweep '" + file + "': " + e, e);
    }
  }

  private Sweep sweep() throws IOException {
    json.nextToken();
    int line = line();
    require(JsonToken.START_OBJECT, "a sweep must be a JSON object");
    for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      fields.add(field);
      json.nextToken();
      read(field);
    }
    require(json.nextToken() == null, "nothing may follow the sweep");
    for (String field : REQUIRED) {
      if (!fields.contains(field)) {
        throw refuse(line, "a sweep must have the field '" + field + "'");
      }
    }
    return at(
        line,
        () -> new Sweep(traces, clusters, policies, placers, loads, seeds, block, optionSets));
  }

  private void read(String field) throws IOException {
    switch (field) {
      case "traces" -> traces = list(field, this::trace);
      case "clusters" -> clusters = list(field, this::cluster);
      case "policies" -> policies = list(field, this::policy);
      case "placers" -> placers = list(field, this::placer);
      case "loads" -> loads = list(field, this::load);
      case "seeds" -> seeds = whole(field);
      case "block" -> block = OptionalInt.of(whole(field));
      case "options" -> optionSets = list(field, this::options);
      default ->
          throw refuse(
              line(),
              "'%s' is not one of the fields of a sweep: traces, clusters, policies, placers, loads, seeds, block, options"
                  .formatted(field));
    }
  }

  private SweptTrace trace() throws IOException {
    int line = line();
    Map<String, String> fields = new LinkedHashMap<>();
    if (json.currentToken() == JsonToken.START_OBJECT) {
      fields.putAll(object("a trace", List.of("file", "format", "columns")));
    } else {
      fields.put("file", text("a trace must be a file, or an object with the field 'file'"));
    }
    String name = fields.get("file");
    if (name == null) {
      throw refuse(line, "a trace must have the field 'file'");
    }
    return at(
        line,
        () ->
            new SweptTrace(
                folder.resolve(name),
                fields.getOrDefault("format", "csv"),
                fields.getOrDefault("columns", "")));
  }

  private String cluster() throws IOException {
    String given = text("a cluster must be a shorthand or a file");
    Path named = folder.resolve(given);
    String whole = given.endsWith(".json") || Files.exists(named) ? named.toString() : given;
    return at(
        line(),
        () -> {
          new ClusterArgument().convert(whole);
          return whole;
        });
  }

  private String policy() throws IOException {
    String name = text("a policy must be a name");
    return at(line(), () -> new PolicyChoice(name, "best-fit")).policy();
  }

  private String placer() throws IOException {
    String name = text("a placement algorithm must be a name");
    return at(line(), () -> new PolicyChoice("fifo", name)).placer();
  }

  private double load() throws IOException {
    require(json.currentToken().isNumeric(), "a load must be a number");
    double load = json.getDoubleValue();
    require(load >= 0.001 && load <= 1000, "a load must be from 0.001 to 1000, but was " + load);
    return load;
  }

  private int whole(String field) throws IOException {
    require(
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() == JsonParser.NumberType.INT,
        field + " must be a whole number");
    return json.getIntValue();
  }

  private Map<String, String> options() throws IOException {
    require(JsonToken.START_OBJECT, "a set of options must be an object");
    Map<String, String> set = new LinkedHashMap<>();
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      String option = name;
      String value = scalar("the option '" + name + "'");
      set.put(name, at(line(), () -> SettingOptions.checked(option, value, folder)));
    }
    return set;
  }

  private Map<String, String> object(String what, List<String> known) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      require(
          known.contains(name),
          "'%s' is not one of the fields of %s: %s"
              .formatted(name, what, String.join(", ", known)));
      json.nextToken();
      fields.put(name, text("the field '" + name + "' of " + what + " must be a text"));
    }
    return fields;
  }

  private <T> List<T> list(String field, Element<T> element) throws IOException {
    require(JsonToken.START_ARRAY, field + " must be an array");
    List<T> list = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      list.add(element.read());
    }
    require(!list.isEmpty(), field + " must not be empty");
    return list;
  }

  private String scalar(String what) throws IOException {
    require(
        json.currentToken().isScalarValue() && json.currentToken() != JsonToken.VALUE_NULL,
        what + " must have a text, a number or a truth value");
    return json.getText();
  }

  private String text(String rule) throws IOException {
    require(JsonToken.VALUE_STRING, rule);
    return json.getText();
  }

  private void require(JsonToken token, String rule) {
    require(json.currentToken() == token, rule);
  }

  private void require(boolean isMet, String rule) {
    if (!isMet) {
      throw refuse(line(), rule);
    }
  }

  private <T> T at(int line, Supplier<T> code) {
    try {
      return code.get();
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw refuse(line, String.valueOf(e.getMessage()));
    }
  }

  private IllegalArgumentException refuse(int line, String rule) {
    return new IllegalArgumentException("%s, line %d: %s".formatted(file, line, rule));
  }

  private int line() {
    return json.currentTokenLocation().getLineNr();
  }

  private interface Element<T> {
    T read() throws IOException;
  }
}
