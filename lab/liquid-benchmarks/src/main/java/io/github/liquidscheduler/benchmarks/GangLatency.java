package io.github.liquidscheduler.benchmarks;

import com.sun.management.ThreadMXBean;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.topology.Hardware;
import io.github.liquidscheduler.formats.topology.TopologyReader;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.NodeScore;
import io.github.liquidscheduler.simulator.baseline.TaskByTaskPlacer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long it takes to place a gang where its traffic costs least. */
@Command(
    name = "gangs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times the least-cost placer on gangs that sum gradients in a ring, on a topology whose links"
          + " carry the traffic of random residents, of several clusters in turn. Times are those"
          + " of the processor, so that a busy machine shows less; the last of three rounds counts."
    })
final class GangLatency implements Callable<Integer> {

  private static final int ROUNDS = 3;
  private static final int GPUS = 8;
  private static final int MOST_RESIDENTS = 100_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  /** Which cluster. */
  private static final class Source {

    @Option(
        names = "--topology",
        description =
            "A topology file that 'liquid topology show' reads, such as Lingjun's topo.csv. Hosts"
                + " get 8 GPUs, 200 Gbit/s each and 1.6 Tbit/s above.")
    private Path topology = Path.of("");

    @Option(
        names = "--hosts",
        paramLabel = "HOSTS",
        description =
            "So many such hosts instead, 25 in a rack and 8 racks in a pod (default: those of"
                + " --topology).")
    private int hosts;

    ClusterTopology read() {
      return hosts == 0 ? TopologyReader.any(hardware()).read(topology).cluster() : pods(hosts);
    }
  }

  @Option(
      names = "--loaded",
      paramLabel = "FRACTION",
      split = ",",
      defaultValue = "0.5,0.9",
      description =
          "Fractions of the hosts whose links are loaded, from 0 to 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Double> loaded = List.of();

  @Option(
      names = "--loads",
      paramLabel = "CLUSTERS",
      defaultValue = "12",
      description = "Clusters with residents of their own (default: ${DEFAULT-VALUE}).")
  private int loads;

  @Option(
      names = "--gpus",
      paramLabel = "GPUS",
      split = ",",
      defaultValue = "8,32,128,512",
      description = "Sizes of the gang in GPUs (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--calls",
      paramLabel = "GANGS",
      defaultValue = "1000",
      description = "Gangs placed in a round (default: ${DEFAULT-VALUE}).")
  private int calls;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "7",
      description = "Seed of the first cluster's residents (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    ClusterTopology cluster = source.read();
    System.out.println("Machine: " + Machine.describe());
    System.out.println(
        "   hosts   loaded     gang   placed     p50 (us)     p99 (us)   bytes a call");
    for (double part : loaded) {
      List<ClusterState> states =
          LongStream.range(seed, seed + loads)
              .mapToObj(residents -> withResidents(cluster, part, residents))
              .toList();
      sizes.forEach(gpus -> report(states, gpus));
    }
    return 0;
  }

  private static ClusterTopology pods(int hosts) {
    StringBuilder hostsByRack = new StringBuilder("ip,DSW,PSW,ASW\n");
    for (int host = 0; host < hosts; host++) {
      hostsByRack.append("h%d,all,p%d,r%d%n".formatted(host, host / 200, host / 25));
    }
    return TopologyReader.lingjun(hardware())
        .read("--hosts", hostsByRack.toString().lines().toList())
        .cluster();
  }

  private static Hardware hardware() {
    return Hardware.of(GPUS, GpuModel.of("A100"), Memory.ofGib(80))
        .withNic(Link.of(Bandwidth.ofGigabitsPerSecond(200)))
        .withNvlink(Bandwidth.ofGigabytesPerSecond(200))
        .withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(1600)));
  }

  /** Adds gangs of 1 to 24 GPUs, a quarter of them scattered, until enough hosts send. */
  private static ClusterState withResidents(ClusterTopology cluster, double part, long residents) {
    ClusterState state = ClusterState.of(cluster);
    Random random = new Random(residents);
    Placer scattered = TaskByTaskPlacer.by(NodeScore.random(residents));
    for (int i = 0; i < MOST_RESIDENTS && hostsThatSend(state) < part * hosts(state); i++) {
      JobSpec job =
          JobSpec.builder("resident-" + i)
              .role("worker", 1 + random.nextInt(24), ResourceRequest.ofGpus(1))
              .communication(new Communication.AllReduce(100_000_000L * (1 + random.nextInt(8))))
              .build();
      Placer placer = random.nextInt(4) == 0 ? scattered : BestFitPlacer.bestFit();
      placer.place(state, job).ifPresent(place -> state.apply(job, place));
    }
    return state;
  }

  private static int hosts(ClusterState state) {
    return state.topology().nodes().size();
  }

  private static long hostsThatSend(ClusterState state) {
    return state.topology().nodes().stream()
        .map(Node::id)
        .filter(node -> !state.nicLoad(node).equals(Bandwidth.ZERO))
        .count();
  }

  private void report(List<ClusterState> states, int gpus) {
    Round round = measure(states, gpus);
    for (int i = 1; i < ROUNDS; i++) {
      round = measure(states, gpus);
    }
    Quantiles times = new Quantiles(round.times());
    System.out.printf(
        Locale.ROOT,
        "%8d %8d %8d %8d %12.1f %12.1f %14d%n",
        hosts(states.getFirst()),
        hostsThatSend(states.getFirst()),
        gpus,
        round.placed(),
        times.median().toNanos() / 1e3,
        times.at(0.99).toNanos() / 1e3,
        round.bytes() / calls);
  }

  private Round measure(List<ClusterState> states, int gpus) {
    Placer placer = Placers.leastCost();
    List<Duration> times = new ArrayList<>();
    int placed = 0;
    long bytes = 0;
    for (int i = 0; i < calls; i++) {
      JobSpec job =
          JobSpec.builder("gang-" + i)
              .gpus(gpus)
              .communication(new Communication.AllReduce(400_000_000L + i % 7 * 50_000_000L))
              .build();
      ClusterState state = states.get(i % states.size());
      long bytesBefore = threads.getCurrentThreadAllocatedBytes();
      long before = threads.getCurrentThreadCpuTime();
      placed += placer.place(state, job).isPresent() ? 1 : 0;
      times.add(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before));
      bytes += threads.getCurrentThreadAllocatedBytes() - bytesBefore;
    }
    return new Round(times, placed, bytes);
  }

  /** What calls took. */
  private record Round(List<Duration> times, int placed, long bytes) {}
}
