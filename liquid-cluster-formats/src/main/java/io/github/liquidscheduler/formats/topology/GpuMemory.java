package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of GPUs whose model a file names: what the name states, else what {@link Hardware}
 * knows of the model, else its own memory, with a warning. A slice of a GPU states powers of 1000,
 * a whole GPU powers of 1024.
 */
record GpuMemory(Hardware hardware, TopologyWarnings warnings) {

  private static final Pattern SLICE = Pattern.compile("[0-9]{1,2}g\\.([0-9]{1,4})gb");
  private static final Pattern WHOLE =
      Pattern.compile("(?<![0-9.])[0-9]{1,4}(?=gb)|(?<=[0-9]m)[0-9]{2}$");

  Memory of(GpuModel model, String node) {
    return stated(model.name())
        .or(() -> hardware.memoryOf().apply(model))
        .orElseGet(() -> assumed(model, node));
  }

  /** Returns the memory that the name of a model or slice states; empty if it states none. */
  static Optional<Memory> stated(String model) {
    String name = model.toLowerCase(Locale.ROOT);
    Matcher slice = SLICE.matcher(name);
    if (slice.find()) {
      return Optional.of(Memory.parse(slice.group(1) + "GB"));
    }
    Matcher whole = WHOLE.matcher(name);
    return whole.find()
        ? Optional.of(Memory.ofGib(Long.parseLong(whole.group())))
        : Optional.empty();
  }

  private Memory assumed(GpuModel model, String node) {
    if (!model.name().equalsIgnoreCase(hardware.model().name())) {
      warnings.memoryAssumed(hardware.memory() + " of memory of each GPU of model " + model, node);
    }
    return hardware.memory();
  }
}
