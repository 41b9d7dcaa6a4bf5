package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.formats.topology.Hardware;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The hardware of nodes and links that files do not describe; the same for all. */
final class HardwareOptions {

  private static final long UNKNOWN_GIB = 80;

  @Option(
      names = "--gpus",
      paramLabel = "GPUS",
      defaultValue = "8",
      description = "GPUs of each node, from 0 to 1024 (default: ${DEFAULT-VALUE}).")
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
      description =
          "Memory of each GPU in whole GiB where the file does not tell it (default: that of"
              + " the model if it is known, else 80).")
  private @Nullable Long memory;

  @Option(
      names = "--nic",
      paramLabel = "GBIT/S",
      defaultValue = "0",
      description =
          "NIC bandwidth of each node in whole Gbit/s; 0 is unlimited (default:"
              + " ${DEFAULT-VALUE}).")
  private long nic;

  @Option(
      names = "--nvlink",
      paramLabel = "GB/S",
      defaultValue = "0",
      description =
          "NVLink bandwidth within a node in whole GB/s; 0 is unlimited (default:"
              + " ${DEFAULT-VALUE}).")
  private long nvlink;

  @Option(
      names = "--uplink",
      paramLabel = "GBIT/S",
      defaultValue = "0",
      description =
          "Uplink bandwidth of each switch in whole Gbit/s; 0 is unlimited (default:"
              + " ${DEFAULT-VALUE}).")
  private long uplink;

  Hardware hardware() {
    GpuModel named = GpuModel.of(model);
    Function<GpuModel, Optional<Memory>> memoryOf =
        memory == null ? HardwareOptions::specified : other -> Optional.empty();
    Memory own =
        memory == null ? specified(named).orElse(Memory.ofGib(UNKNOWN_GIB)) : Memory.ofGib(memory);
    return Hardware.of(gpus, named, own)
        .withMemoryOf(memoryOf)
        .withNic(link(nic))
        .withNvlink(nvlink == 0 ? Bandwidth.UNLIMITED : Bandwidth.ofGigabytesPerSecond(nvlink))
        .withUplink(link(uplink));
  }

  private static Optional<Memory> specified(GpuModel model) {
    return GpuSpecification.named(model.name())
        .map(gpu -> Memory.ofBytes(Math.round(gpu.memoryBytes())));
  }

  private static Link link(long gigabits) {
    return gigabits == 0 ? Link.UNLIMITED : Link.of(Bandwidth.ofGigabitsPerSecond(gigabits));
  }
}
