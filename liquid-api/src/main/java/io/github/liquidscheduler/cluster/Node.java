package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.text.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A machine of the cluster: its GPUs, CPU, memory, network card and labels.
 *
 * @param id the identity
 * @param gpus the GPUs, at most {@value #MAX_GPUS}; the position in the list is the {@link
 *     GpuId#index()}
 * @param cpu the CPU there is for tasks
 * @param memory the host memory there is for tasks
 * @param nic the link from the node to its domain; {@link Link#UNLIMITED} by default
 * @param nvlink the rate between two GPUs of one NVLink group, or of PCIe where there is none
 * @param disk the disk space for copies of data sets; none by default
 * @param datasets the data sets of which it has copies when it comes; none by default
 * @param labels the labels in the order of their names
 * @param domain the domain the node hangs on, or empty if it hangs on the cluster itself
 */
public record Node(
    NodeId id,
    List<Gpu> gpus,
    CpuCores cpu,
    Memory memory,
    Link nic,
    Bandwidth nvlink,
    Memory disk,
    List<Dataset> datasets,
    Map<String, String> labels,
    Optional<DomainId> domain) {

  /** The largest number of GPUs on one node. */
  public static final int MAX_GPUS = 1024;

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if it has more than {@value #MAX_GPUS} GPUs, two copies of one
   *     name, or copies that its disk cannot hold, or a label is not Unicode
   */
  public Node {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(cpu, "cpu");
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(nic, "nic");
    Objects.requireNonNull(nvlink, "nvlink");
    Objects.requireNonNull(disk, "disk");
    Objects.requireNonNull(domain, "domain");
    gpus = List.copyOf(gpus);
    datasets = List.copyOf(datasets);
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    if (gpus.size() > MAX_GPUS) {
      throw new IllegalArgumentException(
          "a node must have at most %d GPUs, but had %d, for node '%s'"
              .formatted(MAX_GPUS, gpus.size(), id));
    }
    requireSpace(datasets, disk, id);
    labels.forEach(Node::requireLabel);
  }

  private static void requireSpace(List<Dataset> datasets, Memory disk, NodeId id) {
    Set<String> names = new HashSet<>();
    long left = disk.bytes();
    for (Dataset dataset : datasets) {
      left -= dataset.size().bytes();
      if (left < 0 || !names.add(dataset.name())) {
        throw new IllegalArgumentException(
            "the copies of a node must be of distinct data sets and fit its disk of %s, but were %s, for node '%s'"
                .formatted(disk, datasets, id));
      }
    }
  }

  private static void requireLabel(String name, String value) {
    Text.require(name, "a label's name");
    Text.require(value, "a label's value");
  }

  /**
   * Returns a builder of the node {@code id}: no GPU, unlimited CPU, memory and network.
   *
   * @throws IllegalArgumentException if {@code id} is blank
   */
  public static Builder builder(String id) {
    return new Builder(NodeId.of(id));
  }

  /**
   * Returns a builder that starts from this node. GPUs and data sets come beside those that the
   * node has, and a label takes the place of the one of its name.
   */
  public Builder toBuilder() {
    return new Builder(this);
  }

  // The identity tells nodes apart well enough, and fast.
  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "node '" + id + "' (" + gpus.size() + (gpus.size() == 1 ? " GPU)" : " GPUs)");
  }

  /** Builds a {@link Node}. Not thread-safe. */
  public static final class Builder {
    private NodeId id;
    private final List<Gpu> gpus = new ArrayList<>();
    private CpuCores cpu = new CpuCores(Long.MAX_VALUE);
    private Memory memory = new Memory(Long.MAX_VALUE);
    private Link nic = Link.UNLIMITED;
    private Bandwidth nvlink = Bandwidth.UNLIMITED;
    private Memory disk = Memory.ZERO;
    private final List<Dataset> datasets = new ArrayList<>();
    private final Map<String, String> labels = new TreeMap<>();
    private Optional<DomainId> domain = Optional.empty();

    private Builder(NodeId id) {
      this.id = id;
    }

    private Builder(Node node) {
      id = node.id;
      gpus.addAll(node.gpus);
      cpu = node.cpu;
      memory = node.memory;
      nic = node.nic;
      nvlink = node.nvlink;
      disk = node.disk;
      datasets.addAll(node.datasets);
      labels.putAll(node.labels);
      domain = node.domain;
    }

    /**
     * Sets another identity: for a node that is like one that is there.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public Builder id(String id) {
      this.id = NodeId.of(id);
      return this;
    }

    /**
     * Adds {@code count} equal GPUs.
     *
     * @throws IllegalArgumentException if {@code count} is negative
     */
    public Builder gpus(int count, GpuModel model, Memory memory) {
      if (count < 0) {
        throw new IllegalArgumentException(
            "a node's GPUs must not be negative, but were " + count + ", for node '" + id + "'");
      }
      for (int i = 0; i < count; i++) {
        gpu(Gpu.of(model, memory));
      }
      return this;
    }

    /** Adds a GPU. */
    public Builder gpu(Gpu gpu) {
      gpus.add(gpu);
      return this;
    }

    /** Sets the CPU there is for tasks. */
    public Builder cpu(CpuCores cpu) {
      this.cpu = cpu;
      return this;
    }

    /** Sets the host memory there is for tasks. */
    public Builder memory(Memory memory) {
      this.memory = memory;
      return this;
    }

    /** Sets the link from the node to its domain. */
    public Builder nic(Link nic) {
      this.nic = nic;
      return this;
    }

    /** Sets the rate between two GPUs of one NVLink group. */
    public Builder nvlink(Bandwidth nvlink) {
      this.nvlink = nvlink;
      return this;
    }

    /** Sets the disk space for copies of data sets. */
    public Builder disk(Memory disk) {
      this.disk = disk;
      return this;
    }

    /** Adds a copy that the node has when it comes. */
    public Builder dataset(Dataset dataset) {
      datasets.add(dataset);
      return this;
    }

    /** Sets a label. */
    public Builder label(String name, String value) {
      requireLabel(name, value);
      labels.put(name, value);
      return this;
    }

    /** Hangs the node on a domain. */
    public Builder domain(String domain) {
      this.domain = Optional.of(DomainId.of(domain));
      return this;
    }

    /**
     * Returns the node.
     *
     * @throws IllegalArgumentException if it has more than {@value #MAX_GPUS} GPUs, two copies of
     *     one name, or copies that its disk cannot hold, or a label is not Unicode
     */
    public Node build() {
      return new Node(id, gpus, cpu, memory, nic, nvlink, disk, datasets, labels, domain);
    }
  }
}
