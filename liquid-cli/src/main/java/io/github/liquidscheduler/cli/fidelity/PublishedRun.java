package io.github.liquidscheduler.cli.fidelity;

import io.github.liquidscheduler.simulator.input.BoundedLines;
import io.github.liquidscheduler.simulator.input.Row;
import io.github.liquidscheduler.simulator.input.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;

/**
 * A run of a published simulator, and what it printed.
 *
 * @param simulator the simulator
 * @param trace the trace, below the folder of public data
 * @param cluster the cluster, as a shorthand
 * @param policy the policy
 * @param seconds what it printed, by name, in the digits it printed
 * @param tolerance by how many percent the average may differ; 0 if every figure is to be the same
 */
record PublishedRun(
    String simulator,
    String trace,
    String cluster,
    String policy,
    Map<String, BigDecimal> seconds,
    double tolerance) {

  static final String AVERAGE = "average";

  /** The figures of a run. */
  static final List<String> FIGURES = List.of(AVERAGE, "median", "p99", "makespan");

  private static final String RESOURCE = "published.csv";
  private static final List<String> COLUMNS =
      List.of("simulator", "trace", "cluster", "policy", "tolerance");

  /** Returns all runs. */
  static List<PublishedRun> all() {
    try (InputStream bytes = PublishedRun.class.getResourceAsStream(RESOURCE)) {
      BoundedLines lines = new BoundedLines(RESOURCE, Objects.requireNonNull(bytes, RESOURCE));
      Rows rows = Rows.withHeader(lines, CSVFormat.DEFAULT, COLUMNS);
      List<PublishedRun> runs = new ArrayList<>();
      rows.rest().forEach(row -> runs.add(of(row)));
      return runs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PublishedRun of(Row row) {
    Map<String, BigDecimal> seconds = new LinkedHashMap<>();
    for (String figure : FIGURES) {
      row.optionalText(figure).ifPresent(text -> seconds.put(figure, new BigDecimal(text)));
    }
    return new PublishedRun(
        row.text("simulator"),
        row.text("trace"),
        row.text("cluster").replace(';', ','),
        row.text("policy"),
        seconds,
        row.notNegative("tolerance"));
  }

  /** Returns a figure, if it was printed. */
  Optional<BigDecimal> figure(String name) {
    return Optional.ofNullable(seconds.get(name));
  }

  /** Returns whether ours is what was published, to its last digit or within the tolerance. */
  boolean holds(Map<String, Double> ours) {
    return tolerance == 0
        ? seconds.keySet().stream().allMatch(name -> isSame(name, ours))
        : Math.abs(difference(AVERAGE, ours)) <= tolerance;
  }

  /** Returns the figure of ours that differs most, in percent of theirs, with its sign. */
  double largestDifference(Map<String, Double> ours) {
    return seconds.keySet().stream()
        .map(name -> difference(name, ours))
        .reduce(0.0, (a, b) -> Math.abs(b) > Math.abs(a) ? b : a);
  }

  private boolean isSame(String name, Map<String, Double> ours) {
    BigDecimal theirs = Objects.requireNonNull(seconds.get(name));
    double halfDigit = 0.51 * Math.pow(10, -theirs.scale());
    return Math.abs(value(name, ours) - theirs.doubleValue()) <= halfDigit;
  }

  private double difference(String name, Map<String, Double> ours) {
    double theirs = Objects.requireNonNull(seconds.get(name)).doubleValue();
    return 100 * (value(name, ours) / theirs - 1);
  }

  private static double value(String name, Map<String, Double> ours) {
    return Objects.requireNonNull(ours.get(name), name);
  }
}
