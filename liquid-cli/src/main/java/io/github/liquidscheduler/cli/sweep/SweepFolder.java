package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.UnwritableException;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of a sweep: a copy of the sweep, and a file per finished cell. Files appear
 * atomically, so several processes may fill one folder. A failed cell leaves its error until it
 * succeeds.
 */
final class SweepFolder {
  private static final String SWEEP = "sweep.json";

  private final Path folder;
  private final Sweep sweep;

  private SweepFolder(Path folder, Sweep sweep) {
    this.folder = folder;
    this.sweep = sweep;
  }

  /**
   * Returns the folder of a sweep, and makes it if there is none.
   *
   * @throws IllegalArgumentException if it is that of another sweep, or of something else
   */
  static SweepFolder of(Path folder, Sweep sweep) {
    Path copy = folder.resolve(SWEEP);
    if (Files.exists(copy)) {
      return existing(folder, sweep);
    }
    if (!isEmpty(folder)) {
      throw new IllegalArgumentException(
          "the folder of a sweep must be new, or have its sweep.json, but '"
              + folder
              + "' has other files");
    }
    SweepFolder made = new SweepFolder(folder, sweep);
    made.write(copy, SweepJson.of(sweep));
    return made;
  }

  private static SweepFolder existing(Path folder, Sweep sweep) {
    SweepFolder existing = at(folder);
    if (!existing.sweep.equals(sweep)) {
      throw new IllegalArgumentException(
          "the folder '%s' has the cells of another sweep, %s. Name another folder"
              .formatted(folder, folder.resolve(SWEEP)));
    }
    return existing;
  }

  /**
   * Returns a folder with a sweep in it.
   *
   * @throws IllegalArgumentException if there is no sweep in it
   */
  static SweepFolder at(Path folder) {
    Path copy = folder.resolve(SWEEP);
    if (!Files.exists(copy)) {
      throw new IllegalArgumentException(
          "'%s' must be the folder of a sweep, but has no %s".formatted(folder, SWEEP));
    }
    return new SweepFolder(folder.toAbsolutePath().normalize(), SweepReader.read(copy));
  }

  private static boolean isEmpty(Path folder) {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the folder '" + folder + "': " + e, e);
    }
  }

  Path path() {
    return folder;
  }

  Sweep sweep() {
    return sweep;
  }

  /** Returns the cells that have not left anything yet. */
  List<SweepCell> missing() {
    return sweep.cells().stream().filter(cell -> !Files.exists(result(cell))).toList();
  }

  /** Returns the result of a cell; empty if it is not done. */
  Optional<RunFigures> figures(SweepCell cell) {
    Path file = result(cell);
    try {
      return Files.exists(file) ? Optional.of(CellFile.read(file, cell)) : Optional.empty();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read %s: %s. Delete it and run again".formatted(file, e.getMessage()), e);
    }
  }

  /** Keeps what a cell left. */
  void keep(SweepCell cell, RunFigures figures) {
    try {
      write(result(cell), CellFile.of(cell, figures));
      Files.deleteIfExists(failure(cell));
    } catch (IOException e) {
      throw new UnwritableException("'" + folder + "'", e);
    }
  }

  /** Keeps why a cell failed. */
  void fail(SweepCell cell, String why) {
    write(failure(cell), why + "\n");
  }

  /** Returns why a cell failed when it ran last; empty if it did not. */
  Optional<String> failed(SweepCell cell) {
    Path file = failure(cell);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read '" + file + "': " + e, e);
    }
  }

  /** Writes a file below the folder, whole or not at all. */
  void write(Path file, String text) {
    try {
      Path home = Files.createDirectories(file.resolveSibling(""));
      Path part = home.resolve(".part-" + UUID.randomUUID());
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UnwritableException("'" + file + "'", e);
    }
  }

  private Path result(SweepCell cell) {
    return folder.resolve("cells").resolve("%05d.json".formatted(cell.number()));
  }

  private Path failure(SweepCell cell) {
    return folder.resolve("failures").resolve("%05d.txt".formatted(cell.number()));
  }
}
