package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.comparison.PolicyChoice;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** One simulation of a sweep, by its position in the grid, from 0. Draw 0 is the trace itself. */
record SweepCell(int number, SweepSetting setting, PolicyChoice choice, int draw) {

  /** Returns its distinguishing values, by name. */
  Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("trace", setting.trace().file().toString());
    names.put("format", setting.trace().format());
    names.put("columns", setting.trace().columns());
    names.put("cluster", setting.cluster());
    names.put("load", setting.loadText());
    names.put("options", setting.optionText());
    names.put("policy", choice.policy());
    names.put("placer", choice.placer());
    names.put("draw", Integer.toString(draw));
    return Collections.unmodifiableMap(names);
  }

  @Override
  public String toString() {
    return "cell %d (%s with %s, draw %d of %s)"
        .formatted(number, choice.policy(), choice.placer(), draw, setting);
  }
}
