package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.topology.Hardware;
import picocli.CommandLine.Option;

/** What topology files do not say of nodes and links; the same for all. */
final class HardwareOptions {

  @Option(
      names = "--gpus",
      defaultValue = "8",
      description = "GPUs of a node. Default: ${DEFAULT-VALUE}")
  private int gpus;

  @Option(
      names = "--gpu-model",
      defaultValue = "GPU",
      description = "Model of all GPUs. Default: ${DEFAULT-VALUE}")
  private String model = "";

  @Option(
      names = "--gpu-memory",
      defaultValue = "80",
      description = "Memory of a GPU in GiB. Default: ${DEFAULT-VALUE}")
  private long memory;

  @Option(
      names = "--nic",
      defaultValue = "0",
      description = "Network card of a node in Gbit/s; 0 never limits. Default: ${DEFAULT-VALUE}")
  private long nic;

  @Option(
      names = "--nvlink",
      defaultValue = "0",
      description = "Between GPUs of a node in GB/s; 0 never limits. Default: ${DEFAULT-VALUE}")
  private long nvlink;

  @Option(
      names = "--uplink",
      defaultValue = "0",
      description = "From a switch upwards in Gbit/s; 0 never limits. Default: ${DEFAULT-VALUE}")
  private long uplink;

  Hardware hardware() {
    return Hardware.of(gpus, GpuModel.of(model), Memory.ofGib(memory))
        .withNic(link(nic))
        .withNvlink(nvlink == 0 ? Bandwidth.UNLIMITED : Bandwidth.ofGigabytesPerSecond(nvlink))
        .withUplink(link(uplink));
  }

  private static Link link(long gigabits) {
    return gigabits == 0 ? Link.UNLIMITED : Link.of(Bandwidth.ofGigabitsPerSecond(gigabits));
  }
}
