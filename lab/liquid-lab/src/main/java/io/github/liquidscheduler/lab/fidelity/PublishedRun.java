package io.github.liquidscheduler.lab.fidelity;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
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
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;

/**
 * A run of a published simulator, and what it printed.
 *
 * @param simulator the simulator
 * @param trace the trace, below the folder of public data
 * @param cluster the cluster, as a shorthand
 * @param policy the policy
 * @param printed what it printed, by name, in the digits it printed: times in seconds, allocation
 *     in percent
 * @param tolerance by how many percent the average may differ, or by how many points an allocation;
 *     0 if every figure is to be the same
 */
record PublishedRun(
    String simulator,
    String trace,
    String cluster,
    String policy,
    Map<String, BigDecimal> printed,
    double tolerance) {

  static final String AVERAGE = "average";

  /** The GPUs allocated when as many were requested as there are, and 1.3 times as many. */
  static final List<String> ALLOCATIONS = List.of("allocated_100", "allocated_130");

  /** The times of a run. */
  static final List<String> TIMES = List.of(AVERAGE, "median", "p99", "makespan");

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
    Map<String, BigDecimal> printed = new LinkedHashMap<>();
    Stream.of(TIMES, ALLOCATIONS)
        .flatMap(List::stream)
        .forEach(
            figure ->
                row.optionalText(figure)
                    .ifPresent(text -> printed.put(figure, new BigDecimal(text))));
    return new PublishedRun(
        row.text("simulator"),
        row.text("trace"),
        row.text("cluster").replace(';', ','),
        row.text("policy"),
        printed,
        row.notNegative("tolerance"));
  }

  /** Returns a figure, if it was printed. */
  Optional<BigDecimal> figure(String name) {
    return Optional.ofNullable(printed.get(name));
  }

  /** Returns whether ours is what was published, to its last digit or within the tolerance. */
  boolean holds(Map<String, Double> ours) {
    if (tolerance == 0) {
      return printed.keySet().stream().allMatch(name -> isSame(name, ours));
    }
    return isAllocation()
        ? Math.abs(largestDifference(ours)) <= tolerance
        : Math.abs(difference(AVERAGE, ours)) <= tolerance;
  }

  /** Returns whether it printed allocations, and no times. */
  boolean isAllocation() {
    return !printed.containsKey(AVERAGE);
  }

  /**
   * Returns by how much the figure of ours that differs most does, with its sign: in percent of
   * theirs, or in points of an allocation.
   */
  double largestDifference(Map<String, Double> ours) {
    return printed.keySet().stream()
        .map(name -> difference(name, ours))
        .reduce(0.0, (a, b) -> Math.abs(b) > Math.abs(a) ? b : a);
  }

  private boolean isSame(String name, Map<String, Double> ours) {
    BigDecimal theirs = Objects.requireNonNull(printed.get(name));
    double halfDigit = 0.51 * Math.pow(10, -theirs.scale());
    return Math.abs(value(name, ours) - theirs.doubleValue()) <= halfDigit;
  }

  private double difference(String name, Map<String, Double> ours) {
    double theirs = Objects.requireNonNull(printed.get(name)).doubleValue();
    return isAllocation() ? value(name, ours) - theirs : 100 * (value(name, ours) / theirs - 1);
  }

  private static double value(String name, Map<String, Double> ours) {
    return Objects.requireNonNull(ours.get(name), name);
  }
}
