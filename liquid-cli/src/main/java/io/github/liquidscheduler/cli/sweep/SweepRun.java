package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.comparison.ParallelRuns;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** Runs cells of a sweep in this process and keeps what they leave, also if some fail. */
final class SweepRun {
  private final SweepFolder folder;
  private final int threads;
  private final PrintWriter errors;
  private final Map<SweepSetting, LoadedSetting> loaded = new LinkedHashMap<>();
  private final Set<String> told = new HashSet<>();

  /** Makes a run of some cells at a time; {@code errors} hears what is left out of a trace. */
  SweepRun(SweepFolder folder, int threads, PrintWriter errors) {
    this.folder = folder;
    this.threads = threads;
    this.errors = errors;
  }

  /** Runs cells. */
  void of(List<SweepCell> cells) {
    List<Callable<SweepCell>> runs =
        cells.stream().<Callable<SweepCell>>map(cell -> () -> ran(cell)).toList();
    ParallelRuns.of(runs, threads);
  }

  private SweepCell ran(SweepCell cell) {
    try {
      folder.keep(cell, setting(cell.setting()).run(cell));
    } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
      folder.fail(cell, String.valueOf(e.getMessage()));
    }
    return cell;
  }

  /** Returns a setting, of which those that were needed last are kept. */
  private synchronized LoadedSetting setting(SweepSetting setting) {
    LoadedSetting known = loaded.remove(setting);
    LoadedSetting needed = known == null ? loaded(setting) : known;
    loaded.put(setting, needed);
    if (loaded.size() > threads) {
      loaded.remove(loaded.keySet().iterator().next());
    }
    return needed;
  }

  /** Reads the files of a setting, and reports the jobs left out of its trace, once. */
  private LoadedSetting loaded(SweepSetting setting) {
    StringWriter warnings = new StringWriter();
    LoadedSetting read =
        LoadedSetting.of(setting, folder.sweep().block(), new PrintWriter(warnings));
    warnings.toString().lines().filter(told::add).forEach(errors::println);
    errors.flush();
    return read;
  }
}
