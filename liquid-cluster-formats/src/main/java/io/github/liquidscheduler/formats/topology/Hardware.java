package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The GPUs, network card and NVLink rate of every node, and the uplink of every domain, for formats
 * that do not state them.
 *
 * @param memoryOf the memory of GPUs of a model that a file names without one; where it returns
 *     empty, {@code memory} is assumed
 */
public record Hardware(
    int gpus,
    GpuModel model,
    Memory memory,
    Link nic,
    Bandwidth nvlink,
    Link uplink,
    Function<GpuModel, Optional<Memory>> memoryOf) {

  /**
   * Checks the number of GPUs.
   *
   * @throws IllegalArgumentException if {@code gpus} is negative or above {@link Node#MAX_GPUS}
   */
  public Hardware {
    if (gpus < 0 || gpus > Node.MAX_GPUS) {
      throw new IllegalArgumentException(
          "a node must have from 0 to " + Node.MAX_GPUS + " GPUs, but had " + gpus);
    }
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(nic, "nic");
    Objects.requireNonNull(nvlink, "nvlink");
    Objects.requireNonNull(uplink, "uplink");
    Objects.requireNonNull(memoryOf, "memoryOf");
  }

  /**
   * Returns nodes of {@code gpus} GPUs, with a network that never limits.
   *
   * @throws IllegalArgumentException if {@code gpus} is negative or above {@link Node#MAX_GPUS}
   */
  public static Hardware of(int gpus, GpuModel model, Memory memory) {
    return new Hardware(
        gpus,
        model,
        memory,
        Link.UNLIMITED,
        Bandwidth.UNLIMITED,
        Link.UNLIMITED,
        named -> Optional.empty());
  }

  /** Returns this hardware with the network card {@code nic}. */
  public Hardware withNic(Link nic) {
    return new Hardware(gpus, model, memory, nic, nvlink, uplink, memoryOf);
  }

  /** Returns this hardware with the rate {@code nvlink} between the GPUs of a node. */
  public Hardware withNvlink(Bandwidth nvlink) {
    return new Hardware(gpus, model, memory, nic, nvlink, uplink, memoryOf);
  }

  /** Returns this hardware with the link {@code uplink} from each domain to its parent. */
  public Hardware withUplink(Link uplink) {
    return new Hardware(gpus, model, memory, nic, nvlink, uplink, memoryOf);
  }

  /** Returns this hardware with what is known of the memory of GPUs by their model. */
  public Hardware withMemoryOf(Function<GpuModel, Optional<Memory>> memoryOf) {
    return new Hardware(gpus, model, memory, nic, nvlink, uplink, memoryOf);
  }

  /** Returns a node without GPUs. */
  Node.Builder bareNode(String id) {
    return Node.builder(id).nic(nic).nvlink(nvlink);
  }

  Node.Builder node(String id) {
    return bareNode(id).gpus(gpus, model, memory);
  }

  Domain domain(String level, String id) {
    return Domain.of(level, id).withUplink(uplink);
  }

  /** Returns a domain in {@code parent}, or below the cluster if that is empty. */
  Domain domain(String level, String id, String parent) {
    Domain domain = domain(level, id);
    return parent.isEmpty() ? domain : domain.in(parent);
  }
}
