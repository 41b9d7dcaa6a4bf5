package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads a failure script from CSV. */
final class ScriptReader {

  private static final long MOST_BYTES = 16L << 20;
  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(36_500L * 86_400);
  private static final List<String> HEADER = List.of("time", "event", "target");
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setIgnoreSurroundingSpaces(true)
          .get();

  private final Path file;
  private final ScriptCheck check;

  ScriptReader(Path file, ClusterTopology topology) {
    this.file = file;
    this.check = new ScriptCheck(topology);
  }

  List<ClusterEvent> read() {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IllegalArgumentException(
            file + ": a failure script must have at most " + MOST_BYTES + " bytes");
      }
      try (Reader text = Files.newBufferedReader(file);
          CSVParser rows = FORMAT.parse(text)) {
        return read(rows);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
    }
  }

  private List<ClusterEvent> read(CSVParser rows) {
    if (!rows.getHeaderNames().equals(HEADER)) {
      throw new IllegalArgumentException(
          "%s:1: the header must be %s, but was %s"
              .formatted(file, String.join(",", HEADER), String.join(",", rows.getHeaderNames())));
    }
    List<ClusterEvent> events = new ArrayList<>();
    for (CSVRecord row : rows) {
      events.add(checked(row, rows.getCurrentLineNumber()));
    }
    return List.copyOf(events);
  }

  private ClusterEvent checked(CSVRecord row, long line) {
    try {
      if (row.size() != HEADER.size()) {
        throw new IllegalArgumentException(
            "a line must have 3 columns, but had %d".formatted(row.size()));
      }
      ClusterEvent event = event(time(row.get("time")), row.get("event"), row.get("target"));
      check.add(event);
      return event;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s:%d: %s".formatted(file, line, e.getMessage()), e);
    }
  }

  private static Instant time(String text) {
    BigDecimal seconds;
    try {
      seconds = new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("time must be seconds, but was '" + text + "'", e);
    }
    if (seconds.signum() < 0 || seconds.compareTo(MOST_SECONDS) > 0) {
      throw new IllegalArgumentException(
          "time must be from 0 to %s seconds, but was %s".formatted(MOST_SECONDS, text));
    }
    return Instant.EPOCH.plusNanos(seconds.movePointRight(9).longValue());
  }

  private static ClusterEvent event(Instant at, String what, String target) {
    return switch (what) {
      case "node-lost" -> new ClusterEvent.NodeLost(at, NodeId.of(target));
      case "node-draining" -> new ClusterEvent.NodeDraining(at, NodeId.of(target));
      case "node-returned" -> new ClusterEvent.NodeReturned(at, NodeId.of(target));
      case "gpu-lost" -> new ClusterEvent.GpuLost(at, gpu(target));
      case "gpu-returned" -> new ClusterEvent.GpuReturned(at, gpu(target));
      default ->
          throw new IllegalArgumentException(
              "event must be node-lost, node-draining, node-returned, gpu-lost or gpu-returned,"
                  + " but was '"
                  + what
                  + "'");
    };
  }

  private static GpuId gpu(String target) {
    int colon = target.lastIndexOf(':');
    if (colon < 0 || !target.substring(colon + 1).matches("\\d{1,6}")) {
      throw new IllegalArgumentException(
          "a GPU must be written as node:number, but was '" + target + "'");
    }
    return GpuId.of(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
  }
}
