package io.github.liquidscheduler.benchmarks.batch;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Draws instances from a seed.
 *
 * <ol>
 *   <li>Nodes have 8 GPUs. Of each node it is drawn whether it is partly busy (4 of 10); if so, 1
 *       to 8 of its GPUs are held by running jobs of one task of 1, 2 or 4 GPUs.
 *   <li>The jobs to place ask together for a given part of the free GPUs. A job's GPUs are a power
 *       of two up to 64, drawn with probability proportional to a power of the size that makes the
 *       mean right; jobs drawn at random are then halved or doubled until the sum is right.
 *   <li>Tasks have one GPU in jobs of up to 4 GPUs, 1 or 2 in those of 8, and 2, 4 or 8 in larger.
 *   <li>Traffic is 1 to 4 for each pair of tasks, intensity 1 to 4 for each task.
 * </ol>
 */
final class InstanceGenerator {

  static final int GPUS = 8;
  private static final int[] LADDER = {1, 2, 4, 8, 16, 32, 64};
  private static final GpuModel MODEL = GpuModel.of("A100");

  private final InstanceSize size;
  private final double load;
  private final SplittableRandom random;
  private final List<JobSpec> running = new ArrayList<>();
  private final List<Placement> placements = new ArrayList<>();

  private InstanceGenerator(InstanceSize size, double load, long seed) {
    this.size = size;
    this.load = load;
    random = new SplittableRandom(seed);
  }

  /**
   * Returns the instance of a size, a load and a seed.
   *
   * @param load the part of the free GPUs that the jobs request, in (0, 1]
   * @throws IllegalArgumentException if the load is not in its range, or so low that there is less
   *     than a GPU for each job
   */
  static Instance generate(InstanceSize size, double load, long seed) {
    if (!(load > 0 && load <= 1)) {
      throw new IllegalArgumentException(
          "a load must be above 0 and at most 100 %%, but was %.0f %%".formatted(100 * load));
    }
    String name = "%s-%d-%d".formatted(size.name(), Math.round(100 * load), seed);
    return new InstanceGenerator(size, load, seed).generate(name);
  }

  private Instance generate(String name) {
    ClusterTopology cluster = cluster();
    int busy = 0;
    for (int node = 0; node < size.nodes(); node++) {
      busy += occupy(node);
    }
    int free = size.nodes() * GPUS - busy;
    int request = (int) Math.round(load * free);
    if (request < size.jobs()) {
      throw new IllegalArgumentException(
          "the %d jobs of size %s must ask for a GPU each, but at a load of %.0f %% they have %d"
              .formatted(size.jobs(), size.name(), 100 * load, request));
    }
    return new Instance(name, cluster, running, placements, jobs(request));
  }

  private ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    int racks = Math.ceilDiv(size.nodes(), size.nodesPerRack());
    for (int rack = 0; rack < racks; rack++) {
      cluster.domain(Domain.of("rack", "rack-" + rack));
    }
    for (int node = 0; node < size.nodes(); node++) {
      cluster.node(
          Node.builder("node-" + node)
              .domain("rack-" + node / size.nodesPerRack())
              .gpus(GPUS, MODEL, Memory.ofGib(40))
              .build());
    }
    return cluster.build();
  }

  private int occupy(int node) {
    if (random.nextInt(10) >= 4) {
      return 0;
    }
    int busy = 1 + random.nextInt(GPUS);
    int at = 0;
    while (at < busy) {
      int gpus = Math.min(1 << random.nextInt(3), busy - at);
      JobSpec job = job("running-" + running.size(), 1, gpus);
      List<Integer> held = IntStream.range(at, at + gpus).boxed().toList();
      TaskId id = new TaskId("worker", 0);
      NodeId on = NodeId.of("node-" + node);
      TaskPlacement task = new TaskPlacement(id, on, held, ResourceRequest.ofGpus(gpus));
      running.add(job);
      placements.add(new Placement(job.id(), List.of(task)));
      at += gpus;
    }
    return busy;
  }

  private List<JobSpec> jobs(int request) {
    int[] gpus = sizes(request);
    List<JobSpec> jobs = new ArrayList<>();
    for (int i = 0; i < gpus.length; i++) {
      int each = gpusEach(gpus[i]);
      jobs.add(job("job-" + i, gpus[i] / each, each));
    }
    return jobs;
  }

  private int gpusEach(int gpus) {
    return gpus < 8 ? 1 : gpus == 8 ? 1 << random.nextInt(2) : 2 << random.nextInt(3);
  }

  private JobSpec job(String id, int tasks, int gpusEach) {
    long traffic = 1L + random.nextInt(4);
    long intensity = 1L + random.nextInt(4);
    return JobSpec.builder(id)
        .role("worker", tasks, ResourceRequest.ofGpus(gpusEach))
        .communication(new Communication.AllReduce(traffic * 100_000_000))
        .label(Instance.TRAFFIC, Long.toString(traffic))
        .label(Instance.INTENSITY, Long.toString(intensity))
        .build();
  }

  private int[] sizes(int request) {
    double[] shares = sharesWithMean((double) request / size.jobs());
    int[] sizes = new int[size.jobs()];
    int sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = draw(shares);
      sum += sizes[i];
    }
    while (sum != request) {
      int i = random.nextInt(sizes.length);
      int now = sizes[i];
      if (sum > request && now > 1 && now / 2 <= sum - request) {
        sizes[i] = now / 2;
      } else if (sum < request && now < 64 && now <= request - sum) {
        sizes[i] = 2 * now;
      }
      sum += sizes[i] - now;
      if (sum > request && sum - request < smallestHalf(sizes)) {
        return sizes;
      }
    }
    return sizes;
  }

  private static int smallestHalf(int[] sizes) {
    return IntStream.of(sizes).filter(one -> one > 1).min().orElse(2) / 2;
  }

  private int draw(double[] shares) {
    double left = random.nextDouble();
    for (int i = 0; i < shares.length - 1; i++) {
      left -= shares[i];
      if (left < 0) {
        return LADDER[i];
      }
    }
    return LADDER[shares.length - 1];
  }

  private static double[] sharesWithMean(double mean) {
    double low = -10;
    double high = 10;
    double[] shares = shares(0);
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      shares = shares(middle);
      if (mean(shares) < mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return shares;
  }

  private static double[] shares(double exponent) {
    double[] powers = IntStream.of(LADDER).mapToDouble(s -> Math.pow(s, exponent)).toArray();
    double sum = 0;
    for (double power : powers) {
      sum += power;
    }
    double total = sum;
    return DoubleStream.of(powers).map(power -> power / total).toArray();
  }

  private static double mean(double[] shares) {
    double mean = 0;
    for (int i = 0; i < shares.length; i++) {
      mean += shares[i] * LADDER[i];
    }
    return mean;
  }
}
