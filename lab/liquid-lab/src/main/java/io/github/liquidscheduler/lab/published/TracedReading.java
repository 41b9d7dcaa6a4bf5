package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Jobs of a trace, with data sets that the trace does not tell: each virtual cluster has some of
 * its own, of which a few are read by most of its jobs. {@code
 * lab/liquid-lab/docs/reference-simulators.md} has the conditions.
 */
final class TracedReading {
  private static final int NODES = 16;
  private static final int GPUS_PER_NODE = 8;
  private static final Memory DISK = Memory.ofTib(1);
  private static final Duration LONGEST = Duration.ofDays(2);
  private static final int DATA_SETS = 8;
  private static final double SMALLEST_GIB = 1;
  private static final double LARGEST_GIB = 150;
  private static final double MEBIBYTES = 1024;

  private final SplittableRandom random;
  private final double error;
  private final Map<String, List<Dataset>> datasets = new LinkedHashMap<>();

  private TracedReading(double error, long seed) {
    random = new SplittableRandom(seed);
    this.error = error;
  }

  static ReadingLoad of(List<TraceJob> trace, double load, double error, int jobs, long seed) {
    return new TracedReading(error, seed).load(trace, load, jobs);
  }

  private ReadingLoad load(List<TraceJob> trace, double load, int jobs) {
    List<TraceJob> drawn =
        trace.stream()
            .filter(job -> job.gpus() <= NODES * GPUS_PER_NODE && job.duration().isPresent())
            .toList();
    if (drawn.size() < jobs) {
      throw new IllegalArgumentException(
          "the trace must have %s of known run time and at most %d GPUs, but has %d"
              .formatted(Count.of(jobs, "job"), NODES * GPUS_PER_NODE, drawn.size()));
    }
    int first = random.nextInt(drawn.size() - jobs + 1);
    drawn = drawn.subList(first, first + jobs);
    double work = drawn.stream().mapToDouble(job -> job.gpus() * seconds(job)).sum();
    double pause = work / jobs / (load * NODES * GPUS_PER_NODE);
    List<ReadingLoad.Arrival> arrivals = new ArrayList<>();
    double at = 0;
    for (TraceJob job : drawn) {
      at -= Math.log(1 - random.nextDouble()) * pause;
      double told = seconds(job) * Math.exp(error * random.nextGaussian());
      JobSpec spec =
          JobSpec.builder(job.id())
              .gpus(job.gpus())
              .dataset(dataset(job.virtualCluster().orElse("all")))
              .expectedWork(ExpectedWork.ofDuration(ReadingLoad.of(told)))
              .build();
      arrivals.add(new ReadingLoad.Arrival(ReadingLoad.of(at), spec, ReadingLoad.of(seconds(job))));
    }
    return new ReadingLoad(cluster(), ReadingLoad.PATH, ReadingLoad.PROCESSES, arrivals);
  }

  private static double seconds(TraceJob job) {
    return Math.min(job.duration().orElseThrow().toMillis() / 1e3, (double) LONGEST.toSeconds());
  }

  /** Returns a data set of a virtual cluster, the k-th in proportion to 1/k. */
  private Dataset dataset(String virtualCluster) {
    List<Dataset> own = datasets.computeIfAbsent(virtualCluster, this::drawDatasets);
    double all = 0;
    for (int k = 1; k <= DATA_SETS; k++) {
      all += 1.0 / k;
    }
    double left = all * random.nextDouble();
    int k = 1;
    while (k < DATA_SETS && left > 1.0 / k) {
      left -= 1.0 / k;
      k++;
    }
    return own.get(k - 1);
  }

  private List<Dataset> drawDatasets(String virtualCluster) {
    List<Dataset> own = new ArrayList<>();
    for (int k = 1; k <= DATA_SETS; k++) {
      double gib = SMALLEST_GIB * Math.pow(LARGEST_GIB / SMALLEST_GIB, random.nextDouble());
      own.add(new Dataset(virtualCluster + "-" + k, Memory.ofMib(Math.round(gib * MEBIBYTES))));
    }
    return own;
  }

  private static ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int number = 1; number <= NODES; number++) {
      cluster.node(
          Node.builder("node-" + number)
              .gpus(GPUS_PER_NODE, GpuModel.of("P100"), Memory.ofGib(16))
              .cpu(CpuCores.of(64))
              .memory(Memory.ofGib(512))
              .disk(DISK)
              .build());
    }
    return cluster.build();
  }
}
