package io.github.liquidscheduler.lab.reference.pollux.application;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.stream.Stream;

/**
 * Measured step times by layout and local batch size. Between batch sizes times are linear. Layouts
 * that were not measured are interpolated by number of nodes, number of GPUs and local batch size.
 */
final class StepTimes {

  /** The most nodes of the measurements. */
  private static final int MOST_NODES = 16;

  private final Map<String, NavigableMap<Integer, StepTime>> byLayout;
  private final List<TimeCell> cells;
  private final int smallestBatch;
  private final int largestBatch;
  private final Map<List<Integer>, StepTime> interpolated = new HashMap<>();

  /**
   * Makes the times.
   *
   * @param byLayout the times by batch size of each layout, by its canonical name
   * @param byCount mean times of all layouts with the same numbers, in order
   * @param cells the space between the latter
   */
  StepTimes(
      Map<String, NavigableMap<Integer, StepTime>> byLayout,
      List<CountedTime> byCount,
      List<TimeCell> cells) {
    this.byLayout = byLayout;
    this.cells = cells;
    this.smallestBatch = byCount.stream().mapToInt(CountedTime::localBatch).min().orElseThrow();
    this.largestBatch = byCount.stream().mapToInt(CountedTime::localBatch).max().orElseThrow();
  }

  /**
   * Returns the means over all measured layouts with the same numbers, and those that were measured
   * by numbers only, in order.
   */
  static List<CountedTime> counted(
      Map<String, NavigableMap<Integer, StepTime>> byLayout, List<CountedTime> more) {
    List<CountedTime> all = new ArrayList<>();
    byLayout.forEach(
        (layout, byBatch) ->
            byBatch.forEach(
                (batch, time) ->
                    all.add(new CountedTime(layout.length(), gpus(layout), batch, time))));
    Stream<CountedTime> means =
        all.stream()
            .collect(
                groupingBy(
                    time -> List.of(time.nodes(), time.gpus(), time.localBatch()),
                    HashMap::new,
                    toList()))
            .values()
            .stream()
            .map(CountedTime::mean);
    return Stream.concat(means, more.stream()).sorted().toList();
  }

  private static int gpus(String layout) {
    return layout.chars().map(digit -> digit - '0').sum();
  }

  StepTime of(GpuLayout layout, int localBatch) {
    NavigableMap<Integer, StepTime> measured = byLayout.get(layout.canonical());
    return measured == null ? counted(layout, localBatch) : between(measured, localBatch);
  }

  int smallestBatch() {
    return smallestBatch;
  }

  int largestBatch() {
    return largestBatch;
  }

  private StepTime counted(GpuLayout layout, int localBatch) {
    int nodes = Math.min(layout.nodes(), MOST_NODES);
    return interpolated.computeIfAbsent(
        List.of(nodes, layout.gpus(), localBatch),
        key -> interpolated(nodes, layout.gpus(), localBatch));
  }

  private StepTime interpolated(int nodes, int gpus, int localBatch) {
    return cells.stream()
        .flatMap(cell -> cell.at(nodes, gpus, localBatch).stream())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "nodes, GPUs and local batch size must be within what was measured, but were"
                        + " %d, %d and %d".formatted(nodes, gpus, localBatch)));
  }

  private static StepTime between(NavigableMap<Integer, StepTime> measured, int batch) {
    Map.Entry<Integer, StepTime> lower = measured.floorEntry(batch);
    Map.Entry<Integer, StepTime> upper = measured.ceilingEntry(batch);
    if (lower == null || upper == null) {
      throw new IllegalArgumentException(
          "a local batch size must be from %d to %d, but was %d"
              .formatted(measured.firstKey(), measured.lastKey(), batch));
    }
    int width = upper.getKey() - lower.getKey();
    double fraction = width == 0 ? 0 : (double) (batch - lower.getKey()) / width;
    return lower.getValue().interpolated(upper.getValue(), fraction);
  }
}
