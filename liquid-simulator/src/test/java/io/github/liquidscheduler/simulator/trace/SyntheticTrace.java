package io.github.liquidscheduler.simulator.trace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws traces that look like those of a large shared GPU cluster. Sizes and durations follow the
 * published figures of Microsoft's Philly clusters (Jeon et al., ATC 2019); they are drawn
 * independently of each other. Equal descriptions and seeds give equal traces on every platform.
 *
 * <ul>
 *   <li>Arrivals: a Poisson process, in whole seconds.
 *   <li>GPUs: 1 with probability 0.932, 2 with 0.0221, 4 with 0.0227, 8 with 0.02, 16 with 0.0024,
 *       32 with 0.0008.
 *   <li>Durations: a tenth below 61 s, half below 1,144 s, three quarters below 2,932 s, nine
 *       tenths below 3.1 h, 99 in 100 below 71 h, none above 53.6 days or below 10 s; log-linear in
 *       between, in whole seconds.
 *   <li>Virtual clusters: five, with 50, 20, 12, 9 and 9 % of the jobs.
 *   <li>Models: six, equally often, each with an invented number of iterations per second.
 * </ul>
 *
 * <p>Immutable.
 */
public final class SyntheticTrace {

  private static final int[] GPUS = {1, 2, 4, 8, 16, 32};
  private static final double[] GPU_WEIGHTS = {0.932, 0.0221, 0.0227, 0.02, 0.0024, 0.0008};

  private static final double[] DURATION_LEVELS = {0, 0.1, 0.5, 0.75, 0.9, 0.99, 1};
  private static final double[] DURATION_SECONDS = {10, 61, 1144, 2932, 11160, 255600, 4631040};

  private static final double[] VIRTUAL_CLUSTER_WEIGHTS = {0.5, 0.2, 0.12, 0.09, 0.09};

  private static final List<Model> MODELS =
      List.of(
          new Model("resnet50", 8),
          new Model("vgg16", 5),
          new Model("inception3", 6),
          new Model("bert-base", 4),
          new Model("transformer", 10),
          new Model("lstm", 15));

  private final int jobs;
  private final Duration meanInterval;
  private final Duration longest;
  private final int mostGpus;

  private SyntheticTrace(Builder builder) {
    jobs = builder.jobs;
    meanInterval = builder.meanInterval;
    longest = builder.longest;
    mostGpus = builder.mostGpus;
  }

  /** Returns a builder of a description. */
  public static Builder builder() {
    return new Builder();
  }

  /** Draws the trace of {@code seed}. */
  public Trace draw(long seed) {
    Random random = new Random(seed);
    List<TraceJob> drawn = new ArrayList<>(jobs);
    Duration submit = Duration.ZERO;
    for (int id = 0; id < jobs; id++) {
      drawn.add(job(id, submit, random));
      submit = submit.plusSeconds(intervalSeconds(random));
    }
    return Trace.of("synthetic trace of seed " + seed, drawn);
  }

  private TraceJob job(int id, Duration submit, Random random) {
    int gpus = GPUS[weighted(GPU_WEIGHTS, random)];
    long seconds = Math.min(durationSeconds(random.nextDouble()), longest.toSeconds());
    int virtualCluster = weighted(VIRTUAL_CLUSTER_WEIGHTS, random);
    Model model = MODELS.get(random.nextInt(MODELS.size()));
    return TraceJob.builder(Integer.toString(id))
        .submit(submit)
        .gpus(Math.min(gpus, mostGpus))
        .duration(Duration.ofSeconds(seconds))
        .iterations(seconds * model.iterationsPerSecond())
        .model(model.name())
        .virtualCluster("vc" + virtualCluster)
        .build();
  }

  private long intervalSeconds(Random random) {
    return Math.round(-StrictMath.log(1 - random.nextDouble()) * meanInterval.toSeconds());
  }

  private static int weighted(double[] weights, Random random) {
    double left = random.nextDouble();
    int chosen = 0;
    while (chosen < weights.length - 1 && left >= weights[chosen]) {
      left -= weights[chosen++];
    }
    return chosen;
  }

  private static long durationSeconds(double level) {
    int above = 1;
    while (DURATION_LEVELS[above] < level) {
      above++;
    }
    double part =
        (level - DURATION_LEVELS[above - 1])
            / (DURATION_LEVELS[above] - DURATION_LEVELS[above - 1]);
    double factor = DURATION_SECONDS[above] / DURATION_SECONDS[above - 1];
    return Math.round(DURATION_SECONDS[above - 1] * StrictMath.pow(factor, part));
  }

  /** A model and how fast it trains, whatever the GPUs. */
  private record Model(String name, long iterationsPerSecond) {}

  /** Builds a {@link SyntheticTrace}. Not thread-safe. */
  public static final class Builder {

    private int jobs = 1000;
    private Duration meanInterval = Duration.ofSeconds(115);
    private Duration longest = Duration.ofDays(60);
    private int mostGpus = 32;

    private Builder() {}

    /**
     * Sets the number of jobs; 1,000 by default.
     *
     * @throws IllegalArgumentException if {@code jobs} is not from 1 to 500,000
     */
    public Builder jobs(int jobs) {
      this.jobs = (int) require("jobs", jobs, 1, 500_000);
      return this;
    }

    /**
     * Sets the mean time between two submissions, in whole seconds; 115 s by default, as in Philly.
     *
     * @throws IllegalArgumentException if {@code meanInterval} is not from 0 s to an hour
     */
    public Builder meanInterval(Duration meanInterval) {
      require("seconds of the mean interval", meanInterval.toSeconds(), 0, 3600);
      this.meanInterval = meanInterval;
      return this;
    }

    /**
     * Cuts longer jobs to {@code longest}, in whole seconds; 60 days by default, which cuts none.
     *
     * @throws IllegalArgumentException if {@code longest} is not from 1 s to 60 days
     */
    public Builder longest(Duration longest) {
      require("seconds of the longest job", longest.toSeconds(), 1, 60 * 86_400);
      this.longest = longest;
      return this;
    }

    /**
     * Cuts larger jobs to {@code mostGpus}; 32 by default, which cuts none.
     *
     * @throws IllegalArgumentException if {@code mostGpus} is not from 1 to 32
     */
    public Builder mostGpus(int mostGpus) {
      this.mostGpus = (int) require("most GPUs", mostGpus, 1, 32);
      return this;
    }

    /** Returns the description. */
    public SyntheticTrace build() {
      return new SyntheticTrace(this);
    }

    private static long require(String what, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            "%s must be from %d to %d, but were %d".formatted(what, least, most, value));
      }
      return value;
    }
  }
}
