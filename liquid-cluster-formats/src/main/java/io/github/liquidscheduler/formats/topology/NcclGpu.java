package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.formats.input.XmlElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A GPU of NCCL's XML: its element, and the CPU, bridges and device above it, the CPU first. NVLink
 * joins two GPUs directly, by the id of the other on the bus, or through switches, which are all
 * other targets but CPUs; then the one with fewer links counts.
 */
record NcclGpu(XmlElement gpu, List<XmlElement> path) {

  private static final int MOST_DEVICES = 100_000;
  private static final int MOST_LINKS = 1000;
  private static final String ACCELERATOR = "0x(0302|0380|1200).*";
  private static final String CPU_CLASS = "0x068001";
  private static final String GPU_CLASS = "0x03.*";

  /** In the order of their numbers; without any, as they come. */
  static final Comparator<NcclGpu> BY_DEVICE =
      Comparator.comparingInt(each -> each.gpu.number("dev", MOST_DEVICES).orElse(0));

  /** Adds the GPUs below an element whose path is given. */
  static void addBelow(XmlElement element, List<XmlElement> path, List<NcclGpu> gpus) {
    for (XmlElement child : element.children()) {
      if (child.name().equals("gpu")) {
        gpus.add(new NcclGpu(child, path));
      } else if (child.name().equals("pci")) {
        List<XmlElement> longer = new ArrayList<>(path);
        longer.add(child);
        if (child.children("gpu").isEmpty()
            && child.attribute("class").filter(c -> c.matches(ACCELERATOR)).isPresent()) {
          gpus.add(new NcclGpu(child, longer));
        }
        addBelow(child, longer, gpus);
      }
    }
  }

  int numaNode() {
    return path.getFirst()
        .attribute("numaid")
        .filter(id -> id.matches("[0-9]{1,4}"))
        .map(Integer::valueOf)
        .orElse(0);
  }

  Connection connection(NcclGpu other) {
    long links = Math.max(linksTo(other), other.linksTo(this));
    if (links == 0) {
      links = Math.min(linksToSwitches(), other.linksToSwitches());
    }
    return links > 0
        ? new Connection(Connection.Kind.NV, links * Math.min(linkRate(), other.linkRate()))
        : Connection.of(overPcie(other));
  }

  private Connection.Kind overPcie(NcclGpu other) {
    int common = 0;
    while (common < Math.min(path.size(), other.path.size())
        && path.get(common).number() == other.path.get(common).number()) {
      common++;
    }
    if (common < 2) {
      return common == 0 ? Connection.Kind.SYS : Connection.Kind.PHB;
    }
    return Math.max(path.size(), other.path.size()) - common > 1
        ? Connection.Kind.PXB
        : Connection.Kind.PIX;
  }

  /** Returns the rate of one link in GB/s, which each generation of NVLink has its own. */
  private long linkRate() {
    int generation = gpu.number("sm", MOST_DEVICES).orElse(0);
    return generation >= 100 ? 50 : generation == 0 || generation >= 70 ? 25 : 20;
  }

  private long linksTo(NcclGpu other) {
    return other.busId().map(id -> links().getOrDefault(id, 0L)).orElse(0L);
  }

  private Optional<String> busId() {
    return path.getLast().attribute("busid").map(id -> id.toLowerCase(Locale.ROOT));
  }

  private Map<String, Long> links() {
    Map<String, Long> links = new LinkedHashMap<>();
    nvlinks()
        .forEach(
            link ->
                links.merge(
                    link.attribute("target").orElse("").toLowerCase(Locale.ROOT),
                    count(link),
                    Long::sum));
    return links;
  }

  private long linksToSwitches() {
    return nvlinks()
        .filter(link -> link.attribute("tclass").filter(NcclGpu::isSwitch).isPresent())
        .mapToLong(NcclGpu::count)
        .sum();
  }

  private static boolean isSwitch(String deviceClass) {
    return !deviceClass.equals(CPU_CLASS) && !deviceClass.matches(GPU_CLASS);
  }

  private Stream<XmlElement> nvlinks() {
    return gpu.children().stream()
        .filter(child -> child.name().equals("nvlink") || child.name().equals("xgmi"));
  }

  private static long count(XmlElement link) {
    return link.number("count", MOST_LINKS).orElse(1);
  }
}
