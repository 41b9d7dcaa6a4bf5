package io.github.liquidscheduler.lab.reference.pollux.application;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A tetrahedron between four measurements, in which step times are linear in the numbers of nodes,
 * of GPUs and the local batch size. Whether it holds a point is decided in whole numbers, exactly.
 */
final class TimeCell {

  private static final int DIMENSIONS = 3;
  private static final int CORNERS = DIMENSIONS + 1;

  private final StepTime[] times = new StepTime[CORNERS];
  private final long[][] corners = new long[CORNERS][];
  private final long volume;

  /**
   * Makes a cell.
   *
   * @throws IllegalArgumentException unless there are four corners that are not in one plane
   */
  TimeCell(List<CountedTime> corners) {
    if (corners.size() != CORNERS) {
      throw new IllegalArgumentException("a cell must have 4 corners, but had " + corners.size());
    }
    for (int i = 0; i < CORNERS; i++) {
      CountedTime corner = corners.get(i);
      times[i] = corner.time();
      this.corners[i] = new long[] {corner.nodes(), corner.gpus(), corner.localBatch()};
    }
    volume = volume(this.corners);
    if (volume == 0) {
      throw new IllegalArgumentException(
          "the corners of a cell must not be in one plane, but were " + corners);
    }
  }

  /** Returns the step time there, if the point is in the cell or on its surface. */
  Optional<StepTime> at(int nodes, int gpus, int localBatch) {
    double[] weights = new double[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
      long[][] moved = corners.clone();
      moved[i] = new long[] {nodes, gpus, localBatch};
      weights[i] = (double) volume(moved) / volume;
    }
    return Arrays.stream(weights).allMatch(weight -> weight >= 0)
        ? Optional.of(StepTime.weighted(times, weights))
        : Optional.empty();
  }

  /** Returns six times the volume, with a sign that says how the corners turn. */
  private static long volume(long[][] corners) {
    long[] a = edge(corners, 1);
    long[] b = edge(corners, 2);
    long[] c = edge(corners, 3);
    return a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }

  private static long[] edge(long[][] corners, int corner) {
    long[] edge = new long[DIMENSIONS];
    Arrays.setAll(edge, axis -> corners[corner][axis] - corners[0][axis]);
    return edge;
  }
}
