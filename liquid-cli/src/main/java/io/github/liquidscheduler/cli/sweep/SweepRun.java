package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.comparison.ParallelRuns;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs cells of a sweep in this process and keeps what they leave, also if some fail. */
final class SweepRun {
  private final SweepFolder folder;
  private final int threads;
  private final SettingReader reader;
  private final Map<SweepSetting, LoadedSetting> loaded = new LinkedHashMap<>();

  /** Makes a run of some cells at a time. */
  SweepRun(SweepFolder folder, int threads, SettingReader reader) {
    this.folder = folder;
    this.threads = threads;
    this.reader = reader;
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
    LoadedSetting needed = known == null ? reader.read(setting) : known;
    loaded.put(setting, needed);
    if (loaded.size() > threads) {
      loaded.remove(loaded.keySet().iterator().next());
    }
    return needed;
  }
}
