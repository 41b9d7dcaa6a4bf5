package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.formats.topology.Hardware;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import picocli.CommandLine.Option;

/** The hardware of nodes and links that files do not describe; the same for all. */
final class HardwareOptions {

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "8",
      description = "GPUs of each node (default: ${DEFAULT-VALUE}).")
  private int gpus;

  @Option(
      names = "--gpu-model",
      paramLabel = "MODEL",
      defaultValue = "GPU",
      description = "Model of the GPUs (default: ${DEFAULT-VALUE}).")
  private String model = "";

  @Option(
      names = "--gpu-memory",
      paramLabel = "GIB",
      defaultValue = "80",
      description = "Memory of each GPU in GiB (default: ${DEFAULT-VALUE}).")
  private long memory;

  @Option(
      names = "--nic",
      paramLabel = "GBIT/S",
      defaultValue = "0",
      description =
          "NIC bandwidth of each node in Gbit/s; 0 is unlimited (default: ${DEFAULT-VALUE}).")
  private long nic;

  @Option(
      names = "--nvlink",
      paramLabel = "GB/S",
      defaultValue = "0",
      description =
          "NVLink bandwidth within a node in GB/s; 0 is unlimited (default: ${DEFAULT-VALUE}).")
  private long nvlink;

  @Option(
      names = "--uplink",
      paramLabel = "GBIT/S",
      defaultValue = "0",
      description =
          "Uplink bandwidth of each switch in Gbit/s; 0 is unlimited (default: ${DEFAULT-VALUE}).")
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
