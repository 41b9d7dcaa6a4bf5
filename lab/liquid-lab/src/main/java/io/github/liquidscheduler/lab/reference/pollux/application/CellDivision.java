package io.github.liquidscheduler.lab.reference.pollux.application;

import io.github.liquidscheduler.formats.input.BoundedLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the artefact divides the space between the measurements of an application into tetrahedra.
 *
 * <p>It interpolates on a Delaunay triangulation in nodes, GPUs and local batch size. The
 * measurements make a grid, on which that is not unique: how the boxes of the grid are cut decides
 * about step times by up to a tenth, and, since Optimus compares small differences of them, about
 * its average completion times by up to four percent. The cuts of the artefact come from rounding
 * errors of its library, so they are shipped as they were: of each application those cells that
 * hold whole numbers of nodes above 4, where not all layouts were measured.
 *
 * <p>The first line of a file is the number of measurements, each other one a cell by the positions
 * of its corners in the order of measurements.
 */
final class CellDivision {

  private CellDivision() {}

  /**
   * Returns the cells of an application; none if it never runs on so many nodes.
   *
   * @param points its measurements, in order
   * @throws IllegalArgumentException if they are not as many as were published
   */
  static List<TimeCell> of(String application, List<CountedTime> points) {
    String name = application + ".cells";
    try (InputStream bytes = CellDivision.class.getResourceAsStream(name)) {
      return bytes == null ? List.of() : read(new BoundedLines(name, bytes), points);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<TimeCell> read(BoundedLines lines, List<CountedTime> points) {
    check(lines.next(), points.size());
    List<TimeCell> cells = new ArrayList<>();
    for (String line = lines.next(); line != null; line = lines.next()) {
      List<CountedTime> corners =
          Arrays.stream(line.split(" ", -1)).map(i -> points.get(Integer.parseInt(i))).toList();
      cells.add(new TimeCell(corners));
    }
    return List.copyOf(cells);
  }

  private static void check(@Nullable String published, int points) {
    if (!Integer.toString(points).equals(published)) {
      throw new IllegalArgumentException(
          "the measurements must be of the %s published numbers of nodes, GPUs and batch size,"
                  .formatted(published)
              + " but were of "
              + points);
    }
  }
}
