package io.github.liquidscheduler.simulator.input;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Quoted;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The data sets that the rows of a text tell, in a cell of names and one of sizes, as in {@code
 * clicks|image} and {@code 20GiB|6GiB}. A data set has one size throughout. Mutable.
 */
public final class DatasetCells {
  private static final Pattern BETWEEN = Pattern.compile("\\|");
  private static final Pattern BYTES = Pattern.compile("[0-9]+");

  // Never iterated.
  private final Map<String, Told> known = new HashMap<>();

  private record Told(Dataset dataset, int line) {}

  /**
   * Returns the data sets of a row.
   *
   * @param names the column of their names
   * @param sizes the column of their sizes
   * @throws InputFormatException if the numbers of names and sizes differ, a name repeats, a size
   *     is malformed, or another row gives another size
   */
  public List<Dataset> of(Row row, String names, String sizes) {
    List<String> named = split(row, names);
    List<String> sized = split(row, sizes);
    if (named.size() != sized.size()) {
      throw row.error(sizes, "must have as many sizes as column '%s' has names".formatted(names));
    }
    List<Dataset> datasets = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < named.size(); i++) {
      if (named.get(i).isEmpty() || !seen.add(named.get(i))) {
        throw row.error(names, "must have distinct names, separated by '|'");
      }
      datasets.add(
          known(row, sizes, dataset(row, names, named.get(i), size(row, sizes, sized.get(i)))));
    }
    return datasets;
  }

  private static List<String> split(Row row, String column) {
    return row.optionalText(column).stream()
        .flatMap(text -> Arrays.stream(BETWEEN.split(text, -1)))
        .map(String::strip)
        .toList();
  }

  private static Dataset dataset(Row row, String column, String name, Memory size) {
    try {
      return new Dataset(name, size);
    } catch (IllegalArgumentException e) {
      throw row.error(column, "must name data sets (%s)".formatted(e.getMessage()));
    }
  }

  private static Memory size(Row row, String column, String text) {
    try {
      return Memory.parse(BYTES.matcher(text).matches() ? text + "B" : text);
    } catch (IllegalArgumentException e) {
      throw row.error(column, "must be whole bytes, or a size such as 20GiB or 1.5TB");
    }
  }

  private Dataset known(Row row, String sizes, Dataset dataset) {
    Told told = known.computeIfAbsent(dataset.name(), name -> new Told(dataset, row.line()));
    if (!told.dataset().equals(dataset)) {
      throw row.error(
          sizes,
          "must be %s for data set %s, as on line %d"
              .formatted(told.dataset().size(), Quoted.of(dataset.name()), told.line()));
    }
    return told.dataset();
  }
}
