package io.github.liquidscheduler.cli.sweep;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.Set;

/** Reads the files of settings, and tells once what is left out of each trace. */
final class SettingReader {
  private final SweepFolder folder;
  private final PrintWriter errors;
  private final Set<String> told = new HashSet<>();

  /** Returns a reader of the settings of a sweep; {@code errors} hears what is left out. */
  SettingReader(SweepFolder folder, PrintWriter errors) {
    this.folder = folder;
    this.errors = errors;
  }

  synchronized LoadedSetting read(SweepSetting setting) {
    StringWriter warnings = new StringWriter();
    LoadedSetting read =
        LoadedSetting.of(setting, folder.sweep().block(), new PrintWriter(warnings));
    warnings.toString().lines().filter(told::add).forEach(errors::println);
    errors.flush();
    return read;
  }
}
