package io.github.liquidscheduler.lab.calibration;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads published measurements of data-parallel training. What an application sends are its
 * parameters of four bytes each, as the models' descriptions count them; what it computes is its
 * own iteration on one GPU.
 */
public final class Measurements {

  /** The parameters of Pollux' applications, in millions. */
  private static final Map<String, Double> POLLUX = new TreeMap<>();

  /** The parameters of Muri's models, in millions. */
  private static final Map<String, Double> MURI = new TreeMap<>();

  static {
    POLLUX.put("bert", 108.9); // BERT-base for question answering
    POLLUX.put("cifar10", 11.17); // ResNet-18 for CIFAR-10
    POLLUX.put("deepspeech2", 41.2); // five layers of 800 two-way GRU cells
    POLLUX.put("imagenet", 25.56); // ResNet-50
    POLLUX.put("ncf", 1.60); // NeuMF, 32 factors, three layers, MovieLens-1M
    POLLUX.put("yolov3", 61.6); // 20 classes
    MURI.put("a2c", 1.7);
    MURI.put("bert", 109.5);
    MURI.put("dqn", 1.7);
    MURI.put("gpt2", 124.4);
    MURI.put("resnet18", 11.7);
    MURI.put("shufflenet_v2_x1_0", 2.28);
    MURI.put("vgg16", 138.4);
    MURI.put("vgg19", 143.7);
  }

  private static final double BYTES_PER_MILLION = 4e6;
  private static final int MOST = 1_000_000;

  private Measurements() {}

  /**
   * Returns the step times that Pollux (OSDI 21) measured on up to four nodes of four T4 with 50
   * Gbit/s Ethernet: {@code placements.csv} of each application.
   *
   * @param folder the folder of one folder for each application
   */
  public static MeasuredCluster pollux(Path folder) {
    ClusterTopology topology = cluster("T4", 4, 4, 16, 50);
    List<MeasuredRun> observations = new ArrayList<>();
    POLLUX.forEach(
        (application, parameters) ->
            addPollux(
                folder.resolve(application).resolve("placements.csv"),
                application,
                parameters,
                topology,
                observations));
    return new MeasuredCluster("pollux", topology, observations);
  }

  private static void addPollux(
      Path path,
      String application,
      double parameters,
      ClusterTopology topology,
      List<MeasuredRun> into) {
    List<Row> rows = Rows.read(path, "placement", "local_bsz", "step_time");
    Map<Integer, Traffic> trafficByBatch = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.text("placement").equals("1")) {
        trafficByBatch.put(batch(row), traffic(application, parameters, row.positive("step_time")));
      }
    }
    for (Row row : rows) {
      String placement = row.text("placement");
      Traffic traffic = trafficByBatch.get(batch(row));
      if (!placement.matches("[1-4]{1,4}")) {
        throw row.error("placement", "must be a digit from 1 to 4 for each of 1 to 4 nodes");
      }
      if (traffic != null && !placement.equals("1")) {
        int[] gpus = placement.chars().map(digit -> digit - '0').toArray();
        into.add(
            new MeasuredRun(
                application,
                placement,
                traffic,
                counts(topology, gpus),
                row.positive("step_time")));
      }
    }
  }

  /**
   * Returns the iteration times that Muri (SIGCOMM 22) profiled on up to four nodes of eight V100
   * with 100 Gbit/s InfiniBand: the most frequent one of each model and number of GPUs in its
   * traces, for one entry is known to be wrong.
   *
   * @param folder the folder of the traces
   */
  public static MeasuredCluster muri(Path folder) {
    Map<String, Map<Integer, Map<Double, Integer>>> profiles = new TreeMap<>();
    for (Path path : csvFiles(folder)) {
      for (Row row : Rows.read(path, "model_name", "num_gpu", "iteration_time")) {
        profiles
            .computeIfAbsent(row.text("model_name"), model -> new TreeMap<>())
            .computeIfAbsent((int) row.whole("num_gpu", 1, MOST), gpus -> new TreeMap<>())
            .merge(row.positive("iteration_time") / 1000, 1, Integer::sum);
      }
    }
    ClusterTopology topology = cluster("V100", 8, 4, 16, 100);
    List<MeasuredRun> observations = new ArrayList<>();
    MURI.forEach(
        (model, parameters) ->
            addMuri(
                model, parameters, profiles.getOrDefault(model, Map.of()), topology, observations));
    return new MeasuredCluster("muri", topology, observations);
  }

  private static void addMuri(
      String model,
      double parameters,
      Map<Integer, Map<Double, Integer>> byGpus,
      ClusterTopology topology,
      List<MeasuredRun> into) {
    Map<Double, Integer> alone = byGpus.get(1);
    if (alone == null) {
      throw new IllegalArgumentException("there must be a profile of " + model + " on one GPU");
    }
    Traffic traffic = traffic(model, parameters, mostFrequent(alone));
    byGpus.forEach(
        (gpus, seconds) -> {
          if (gpus > 1) {
            int[] onNodes = new int[Math.ceilDiv(gpus, 8)];
            Arrays.fill(onNodes, Math.min(gpus, 8));
            into.add(
                new MeasuredRun(
                    model,
                    gpus + " GPUs",
                    traffic,
                    counts(topology, onNodes),
                    mostFrequent(seconds)));
          }
        });
  }

  private static int batch(Row row) {
    return (int) row.whole("local_bsz", 1, MOST);
  }

  private static double mostFrequent(Map<Double, Integer> counts) {
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private static List<Path> csvFiles(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Traffic traffic(String application, double parameters, double computeSeconds) {
    JobSpec job =
        JobSpec.builder(application)
            .role("worker", 1, ResourceRequest.ofGpus(1))
            .communication(new Communication.AllReduce(Math.round(BYTES_PER_MILLION * parameters)))
            .build();
    return Traffic.of(job, Duration.ofNanos(Math.round(computeSeconds * 1e9)));
  }

  private static TaskCounts counts(ClusterTopology topology, int[] gpusOnNodes) {
    TaskCounts counts = new TaskCounts(topology.nodes().size(), 1);
    for (int node = 0; node < gpusOnNodes.length; node++) {
      counts.add(node, 0, gpusOnNodes[node]);
    }
    return counts;
  }

  private static ClusterTopology cluster(
      String model, int gpus, int nodes, int pcieGigabytes, int nicGigabits) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < nodes; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(gpus, GpuModel.of(model), Memory.ofGib(16))
              .nvlink(Bandwidth.ofGigabytesPerSecond(pcieGigabytes))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(nicGigabits)))
              .build());
    }
    return cluster.build();
  }
}
