package io.github.liquidscheduler.cli.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A job of a trial: it holds GPUs and sleeps.
 *
 * @param after when it is submitted, after the start of the trial
 * @param nodes the number of its nodes
 * @param gpus the number of its GPUs on each node
 * @param time how long it runs
 * @param partition where it is submitted
 * @param limit its time limit, whole minutes
 * @param options more options of {@code sbatch}
 */
record TrialJob(
    Duration after,
    int nodes,
    int gpus,
    Duration time,
    String partition,
    Duration limit,
    List<String> options) {

  private static final int[][] SHAPES = {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 8}, {4, 8}};
  private static final int[] WEIGHTS = {30, 15, 15, 20, 12, 8};
  private static final int MILLIS = 1000;

  /** Copies the options. */
  TrialJob {
    options = List.copyOf(options);
  }

  /** Makes a job of at most a minute that says how long it runs. */
  TrialJob(Duration after, int nodes, int gpus, Duration time, String partition) {
    this(
        after,
        nodes,
        gpus,
        time,
        partition,
        Duration.ofMinutes(1),
        List.of("--comment=liquid.expected=" + (time.toSeconds() + 1) + "s"));
  }

  /** Returns the GPUs of all nodes. */
  int allGpus() {
    return nodes * gpus;
  }

  /**
   * Draws jobs of 1 to 32 GPUs, most of them small, that run for 2 to 20 s, most of them short, and
   * come at random over a time.
   */
  static List<TrialJob> draw(int jobs, Duration over, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TrialJob> drawn = new ArrayList<>();
    double millis = 0;
    double gap = (double) over.toMillis() / jobs;
    for (int i = 0; i < jobs; i++) {
      int[] shape = SHAPES[weighted(random)];
      double seconds = 2 * Math.pow(10, random.nextDouble());
      drawn.add(
          new TrialJob(
              Duration.ofMillis((long) millis),
              shape[0],
              shape[1],
              Duration.ofMillis((long) (seconds * MILLIS)),
              "batch"));
      millis -= gap * Math.log(1 - random.nextDouble());
    }
    return List.copyOf(drawn);
  }

  private static int weighted(SplittableRandom random) {
    int left = random.nextInt(100);
    int shape = 0;
    while (left >= WEIGHTS[shape]) {
      left -= WEIGHTS[shape++];
    }
    return shape;
  }
}
