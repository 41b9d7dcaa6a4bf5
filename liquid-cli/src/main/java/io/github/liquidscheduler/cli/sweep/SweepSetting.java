package io.github.liquidscheduler.cli.sweep;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The common conditions of one comparison, with options of {@code simulate} without dashes. */
record SweepSetting(SweptTrace trace, String cluster, double load, Map<String, String> options) {

  /** Returns the options that describe it on a command line. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(trace.arguments());
    arguments.add("--cluster=" + cluster);
    arguments.add("--load=" + loadText());
    options.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    return arguments;
  }

  /** Returns the load without a needless fraction: 1 and not 1.0. */
  String loadText() {
    return BigDecimal.valueOf(load).stripTrailingZeros().toPlainString();
  }

  /** Returns the options for people. */
  String optionText() {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    String text = "%s on %s, load %s".formatted(trace.file().getFileName(), cluster, loadText());
    return options.isEmpty() ? text : text + ", " + optionText();
  }
}
