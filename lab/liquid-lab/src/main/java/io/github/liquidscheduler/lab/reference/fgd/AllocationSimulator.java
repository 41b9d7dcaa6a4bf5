package io.github.liquidscheduler.lab.reference.fgd;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;

/**
 * The experiment on one cluster and one workload. The pods of the workload come in random order,
 * followed by more that are drawn from them, until they have requested 1.3 times the GPUs that
 * there are. Each is placed when it comes, or never. Of equally good nodes the first by name is
 * taken. Immutable.
 */
public final class AllocationSimulator {
  private static final double ARRIVING = 1.3;
  private static final int MOST_GPUS = 64;
  private static final long MOST = 1_000_000_000_000L;

  private final List<PodNode> nodes;
  private final List<PodRequest> workload;

  private AllocationSimulator(List<PodNode> nodes, List<PodRequest> workload) {
    this.nodes = nodes;
    this.workload = workload;
  }

  /**
   * Reads the files of Alibaba's cluster trace of 2023.
   *
   * @param nodes {@code openb_node_list_*.csv}
   * @param pods {@code openb_pod_list_*.csv}; GPU models that they name are not heeded
   * @throws io.github.liquidscheduler.formats.InputFormatException if a file is not of this form
   */
  public static AllocationSimulator read(Path nodes, Path pods) {
    List<PodNode> cluster =
        new ArrayList<>(
            rows(
                nodes, List.of("sn", "cpu_milli", "memory_mib", "gpu"), AllocationSimulator::node));
    cluster.sort(Comparator.comparing(PodNode::name));
    return new AllocationSimulator(
        List.copyOf(cluster),
        rows(
            pods,
            List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"),
            AllocationSimulator::pod));
  }

  private static PodNode node(Row row) {
    return new PodNode(
        row.text("sn"),
        row.whole("cpu_milli", 0, MOST),
        row.whole("memory_mib", 0, MOST),
        (int) row.whole("gpu", 0, MOST_GPUS));
  }

  private static PodRequest pod(Row row) {
    int gpus = (int) row.whole("num_gpu", 0, MOST_GPUS);
    return new PodRequest(
        row.whole("cpu_milli", 0, MOST),
        row.whole("memory_mib", 0, MOST),
        gpus,
        gpus == 0 ? 0 : (int) row.whole("gpu_milli", 1, PodRequest.WHOLE));
  }

  private static <T> List<T> rows(Path file, List<String> columns, Function<Row, T> reader) {
    try (InputStream bytes = Files.newInputStream(file)) {
      Rows rows =
          Rows.withHeader(new BoundedLines(file.toString(), bytes), CSVFormat.DEFAULT, columns);
      List<T> read = new ArrayList<>();
      for (Row row = rows.next(); row != null; row = rows.next()) {
        read.add(reader.apply(row));
      }
      return List.copyOf(read);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
  }

  /** Returns what is allocated when the pods come in the order of this seed. */
  public AllocationRates run(PodPolicy policy, long seed) {
    Random random = new Random(seed);
    double capacity = nodes.stream().mapToInt(node -> node.gpus() * PodRequest.WHOLE).sum();
    PodPlacement placement = new PodPlacement(nodes, policy, new TypicalPods(workload), random);
    double atCapacity = Double.NaN;
    for (PodRequest pod : arrivals(capacity, random)) {
      placement.place(pod);
      if (Double.isNaN(atCapacity) && placement.requested() >= capacity) {
        atCapacity = placement.allocated() / capacity;
      }
    }
    return new AllocationRates(atCapacity, placement.allocated() / capacity);
  }

  private List<PodRequest> arrivals(double capacity, Random random) {
    List<PodRequest> arrivals = new ArrayList<>(workload);
    Collections.shuffle(arrivals, random);
    double requested = arrivals.stream().mapToDouble(PodRequest::gpuTotal).sum();
    while (requested < ARRIVING * capacity) {
      PodRequest drawn = workload.get(random.nextInt(workload.size()));
      arrivals.add(drawn);
      requested += drawn.gpuTotal();
    }
    return arrivals;
  }
}
