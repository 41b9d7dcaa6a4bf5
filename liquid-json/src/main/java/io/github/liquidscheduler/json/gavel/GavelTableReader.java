package io.github.liquidscheduler.json.gavel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Alone;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Gpus;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Job;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Pair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Gavel's table: GPU model, then job, then {@code "null"} for the job alone, or a co-runner.
 * Jobs are printed Python tuples, such as {@code ('ResNet-18 (batch size 16)', 2)}. A GPU model
 * with the suffix {@code _unconsolidated} stands for workers spread over nodes. A co-runner has two
 * throughputs, that of the job and its own; those of jobs on several GPUs are skipped.
 */
final class GavelTableReader {

  private static final long MOST_BYTES = 64L << 20;
  private static final String ALONE = "null";
  private static final String SPREAD = "_unconsolidated";
  private static final String TWO_NUMBERS = "two numbers as the speeds of two jobs";
  private static final Pattern JOB = Pattern.compile("\\('([^']*)', ([1-9]\\d{0,5})\\)");

  private final Path file;
  private final JsonParser json;
  private final List<Alone> alone = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();

  private GavelTableReader(Path file, JsonParser json) {
    this.file = file;
    this.json = json;
  }

  static GavelThroughputs read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IllegalArgumentException(
          file + ": a throughput table must have at most " + MOST_BYTES + " bytes");
    }
    try (JsonParser json = new JsonFactory().createParser(Files.readAllBytes(file))) {
      GavelTableReader reader = new GavelTableReader(file, json);
      reader.readModels();
      return new GavelThroughputs(reader.alone, reader.pairs);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s:%d: a throughput table must be JSON, but: %s"
              .formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    }
  }

  private void readModels() throws IOException {
    require(JsonToken.START_OBJECT, "an object of GPU models");
    for (String model = json.nextFieldName(); model != null; model = json.nextFieldName()) {
      require(JsonToken.START_OBJECT, "an object of jobs");
      readJobs(gpus(model.toLowerCase(Locale.ROOT)));
    }
  }

  private static Gpus gpus(String model) {
    return model.endsWith(SPREAD)
        ? new Gpus(model.substring(0, model.length() - SPREAD.length()), true)
        : new Gpus(model, false);
  }

  private void readJobs(Gpus gpus) throws IOException {
    for (String job = json.nextFieldName(); job != null; job = json.nextFieldName()) {
      require(JsonToken.START_OBJECT, "an object of other jobs");
      readThroughputs(gpus, job(job));
    }
  }

  private void readThroughputs(Gpus gpus, Job job) throws IOException {
    for (String other = json.nextFieldName(); other != null; other = json.nextFieldName()) {
      JsonToken value = json.nextToken();
      if (other.equals(ALONE)) {
        alone.add(new Alone(gpus, job, throughput(value)));
      } else if (job.gpus() == 1 && job(other).gpus() == 1) {
        requireThat(value == JsonToken.START_ARRAY, TWO_NUMBERS);
        pairs.add(new Pair(gpus, job, job(other), throughput(json.nextToken())));
        throughput(json.nextToken());
        require(JsonToken.END_ARRAY, TWO_NUMBERS);
      } else {
        json.skipChildren();
      }
    }
  }

  private double throughput(JsonToken value) throws IOException {
    requireThat(value.isNumeric(), "numbers as speeds");
    double throughput = json.getDoubleValue();
    requireThat(throughput >= 0 && throughput < 1e9, "a speed from 0 to 1e9 iterations per second");
    return throughput;
  }

  private Job job(String tuple) {
    Matcher matcher = JOB.matcher(tuple);
    requireThat(matcher.matches(), "jobs written as ('model', GPUs)");
    return new Job(matcher.group(1), Integer.parseInt(matcher.group(2)));
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
