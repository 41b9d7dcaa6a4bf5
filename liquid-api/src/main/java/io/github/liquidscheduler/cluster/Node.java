package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.text.Count;
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
import org.jspecify.annotations.Nullable;

/** A machine of the cluster: its GPUs, CPU, memory, network card and labels. Immutable. */
public final class Node {

  /** The largest number of GPUs on one node. */
  public static final int MAX_GPUS = 1024;

  private final NodeId id;
  private final List<Gpu> gpus;
  private final CpuCores cpu;
  private final Memory memory;
  private final Link nic;
  private final Bandwidth nvlink;
  private final Memory disk;
  private final List<Dataset> datasets;
  private final Map<String, String> labels;
  private final @Nullable DomainId domain;

  private Node(Builder builder) {
    id = builder.id;
    gpus = List.copyOf(builder.gpus);
    cpu = builder.cpu;
    memory = builder.memory;
    nic = builder.nic;
    nvlink = builder.nvlink;
    disk = builder.disk;
    datasets = List.copyOf(builder.datasets);
    labels = Collections.unmodifiableMap(new TreeMap<>(builder.labels));
    domain = builder.domain;
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

  /** Returns the identity. */
  public NodeId id() {
    return id;
  }

  /** Returns the GPUs; the position in the list is the {@link GpuId#index()}. */
  public List<Gpu> gpus() {
    return gpus;
  }

  /** Returns the CPU there is for tasks. */
  public CpuCores cpu() {
    return cpu;
  }

  /** Returns the host memory there is for tasks. */
  public Memory memory() {
    return memory;
  }

  /** Returns the link from the node to its domain; {@link Link#UNLIMITED} by default. */
  public Link nic() {
    return nic;
  }

  /** Returns the rate between two GPUs of one NVLink group, or of PCIe where there is none. */
  public Bandwidth nvlink() {
    return nvlink;
  }

  /** Returns the disk space for copies of data sets; none by default. */
  public Memory disk() {
    return disk;
  }

  /** Returns the data sets of which it has copies when it comes; none by default. */
  public List<Dataset> datasets() {
    return datasets;
  }

  /** Returns the labels in the order of their names. */
  public Map<String, String> labels() {
    return labels;
  }

  /** Returns the domain the node hangs on, or empty if it hangs on the cluster itself. */
  public Optional<DomainId> domain() {
    return Optional.ofNullable(domain);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Node that && isLike(that));
  }

  private boolean isLike(Node that) {
    return id.equals(that.id)
        && gpus.equals(that.gpus)
        && cpu.equals(that.cpu)
        && memory.equals(that.memory)
        && nic.equals(that.nic)
        && nvlink.equals(that.nvlink)
        && disk.equals(that.disk)
        && datasets.equals(that.datasets)
        && labels.equals(that.labels)
        && Objects.equals(domain, that.domain);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "node '" + id + "' (" + Count.of(gpus.size(), "GPU") + ")";
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
    private @Nullable DomainId domain;

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
     * @throws IllegalArgumentException if {@code count} is negative, or the node had more than
     *     {@value #MAX_GPUS} GPUs
     */
    public Builder gpus(int count, GpuModel model, Memory memory) {
      if (count < 0) {
        throw new IllegalArgumentException(
            "a node's GPUs must not be negative, but were " + count + ", for node '" + id + "'");
      }
      requireAtMost(gpus.size() + (long) count);
      for (int i = 0; i < count; i++) {
        gpu(Gpu.of(model, memory));
      }
      return this;
    }

    private void requireAtMost(long count) {
      if (count > MAX_GPUS) {
        throw new IllegalArgumentException(
            "a node must have at most %d GPUs, but had %d, for node '%s'"
                .formatted(MAX_GPUS, count, id));
      }
    }

    /** Adds a GPU. */
    public Builder gpu(Gpu gpu) {
      gpus.add(Objects.requireNonNull(gpu, "gpu"));
      return this;
    }

    /** Sets the CPU there is for tasks. */
    public Builder cpu(CpuCores cpu) {
      this.cpu = Objects.requireNonNull(cpu, "cpu");
      return this;
    }

    /** Sets the host memory there is for tasks. */
    public Builder memory(Memory memory) {
      this.memory = Objects.requireNonNull(memory, "memory");
      return this;
    }

    /** Sets the link from the node to its domain. */
    public Builder nic(Link nic) {
      this.nic = Objects.requireNonNull(nic, "nic");
      return this;
    }

    /** Sets the rate between two GPUs of one NVLink group. */
    public Builder nvlink(Bandwidth nvlink) {
      this.nvlink = Objects.requireNonNull(nvlink, "nvlink");
      return this;
    }

    /** Sets the disk space for copies of data sets. */
    public Builder disk(Memory disk) {
      this.disk = Objects.requireNonNull(disk, "disk");
      return this;
    }

    /** Adds a copy that the node has when it comes. */
    public Builder dataset(Dataset dataset) {
      datasets.add(Objects.requireNonNull(dataset, "dataset"));
      return this;
    }

    /** Sets a label. */
    public Builder label(String name, String value) {
      labels.put(Text.require(name, "a label's name"), Text.require(value, "a label's value"));
      return this;
    }

    /** Hangs the node on a domain. */
    public Builder domain(String domain) {
      this.domain = DomainId.of(domain);
      return this;
    }

    /**
     * Returns the node.
     *
     * @throws IllegalArgumentException if it has more than {@value #MAX_GPUS} GPUs, two copies of
     *     one name, or copies that its disk cannot hold
     */
    public Node build() {
      requireAtMost(gpus.size());
      requireSpaceForCopies();
      return new Node(this);
    }

    private void requireSpaceForCopies() {
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
  }
}
