package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.formats.input.SourceFile;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/** Reads a failure script from CSV. */
final class ScriptReader {

  private static final long MOST_BYTES = 16L << 20;
  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(36_500L * 86_400);
  private static final List<String> HEADER = List.of("time", "event", "target");
  private final Path file;
  private final ScriptCheck check;

  ScriptReader(Path file, ClusterTopology topology) {
    this.file = file;
    this.check = new ScriptCheck(topology);
  }

  List<ClusterEvent> read() {
    return SourceFile.read(file, MOST_BYTES, this::read);
  }

  private List<ClusterEvent> read(String source, InputStream bytes) {
    Rows rows = Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, HEADER);
    return rows.rest().stream().map(row -> checked(source, row)).toList();
  }

  private ClusterEvent checked(String source, Row row) {
    try {
      ClusterEvent event = event(time(row.text("time")), row.text("event"), row.text("target"));
      check.add(event);
      return event;
    } catch (InputFormatException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InputFormatException("%s:%d: %s".formatted(source, row.line(), e.getMessage()), e);
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
