package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.lab.reproduce.SharingTable.Gain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Gains over the best policy that predicts nothing, on several traces and loads. */
final class GainRange {
  private static final String PREDICTED = "predicted, learning";
  private static final String PLANNED = "planned, learning";

  private final List<Gain> predicted = new ArrayList<>();
  private final List<Gain> planned = new ArrayList<>();

  /** Takes in one comparison, and returns its line. */
  String add(Path trace, double load, SharingTable table) {
    return add(trace, load, table.gain(PREDICTED), table.gain(PLANNED));
  }

  String add(Path trace, double load, Gain first, Gain second) {
    predicted.add(first);
    planned.add(second);
    return String.format(
        Locale.ROOT,
        "%-20s load %.1f   %s: %+6.1f %% work, %+6.1f %% shorter JCT   %s: %+6.1f %%, %+6.1f %%",
        trace.getFileName(),
        load,
        PREDICTED,
        100 * first.work(),
        100 * first.completion(),
        PLANNED,
        100 * second.work(),
        100 * second.completion());
  }

  /** Returns worst, median and best of all. */
  List<String> lines() {
    return List.of(
        line(PREDICTED + ", work", predicted, Gain::work),
        line(PREDICTED + ", JCT", predicted, Gain::completion),
        line(PLANNED + ", work", planned, Gain::work),
        line(PLANNED + ", JCT", planned, Gain::completion));
  }

  private static String line(String name, List<Gain> gains, ToDoubleFunction<Gain> part) {
    double[] sorted = gains.stream().mapToDouble(part).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%-28s worst %+6.1f %%, median %+6.1f %%, best %+6.1f %%",
        name,
        100 * sorted[0],
        50 * (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]),
        100 * Arrays.stream(sorted).max().orElseThrow());
  }
}
