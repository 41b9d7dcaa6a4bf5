package io.github.liquidscheduler.lab.published;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Job completion times that Liquid's paper published for its immediate mode (Gu et al., TPDS
 * 33(11), 2022, figure 18), read from the figure to about 1 %.
 */
public final class Figure18 {

  private static final Map<String, List<Integer>> SECONDS = seconds();

  private Figure18() {}

  /** Returns the schedulers of the figure: Liquid first, then those it was compared with. */
  public static List<String> columns() {
    return List.copyOf(SECONDS.keySet());
  }

  /**
   * Returns the published seconds of a model.
   *
   * @throws NullPointerException if there is no such column or model
   */
  public static int seconds(String column, String model) {
    return Objects.requireNonNull(SECONDS.get(column), column)
        .get(PlacementTimes.models().indexOf(model));
  }

  /** Returns the part that Liquid saves of a column's times, as the mean over the models. */
  public static double saving(String column) {
    return PlacementTimes.models().stream()
        .collect(
            Collectors.averagingDouble(
                model -> 1 - (double) seconds("Liquid", model) / seconds(column, model)));
  }

  /** The times by scheduler, in the order of {@link PlacementTimes#models()}. */
  private static Map<String, List<Integer>> seconds() {
    Map<String, List<Integer>> seconds = new LinkedHashMap<>();
    seconds.put("Liquid", List.of(458, 78, 88));
    seconds.put("random", List.of(523, 83, 138));
    seconds.put("even", List.of(632, 117, 133));
    seconds.put("Kubernetes", List.of(531, 93, 121));
    seconds.put("Kubeflow", List.of(506, 93, 115));
    seconds.put("HiveD", List.of(542, 102, 111));
    return seconds;
  }
}
