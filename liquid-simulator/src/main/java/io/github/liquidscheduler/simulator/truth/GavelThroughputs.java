package io.github.liquidscheduler.simulator.truth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.liquidscheduler.simulator.truth.ThroughputTable.Pair;
import io.github.liquidscheduler.simulator.truth.ThroughputTable.Speeds;
import io.github.liquidscheduler.simulator.truth.ThroughputTable.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Gavel's table: GPU model, then job, then {@code "null"} for the job alone. Jobs are printed
 * Python tuples, such as {@code ('ResNet-18 (batch size 16)', 2)}. A model with the suffix {@code
 * _unconsolidated} tells the speed of workers spread over nodes. A speed of 0 means that the job
 * does not fit. Below another job stand the speeds of both beside each other; those of jobs on one
 * GPU are read, two zeros meaning that the two do not fit together.
 */
final class GavelThroughputs {

  private static final double MOST_RETAINED = 1.05;
  private static final long MOST_BYTES = 64L << 20;
  private static final String SPREAD = "_unconsolidated";
  private static final Pattern JOB = Pattern.compile("\\('([^']*)', ([1-9]\\d{0,5})\\)");

  private final Path file;
  private final JsonParser json;
  private final Map<Workers, Speeds> speeds = new HashMap<>();
  private final Map<Pair, Double> pairs = new HashMap<>();

  private GavelThroughputs(Path file, JsonParser json) {
    this.file = file;
    this.json = json;
  }

  static ThroughputTable read(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IllegalArgumentException(
            file + ": a throughput table must have at most " + MOST_BYTES + " bytes");
      }
      try (JsonParser json = new JsonFactory().createParser(Files.readAllBytes(file))) {
        GavelThroughputs table = new GavelThroughputs(file, json);
        table.addModels();
        return new ThroughputTable(file.toString(), table.speeds, table.retained());
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s:%d: a throughput table must be JSON, but: %s"
              .formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
    }
  }

  private void addModels() throws IOException {
    require(JsonToken.START_OBJECT, "an object of GPU models");
    for (String model = json.nextFieldName(); model != null; model = json.nextFieldName()) {
      require(JsonToken.START_OBJECT, "an object of jobs");
      addJobs(model.toLowerCase(Locale.ROOT));
    }
  }

  private void addJobs(String model) throws IOException {
    boolean isSpread = model.endsWith(SPREAD);
    String gpu = isSpread ? model.substring(0, model.length() - SPREAD.length()) : model;
    for (String job = json.nextFieldName(); job != null; job = json.nextFieldName()) {
      require(JsonToken.START_OBJECT, "an object of other jobs");
      Workers workers = workers(job);
      Speeds known = speeds.computeIfAbsent(workers, key -> new Speeds());
      addSpeeds(workers, gpu, isSpread ? known.spread() : known.together());
    }
  }

  private void addSpeeds(Workers job, String gpu, Map<String, Double> known) throws IOException {
    for (String other = json.nextFieldName(); other != null; other = json.nextFieldName()) {
      JsonToken value = json.nextToken();
      if (other.equals("null")) {
        known.put(gpu, speed(value));
      } else if (job.gpus() == 1 && workers(other).gpus() == 1) {
        requireThat(value == JsonToken.START_ARRAY, "two numbers as the speeds of two jobs");
        pairs.put(new Pair(gpu, job.model(), workers(other).model()), speed(json.nextToken()));
        speed(json.nextToken());
        require(JsonToken.END_ARRAY, "two numbers as the speeds of two jobs");
      } else {
        json.skipChildren();
      }
    }
  }

  private double speed(JsonToken value) throws IOException {
    requireThat(value.isNumeric(), "numbers as speeds");
    double speed = json.getDoubleValue();
    requireThat(speed >= 0 && speed < 1e9, "a speed from 0 to 1e9 iterations per second");
    return speed;
  }

  /** Returns the parts of their speeds alone that jobs retain; 0 where a pair does not fit. */
  private Map<Pair, Double> retained() {
    Map<Pair, Double> retained = new HashMap<>();
    pairs.forEach(
        (pair, speed) -> {
          Speeds alone = speeds.get(new Workers(pair.victim(), 1));
          double isolated = alone == null ? 0 : alone.together().getOrDefault(pair.gpu(), 0.0);
          retained.put(pair, isolated > 0 ? Math.min(speed / isolated, MOST_RETAINED) : 0);
        });
    return retained;
  }

  private Workers workers(String tuple) {
    Matcher matcher = JOB.matcher(tuple);
    requireThat(matcher.matches(), "jobs written as ('model', GPUs)");
    return new Workers(matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  private void require(JsonToken token, String rule) throws IOException {
    requireThat(json.nextToken() == token, rule);
  }

  private void requireThat(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s:%d: a throughput table must have %s, but has not"
              .formatted(file, json.currentLocation().getLineNr(), rule));
    }
  }
}
