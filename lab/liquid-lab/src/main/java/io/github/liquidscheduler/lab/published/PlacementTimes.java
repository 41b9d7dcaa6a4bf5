package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The run times that Liquid's paper published by placement (Gu et al., TPDS 33(11), 2022, figures 1
 * and 6; the same numbers drive the mock runner of the released program): jobs of one parameter
 * server and two workers of one GPU each, and jobs of one task. Immutable.
 *
 * <p>The figures are those of a batch size of {@value #BATCH_SIZE} and {@value #ITERATIONS}
 * iterations; another job takes proportionally to its samples. Like the mock runner, a run takes
 * from 95 to 99 % of its figure, drawn from a seed and the job's id, so that a job draws the same
 * wherever it is placed.
 *
 * <p>Placements of more servers and workers are interpolated by the part of the pairs of server and
 * worker that are on two nodes: between "pww" for none of them, "pw:w" for half of them, and for
 * all of them what lies between "p:w:w" and "p:ww" by the part of the workers that share their node
 * with another. Nothing is known of other jobs on the same links.
 *
 * <p>A job of the trace must name its model as {@code vgg16 (batch size 12)} and its iterations.
 * Its roles must be {@value #SERVER} and {@value #WORKER}, or it must have one task.
 */
public final class PlacementTimes implements GroundTruth {

  /** The role of parameter servers. */
  public static final String SERVER = "ps";

  /** The role of workers. */
  public static final String WORKER = "worker";

  /** The batch size of the measured runs. */
  public static final int BATCH_SIZE = 12;

  /** The iterations of the measured runs. */
  public static final int ITERATIONS = 250;

  private static final Pattern MODEL = Pattern.compile("(.+) \\(batch size ([1-9]\\d{0,5})\\)");
  private static final Map<String, Seconds> PUBLISHED = published();

  private final long seed;

  private PlacementTimes(long seed) {
    this.seed = seed;
  }

  /** Returns the published times, with runs that vary as drawn from {@code seed}. */
  public static PlacementTimes published(long seed) {
    return new PlacementTimes(seed);
  }

  /** Returns the models with published times: VGG-16, ResNet-50 and Inception V3. */
  public static List<String> models() {
    return List.copyOf(PUBLISHED.keySet());
  }

  /**
   * Returns the published seconds of a model in a placement.
   *
   * @throws IllegalArgumentException if nothing was published of the model
   */
  public static double publishedSeconds(String model, PlacementShape shape) {
    Seconds seconds = require(model);
    return switch (shape) {
      case TOGETHER -> seconds.together;
      case ONE_WORKER_APART -> seconds.oneWorkerApart;
      case ALL_APART -> seconds.allApart;
      case SERVER_APART -> seconds.serverApart;
      case ONE_GPU -> seconds.oneGpu;
      case TWO_GPUS -> seconds.twoGpus;
    };
  }

  @Override
  public Duration work(TraceJob job) {
    Named named = named(job);
    double samples = (double) named.batchSize * iterations(job) / (BATCH_SIZE * ITERATIONS);
    return Duration.ofMillis(Math.round(named.seconds.together * samples * luck(job) * 1000));
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    Seconds seconds = named(job).seconds;
    return seconds.together / seconds(job, seconds, placement);
  }

  private static double seconds(TraceJob job, Seconds seconds, Placement placement) {
    if (placement.tasks().size() > 1) {
      return Counts.of(job, placement).seconds(seconds);
    }
    return switch (placement.gpus()) {
      case 1 -> seconds.oneGpu;
      case 2 -> seconds.twoGpus;
      default ->
          throw new IllegalArgumentException(
              "a job of one task must have 1 or 2 GPUs for its published run time, but had %d, for %s"
                  .formatted(placement.gpus(), job));
    };
  }

  /** Draws as the mock runner does: a whole percentage from 95 to 99. */
  private double luck(TraceJob job) {
    return (95 + new SplittableRandom(31 * seed + job.id().hashCode()).nextInt(5)) / 100.0;
  }

  private static Named named(TraceJob job) {
    Matcher model = MODEL.matcher(job.model().orElse(""));
    if (!model.matches()) {
      throw new IllegalArgumentException(
          "a model must be written as 'vgg16 (batch size 12)', but was '%s', for %s"
              .formatted(job.model().orElse(""), job));
    }
    return new Named(require(model.group(1)), Integer.parseInt(model.group(2)));
  }

  private static Seconds require(String model) {
    Seconds seconds = PUBLISHED.get(model);
    if (seconds == null) {
      throw new IllegalArgumentException(
          "a model must be one of %s, whose run times were published, but was '%s'"
              .formatted(String.join(", ", PUBLISHED.keySet()), model));
    }
    return seconds;
  }

  private static long iterations(TraceJob job) {
    return job.iterations()
        .orElseThrow(
            () -> new IllegalArgumentException("a job must have iterations, but had none: " + job));
  }

  private static Map<String, Seconds> published() {
    Map<String, Seconds> published = new LinkedHashMap<>();
    published.put("vgg16", new Seconds(510, 767, 810, 1190, 220, 227));
    published.put("resnet50", new Seconds(203, 204, 210, 255, 146, 164));
    published.put("inception3", new Seconds(289, 295, 290, 310, 253, 257));
    return published;
  }

  private record Named(Seconds seconds, int batchSize) {}

  /** Run times of a model, in the order of the published table. */
  private record Seconds(
      double together,
      double oneWorkerApart,
      double allApart,
      double serverApart,
      double oneGpu,
      double twoGpus) {}

  /** The servers and workers on each node. */
  private record Counts(Map<NodeId, int[]> byNode, int servers, int workers) {

    static Counts of(TraceJob job, Placement placement) {
      Map<NodeId, int[]> byNode = new LinkedHashMap<>();
      int servers = 0;
      for (TaskPlacement task : placement.tasks()) {
        boolean isServer = task.task().role().equals(SERVER);
        servers += isServer ? 1 : 0;
        byNode.computeIfAbsent(task.node(), node -> new int[2])[isServer ? 0 : 1]++;
      }
      int workers = placement.tasks().size() - servers;
      if (servers == 0 || workers == 0) {
        throw new IllegalArgumentException(
            "a job of several tasks must have roles '%s' and '%s' for its published run time, but"
                    .formatted(SERVER, WORKER)
                + " had only one of them, for "
                + job);
      }
      return new Counts(byNode, servers, workers);
    }

    double seconds(Seconds seconds) {
      double split = 1 - (double) joinedPairs() / ((long) servers * workers);
      double apart = between(seconds.allApart, seconds.serverApart, shared());
      return split <= 0.5
          ? between(seconds.together, seconds.oneWorkerApart, 2 * split)
          : between(seconds.oneWorkerApart, apart, 2 * split - 1);
    }

    private long joinedPairs() {
      return byNode.values().stream().mapToLong(node -> (long) node[0] * node[1]).sum();
    }

    /** Returns the part of the workers that share a node without a server with another worker. */
    private double shared() {
      return byNode.values().stream()
              .filter(node -> node[0] == 0 && node[1] > 1)
              .mapToInt(node -> node[1])
              .sum()
          / (double) workers;
    }

    private static double between(double from, double to, double part) {
      return from + (to - from) * part;
    }
  }
}
