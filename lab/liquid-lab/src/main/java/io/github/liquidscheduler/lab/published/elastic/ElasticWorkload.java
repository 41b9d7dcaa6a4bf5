package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurves;
import java.util.ArrayList;
import java.util.List;

/**
 * A random workload of elastic jobs: models uniformly, submitted sizes by a mix, Poisson arrivals.
 * Arrivals are stretched so that GPU time requested at submitted sizes is exactly {@code load} of
 * what there is. Where the load varies there are as many jobs as that takes, and it varies in
 * proportion to its profile. The same for the same seed on every machine, but for the last digit of
 * a logarithm.
 *
 * @param curves the throughput curves of the models
 * @param durations the durations at submitted sizes
 * @param jobs the number of jobs, where the load does not vary
 * @param gpus the GPUs of the cluster
 * @param load the offered load
 * @param sizes the submitted sizes
 * @param profile how the load varies
 */
public record ElasticWorkload(
    ThroughputCurves curves,
    DurationQuantiles durations,
    int jobs,
    int gpus,
    double load,
    SizeMix sizes,
    LoadProfile profile) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if there are fewer than 1 job or 2 GPUs, or the load is not
   *     above 0
   */
  public ElasticWorkload {
    if (jobs < 1 || gpus < 2 || !(load > 0)) {
      throw new IllegalArgumentException(
          "a workload must have a job, 2 GPUs and a load above 0, but had %d, %d and %s"
              .formatted(jobs, gpus, load));
    }
  }

  /** Makes a workload with {@link SizeMix#UNIFORM} sizes and a load that does not vary. */
  public ElasticWorkload(
      ThroughputCurves curves, DurationQuantiles durations, int jobs, int gpus, double load) {
    this(curves, durations, jobs, gpus, load, SizeMix.UNIFORM, LoadProfile.CONSTANT);
  }

  /**
   * How much there is of a workload.
   *
   * @param curves the throughput curves of the models
   * @param jobs the number of jobs, where the load does not vary
   * @param gpus the GPUs of the cluster
   * @param profile how the load varies
   */
  public record Scale(ThroughputCurves curves, int jobs, int gpus, LoadProfile profile) {

    /** Makes the scale of a load that does not vary. */
    public Scale(ThroughputCurves curves, int jobs, int gpus) {
      this(curves, jobs, gpus, LoadProfile.CONSTANT);
    }
  }

  /** What is drawn for a job. */
  private record Draw(String model, ThroughputCurve curve, int size, long seconds, double time) {
    double gpuSeconds() {
      return (double) size * seconds;
    }
  }

  /** Returns the trace of a seed. */
  public ElasticTrace trace(int seed) {
    Draws draws = new Draws(seed);
    List<String> models = List.copyOf(curves.models());
    List<Draw> drawn = new ArrayList<>();
    double time = 0;
    double requested = 0;
    double most = profile.seconds() * gpus * load;
    while (profile.isConstant() ? drawn.size() < jobs : requested < most) {
      Draw draw = draw(draws, models, time);
      drawn.add(draw);
      time = draw.time();
      requested += draw.gpuSeconds();
    }
    double gap = requested / ((double) drawn.size() * gpus * load);
    List<ElasticJob> trace = new ArrayList<>();
    for (Draw draw : drawn) {
      double offered = draw.time() * gap;
      trace.add(job(trace.size(), draw, profile.isConstant() ? offered : profile.at(offered)));
    }
    return ElasticTrace.of(trace);
  }

  private Draw draw(Draws draws, List<String> models, double time) {
    String model = models.get((int) (draws.next() * models.size()));
    ThroughputCurve curve = curves.of(model).orElseThrow();
    int size = sizes.size(curve, gpus / 2, draws.next());
    long seconds = (long) Math.floor(durations.at(draws.next()) + 0.5);
    return new Draw(model, curve, size, seconds, time - Math.log(draws.next()));
  }

  private static ElasticJob job(int id, Draw draw, double second) {
    double rate = draw.curve().throughput(draw.size());
    long iterations = Math.max(1, (long) Math.floor(draw.seconds() * rate + 0.5));
    return new ElasticJob(
        id,
        (long) Math.floor(second + 0.5),
        new ElasticJob.Work(draw.model(), draw.curve(), iterations),
        new ElasticJob.Sizes(draw.size(), 1, Math.max(draw.size(), draw.curve().peak())));
  }

  /** Uniform draws of a linear congruential generator, the first ten thrown away. */
  private static final class Draws {
    private static final int WARM_UP = 10;
    private static final long MULTIPLIER = 1_103_515_245;
    private static final long INCREMENT = 12_345;
    private static final long MODULUS = 1L << 31;
    private static final int LOW_BITS = 8;

    private long state;

    Draws(int seed) {
      state = seed;
      for (int i = 0; i < WARM_UP; i++) {
        next();
      }
    }

    /** Returns a number between 0 and 1, both excluded. */
    double next() {
      state = (MULTIPLIER * state + INCREMENT) % MODULUS;
      return ((state >> LOW_BITS) + 0.5) / (MODULUS >> LOW_BITS);
    }
  }
}
