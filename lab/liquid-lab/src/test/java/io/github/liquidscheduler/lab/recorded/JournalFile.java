package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A cluster and what happened in it, in a file of JSON lines: the cluster first.
 *
 * @param cluster the cluster
 * @param events what happened
 */
record JournalFile(ClusterTopology cluster, List<ClusterEvent> events) {

  /** Where recordings are kept, as seen from this module. */
  static final Path KEPT = Path.of("src", "test", "resources", "recorded");

  static JournalFile of(Recording recording) {
    List<String> lines = lines(recording.id() + ".jsonl.gz");
    List<ClusterEvent> events = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      events.add(JsonCodecs.EVENT.read(recording.id(), line));
    }
    return new JournalFile(JsonCodecs.CLUSTER.read(recording.id(), lines.get(0)), events);
  }

  /** Returns what was decided when the journal was recorded. */
  static List<String> decisions(Recording recording) {
    return lines(recording.id() + ".decisions.gz");
  }

  /** Returns what a file says of each recording, by name. */
  static Map<String, String> table(String file) {
    Properties properties = new Properties();
    try (InputStream in = resource(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> table = new TreeMap<>();
    properties.stringPropertyNames().forEach(id -> table.put(id, properties.getProperty(id)));
    return table;
  }

  void write(Recording recording) {
    Stream<String> lines =
        Stream.concat(
            Stream.of(JsonCodecs.CLUSTER.write(cluster)),
            events.stream().map(JsonCodecs.EVENT::write));
    writeLines(recording.id() + ".jsonl.gz", lines.toList());
  }

  static void writeLines(String file, List<String> lines) {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(KEPT.resolve(file)))) {
      for (String line : lines) {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void writeTable(String file, Map<String, String> table) {
    String text =
        table.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
            .collect(Collectors.joining());
    try {
      Files.writeString(KEPT.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(String file) {
    try (InputStream in = new GZIPInputStream(resource(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream resource(String file) {
    return Objects.requireNonNull(
        JournalFile.class.getResourceAsStream("/recorded/" + file), "no resource " + file);
  }
}
