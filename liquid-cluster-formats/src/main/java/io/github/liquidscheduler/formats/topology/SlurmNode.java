package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Slurm tells of a node, by the key in lower case. */
record SlurmNode(Map<String, Token> values, Hardware hardware, TopologyWarnings warnings) {

  private static final Pattern GPUS =
      Pattern.compile("gpu(?::([^:,()]*[^:,()0-9][^:,()]*))?(?::(\\d{1,4}))?(?:\\([^)]*\\))?");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,12}");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

  /** Returns the node called {@code name}. */
  Node node(String name) {
    Node.Builder node = hardware.bareNode(name);
    value("gres").ifPresent(gres -> addGpus(node, name, gres));
    cpus().ifPresent(cpus -> node.cpu(CpuCores.of(cpus)));
    number("realmemory")
        .map(mib -> Math.max(0, mib - number("memspeclimit").orElse(0L)))
        .ifPresent(mib -> node.memory(Memory.ofMib(mib)));
    return node.build();
  }

  private void addGpus(Node.Builder node, String name, Token gres) {
    for (String each : gres.text().split(",(?![^(]*\\))", -1)) {
      String kind = each.split("[:(]", 2)[0];
      if (kind.equals("gpu")) {
        Matcher gpus = GPUS.matcher(each);
        if (!gpus.matches() || "no_consume".equals(gpus.group(1))) {
          throw gres.error("GPUs must be as in Gres=gpu:a100:8");
        }
        addGpus(node, name, gpus);
      } else if (!kind.isBlank() && !each.equals("(null)")) {
        warnings.resourceLeftOut("gres/" + kind, name);
      }
    }
  }

  private void addGpus(Node.Builder node, String name, Matcher gpus) {
    int count = gpus.group(2) == null ? 1 : Integer.parseInt(gpus.group(2));
    GpuModel model = Optional.ofNullable(gpus.group(1)).map(GpuModel::of).orElse(hardware.model());
    node.gpus(count, model, new GpuMemory(hardware, warnings).of(model, name));
  }

  /** Returns the CPUs for jobs: what Slurm computed, else all but those of the system. */
  private Optional<Long> cpus() {
    return number("cpuefctv")
        .or(
            () ->
                number("cputot")
                    .or(() -> number("cpus"))
                    .or(() -> number("procs"))
                    .or(this::cpusOfSockets)
                    .map(all -> Math.max(0, all - reserved(all))));
  }

  private Optional<Long> cpusOfSockets() {
    Optional<Long> sockets = number("sockets").or(() -> number("socketsperboard"));
    return sockets.isEmpty() && number("corespersocket").isEmpty()
        ? Optional.empty()
        : Optional.of(cores() * number("threadspercore").orElse(1L));
  }

  private long cores() {
    return number("boards").filter(boards -> number("socketsperboard").isPresent()).orElse(1L)
        * number("sockets").or(() -> number("socketsperboard")).orElse(1L)
        * number("corespersocket").orElse(1L);
  }

  /** Returns how many of {@code all} CPUs are for the system alone; a core has its threads. */
  private long reserved(long all) {
    Optional<Token> list = value("cpuspeclist");
    if (list.isPresent()) {
      return size(list.get());
    }
    long threads = all > cores() ? number("threadspercore").orElse(1L) : 1;
    return number("corespeccount").orElse(0L) * threads;
  }

  private static long size(Token list) {
    long size = 0;
    for (String each : list.text().split(",", -1)) {
      Matcher range = RANGE.matcher(each);
      if (!range.matches()) {
        throw list.error("CPUs must be as in CpuSpecList=0-1,8");
      }
      long first = Long.parseLong(range.group(1));
      size += range.group(2) == null ? 1 : Math.max(0, Long.parseLong(range.group(2)) - first + 1);
    }
    return size;
  }

  private Optional<Token> value(String key) {
    return Optional.ofNullable(values.get(key)).filter(value -> !value.text().isBlank());
  }

  private Optional<Long> number(String key) {
    Optional<Token> value = value(key);
    if (value.isPresent() && !NUMBER.matcher(value.get().text()).matches()) {
      throw value.get().error("a number must be whole and not negative");
    }
    return value.map(text -> Long.parseLong(text.text()));
  }
}
