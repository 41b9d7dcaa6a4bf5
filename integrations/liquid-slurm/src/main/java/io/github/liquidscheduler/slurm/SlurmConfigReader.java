package io.github.liquidscheduler.slurm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.SlurmConfig.Priorities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads a {@link SlurmConfig}; a key is a place such as {@code priorities.qos.high}. */
final class SlurmConfigReader {

  /** The largest file that is read, in bytes. */
  private static final long LARGEST = 1 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Path file;
  private final JsonParser parser;

  private final List<String> partitions = new ArrayList<>();
  private Ownership ownership = Ownership.BEGIN_TIME;
  private final Map<String, Memory> gpuMemory = new TreeMap<>();
  private final Map<String, Integer> qos = new TreeMap<>();
  private final Map<String, Integer> partitionPriorities = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, String> queues = new TreeMap<>();
  private Duration poll = Duration.ofSeconds(1);
  private Duration timeout = Duration.ofSeconds(30);
  private Duration startTimeout = Duration.ofMinutes(2);
  private boolean explainsInComment;
  private Optional<Path> commands = Optional.empty();
  private Optional<Path> slurmConf = Optional.empty();

  private SlurmConfigReader(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  static SlurmConfig read(Path file) {
    try {
      if (Files.size(file) > LARGEST) {
        throw new IllegalArgumentException(file + " must have at most " + LARGEST + " bytes");
      }
      try (JsonParser parser = JSON.createParser(Files.readString(file))) {
        return new SlurmConfigReader(file, parser).config();
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s:%d: must be JSON, but was not: %s"
              .formatted(
                  file,
                  e.getLocation().getLineNr(),
                  e.getOriginalMessage().lines().findFirst().orElse("")),
          e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e, e);
    }
  }

  private SlurmConfig config() throws IOException {
    parser.nextToken();
    eachKey("", this::readKey);
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException(
          file + ": key 'partitions' must be a list of at least one partition, but was missing");
    }
    return new SlurmConfig(
        partitions,
        ownership,
        gpuMemory,
        new Priorities(
            qos,
            partitionPriorities,
            numbers.getOrDefault("nicePerPriority", 0),
            numbers.getOrDefault("highestByUser", 0)),
        queues,
        poll,
        timeout,
        startTimeout,
        explainsInComment,
        commands,
        slurmConf);
  }

  private void readKey(String key) throws IOException {
    switch (key) {
      case "partitions" -> readPartitions(key);
      case "ownership" -> ownership = ownership(key);
      case "gpuMemory" -> eachKey(key, name -> gpuMemory.put(name, memory(key + "." + name)));
      case "priorities" -> eachKey(key, name -> readPriority(key + "." + name, name));
      case "queues" -> eachKey(key, name -> queues.put(name, text(key + "." + name, "a queue")));
      case "poll" -> poll = duration(key);
      case "timeout" -> timeout = duration(key);
      case "startTimeout" -> startTimeout = duration(key);
      case "explainInComment" -> explainsInComment = yes(key);
      case "commands" -> commands = Optional.of(Path.of(text(key, "a folder")));
      case "slurmConf" -> slurmConf = Optional.of(Path.of(text(key, "a file")));
      default ->
          throw new IllegalArgumentException(
              file
                  + ": key '"
                  + key
                  + "' must be one of partitions, ownership, gpuMemory, priorities, queues, poll,"
                  + " timeout, startTimeout, explainInComment, commands, slurmConf");
    }
  }

  private void readPriority(String key, String name) throws IOException {
    switch (name) {
      case "qos" -> eachKey(key, each -> qos.put(each, number(key + "." + each)));
      case "partition" ->
          eachKey(key, each -> partitionPriorities.put(each, number(key + "." + each)));
      case "nicePerPriority", "highestByUser" -> {
        int number = number(key);
        if (name.equals("nicePerPriority") && number < 0) {
          throw refusal(key, "a number of at least 0");
        }
        numbers.put(name, number);
      }
      default ->
          throw new IllegalArgumentException(
              file
                  + ": key '"
                  + key
                  + "' must be one of qos, partition, nicePerPriority, highestByUser");
    }
  }

  private void readPartitions(String key) throws IOException {
    String rule = "a list of partitions";
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw refusal(key, rule);
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      partitions.add(text(key, rule));
    }
  }

  private Ownership ownership(String key) throws IOException {
    String rule = "begin-time or hold";
    return switch (text(key, rule)) {
      case "begin-time" -> Ownership.BEGIN_TIME;
      case "hold" -> Ownership.HOLD;
      default -> throw refusal(key, rule);
    };
  }

  private Memory memory(String key) throws IOException {
    String rule = "an amount of memory such as 80GiB";
    try {
      return Memory.parse(text(key, rule));
    } catch (IllegalArgumentException e) {
      throw refusal(key, rule);
    }
  }

  private Duration duration(String key) throws IOException {
    String rule = "a duration such as 1s or 2m";
    return Words.duration(text(key, rule).toLowerCase(Locale.ROOT))
        .filter(Duration::isPositive)
        .orElseThrow(() -> refusal(key, rule));
  }

  private boolean yes(String key) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw refusal(key, "true or false");
    };
  }

  private int number(String key) throws IOException {
    String rule = "a whole number from -1000000000 to 1000000000";
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
        || parser.getText().length() > 11
        || Math.abs(parser.getLongValue()) > 1_000_000_000) {
      throw refusal(key, rule);
    }
    return parser.getIntValue();
  }

  private String text(String key, String rule) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING || parser.getText().isBlank()) {
      throw refusal(key, rule);
    }
    return parser.getText();
  }

  private IllegalArgumentException refusal(String key, String rule) {
    try {
      JsonToken token = parser.currentToken();
      String value =
          token == null ? "missing" : token.isScalarValue() ? parser.getText() : token.asString();
      return new IllegalArgumentException(
          "%s: key '%s' must be %s, but was %s".formatted(file, key, rule, value));
    } catch (IOException e) {
      return new IllegalArgumentException("%s: key '%s' must be %s".formatted(file, key, rule), e);
    }
  }

  private void eachKey(String key, KeyReader reader) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw refusal(key, "an object");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      reader.read(name);
    }
  }

  private interface KeyReader {
    void read(String name) throws IOException;
  }
}
