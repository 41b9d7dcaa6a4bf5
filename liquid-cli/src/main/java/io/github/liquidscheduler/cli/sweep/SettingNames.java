package io.github.liquidscheduler.cli.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The names of a sweep's settings in its results. */
record SettingNames(Sweep sweep) {

  /** Returns the distinguishing values of a setting, in the order shown. */
  Map<String, String> of(SweepSetting setting) {
    List<String> traces = sweep.traces().stream().map(trace -> trace.file().toString()).toList();
    Map<String, String> names = new LinkedHashMap<>();
    names.put("trace", shortest(setting.trace().file().toString(), traces));
    names.put("cluster", shortest(setting.cluster(), sweep.clusters()));
    names.put("load", setting.loadText());
    names.put("options", setting.optionText());
    return names;
  }

  /** Returns the names that differ between settings. */
  List<String> varied() {
    List<String> varied = new ArrayList<>();
    if (sweep.traces().size() > 1) {
      varied.add("trace");
    }
    if (sweep.clusters().size() > 1) {
      varied.add("cluster");
    }
    if (sweep.loads().size() > 1) {
      varied.add("load");
    }
    if (sweep.optionSets().size() > 1) {
      varied.add("options");
    }
    return varied;
  }

  /** Returns the name of a file without its folders, unless another has the same. */
  private static String shortest(String name, List<String> all) {
    String last = last(name);
    return all.stream().filter(other -> last(other).equals(last)).count() == 1 ? last : name;
  }

  private static String last(String name) {
    return String.valueOf(Path.of(name).getFileName());
  }
}
