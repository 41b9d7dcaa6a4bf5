package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.formats.topology.Hardware;
import io.github.liquidscheduler.formats.topology.TopologyReader;
import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.AdvanceReservation.Maintenance;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of Slurm, whatever their state, and the switches or blocks that they are in.
 *
 * @param conditions the condition of each node
 * @param byPartition the nodes of each partition
 */
record SlurmCluster(
    ClusterTopology topology,
    Map<NodeId, NodeCondition> conditions,
    Map<String, List<Node>> byPartition) {

  /** The fields of a node in JSON that mean something here. */
  static final Set<String> FIELDS =
      Set.of(
          "active_features",
          "cpus",
          "effective_cpus",
          "features",
          "gres",
          "name",
          "partitions",
          "real_memory",
          "specialized_memory",
          "state",
          "state_flags");

  /** What the label of a feature of a node begins with; its value is {@link #YES}. */
  static final String FEATURE = "feature/";

  /** What the label of a partition of a node begins with; its value is {@link #YES}. */
  static final String PARTITION = "partition/";

  static final String YES = "yes";

  private static final Pattern BLOCK_SIZE =
      Pattern.compile("(?:BlockName|AggregatedBlock)=.*\\bBlockSize=([0-9]{1,6})\\b");

  /**
   * Reads the cluster.
   *
   * @param nodes the nodes; none is never believed
   * @param topology what {@code scontrol show topology} prints
   */
  static SlurmCluster of(SlurmConfig config, List<SlurmRecord> nodes, String topology)
      throws IOException {
    if (nodes.isEmpty()) {
      throw new IOException("Slurm must have a node, but shows none");
    }
    ClusterTopology switches = switches(topology);
    ClusterTopology.Builder cluster =
        ClusterTopology.builder()
            .levels(
                switches.levels().stream()
                    .filter(level -> !level.equals(ClusterTopology.CLUSTER))
                    .filter(level -> !level.equals(ClusterTopology.NODE))
                    .toArray(String[]::new));
    switches.domains().forEach(cluster::domain);
    Map<NodeId, NodeCondition> conditions = new HashMap<>();
    Map<String, List<Node>> byPartition = new HashMap<>();
    for (SlurmRecord record : nodes) {
      Set<String> states = new HashSet<>(record.states("state"));
      states.addAll(record.states("state_flags"));
      if (states.contains("FUTURE")) {
        continue;
      }
      Node node = node(config, record, switches);
      cluster.node(node);
      conditions.put(node.id(), condition(states));
      for (String partition : record.words("partitions")) {
        byPartition.computeIfAbsent(partition, any -> new ArrayList<>()).add(node);
      }
    }
    try {
      return new SlurmCluster(cluster.build(), conditions, byPartition);
    } catch (IllegalArgumentException e) {
      throw new IOException("Slurm's nodes do not fit together: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the level next to the nodes, such as {@code leaf} or {@code block}, if there is one.
   */
  Optional<String> narrowest() {
    return topology.levels().stream()
        .filter(level -> !level.equals(ClusterTopology.CLUSTER))
        .filter(level -> !level.equals(ClusterTopology.NODE))
        .reduce((wider, narrower) -> narrower);
  }

  /** Returns the nodes of the partitions, which may be several, divided by commas. */
  List<Node> nodesOf(String partitions) {
    // Most jobs name one, and each job of each listing asks.
    return partitions.contains(",")
        ? List.of(partitions.split(",", -1)).stream()
            .flatMap(name -> nodesOf(name).stream())
            .distinct()
            .toList()
        : byPartition.getOrDefault(partitions, List.of());
  }

  /** Returns the switches or blocks; none if there is no topology. */
  private static ClusterTopology switches(String text) throws IOException {
    List<String> lines = new ArrayList<>(blockSizes(text));
    text.lines().map(SlurmCluster::configured).flatMap(Optional::stream).forEach(lines::add);
    if (lines.isEmpty()) {
      return ClusterTopology.builder().build();
    }
    try {
      Hardware none = Hardware.of(0, GpuModel.of("gpu"), SlurmConfig.UNKNOWN_GPU_MEMORY);
      return TopologyReader.slurm(none).read("scontrol show topology", lines).cluster();
    } catch (InputFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Returns the line of the sizes of blocks and of groups of them, if there are groups. */
  private static List<String> blockSizes(String text) {
    NavigableSet<Integer> sizes = new TreeSet<>();
    Matcher size = BLOCK_SIZE.matcher(text);
    while (size.find()) {
      sizes.add(Math.max(1, Integer.parseInt(size.group(1))));
    }
    boolean arePowers =
        sizes.stream()
            .allMatch(
                each -> each % sizes.first() == 0 && Integer.bitCount(each / sizes.first()) == 1);
    return sizes.size() < 2 || !arePowers
        ? List.of()
        : List.of(
            "BlockSizes=" + sizes.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** Returns the line of {@code topology.conf} for a printed one: without what is derived. */
  private static Optional<String> configured(String line) {
    Map<String, String> values = new HashMap<>();
    for (String word : line.strip().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    String nodes = values.getOrDefault("Nodes", "");
    String switches = values.getOrDefault("Switches", "");
    @Nullable String name = values.get("SwitchName");
    @Nullable String block = values.get("BlockName");
    if (name != null && !(nodes + switches).isEmpty()) {
      return Optional.of(
          "SwitchName="
              + name
              + (switches.isEmpty() ? " Nodes=" + nodes : " Switches=" + switches));
    }
    return block == null || nodes.isEmpty()
        ? Optional.empty()
        : Optional.of("BlockName=" + block + " Nodes=" + nodes);
  }

  private static Node node(SlurmConfig config, SlurmRecord record, ClusterTopology switches)
      throws IOException {
    NodeId id = NodeId.of(record.text("name"));
    Node.Builder node = Node.builder(id.value());
    try {
      for (Tres each : Tres.list(record.text("gres"))) {
        if (each.isGpu()) {
          String type = each.type().isEmpty() ? "gpu" : each.type();
          node.gpus(Math.toIntExact(each.amount(1)), GpuModel.of(type), config.memoryOf(type));
        }
      }
      long cpus = record.number("effective_cpus").orElse(record.number("cpus").orElse(0));
      long memory =
          record.number("real_memory").orElse(0) - record.number("specialized_memory").orElse(0);
      node.cpu(CpuCores.of(cpus)).memory(Memory.ofMib(Math.max(0, memory)));
      List<String> features =
          record.words("active_features").isEmpty()
              ? record.words("features")
              : record.words("active_features");
      for (String feature : String.join(",", features).split(",", -1)) {
        if (!feature.isEmpty()) {
          node.label(FEATURE + feature, YES);
        }
      }
      for (String partition : record.words("partitions")) {
        node.label(PARTITION + partition, YES);
      }
      if (switches.contains(id)) {
        switches.node(id).domain().map(DomainId::value).ifPresent(node::domain);
      }
      return node.build();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("node '" + id + "' is not as it must be: " + e.getMessage(), e);
    }
  }

  /** Returns the condition of a node by its states and flags. */
  static NodeCondition condition(Set<String> states) {
    if (states.contains("DOWN") || states.contains("ERROR")) {
      return NodeCondition.DOWN;
    }
    boolean isReboot =
        states.stream()
            .anyMatch(state -> state.startsWith("REBOOT_ISSUED") || state.equals("REBOOT"));
    boolean isAsleep =
        states.contains("POWERING_UP")
            || states.contains("POWER_UP")
            || states.contains("POWERED_DOWN")
            || states.contains("POWERING_DOWN")
            || isReboot;
    if (!isAsleep && (states.contains("NOT_RESPONDING") || states.contains("UNKNOWN"))) {
      return NodeCondition.SUSPECT;
    }
    boolean isClosed =
        isReboot
            || states.contains("DRAIN")
            || states.contains("FAIL")
            || states.contains("RESERVED")
            || states.contains("BLOCKED")
            || states.stream()
                .anyMatch(state -> state.startsWith("MAINT") || state.startsWith("INVALID"));
    return isClosed ? NodeCondition.DRAINING : NodeCondition.UP;
  }

  /** The nodes of Slurm, by whichever command of its version lists them. */
  static final class Listing {

    private static final List<String> NEWER = List.of("scontrol", "show", "nodes", "--json");

    /** Until 22.05; later it lists groups of nodes. */
    private static final List<String> OLDER = List.of("sinfo", "--json");

    private final CommandRunner runner;
    private boolean isOlder;

    Listing(CommandRunner runner) {
      this.runner = runner;
    }

    List<SlurmRecord> read() throws IOException {
      if (!isOlder) {
        Answer newer = runner.run(NEWER).answered("scontrol show nodes");
        if (newer.output().stripLeading().startsWith("{")) {
          return read("scontrol show nodes --json", newer);
        }
      }
      List<SlurmRecord> nodes = read("sinfo --json", runner.run(OLDER));
      isOlder = true;
      return nodes;
    }

    private static List<SlurmRecord> read(String command, Answer answer) throws IOException {
      return SlurmJson.read(command, answer.done(command), "nodes", FIELDS);
    }
  }

  /** The reservations of Slurm by which operators have nodes for maintenance. */
  static final class Reservations {

    private static final Pattern VALUE = Pattern.compile("(\\w+)=(\\S*)");

    private Reservations() {}

    /**
     * Reads those of nodes of a cluster that have not ended.
     *
     * @param text what {@code scontrol show reservation -o} prints
     */
    static List<Maintenance> maintenance(String text, ClusterTopology cluster) throws IOException {
      List<Maintenance> read = new ArrayList<>();
      for (String line : text.lines().filter(line -> line.contains("ReservationName=")).toList()) {
        Map<String, String> values = new HashMap<>();
        Matcher value = VALUE.matcher(line);
        while (value.find()) {
          values.putIfAbsent(value.group(1), value.group(2));
        }
        if (List.of(values.getOrDefault("Flags", "").split(",", -1)).contains("MAINT")) {
          maintenance(values, cluster).ifPresent(read::add);
        }
      }
      return read;
    }

    private static Optional<Maintenance> maintenance(
        Map<String, String> values, ClusterTopology cluster) throws IOException {
      String name = values.getOrDefault("ReservationName", "");
      String list = values.getOrDefault("Nodes", "(null)");
      if (list.equals("(null)")) {
        return Optional.empty(); // Of licences, say.
      }
      try {
        List<NodeId> nodes =
            HostList.names("the nodes of reservation " + name, list).stream()
                .map(NodeId::of)
                .filter(cluster::contains)
                .toList();
        return nodes.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Maintenance(
                    ReservationId.of(name),
                    time(values, "StartTime"),
                    time(values, "EndTime"),
                    nodes));
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new IOException("reservation '" + name + "' cannot be read: " + e.getMessage(), e);
      }
    }

    private static Instant time(Map<String, String> values, String name) {
      return LocalDateTime.parse(values.getOrDefault(name, "")).toInstant(ZoneOffset.UTC);
    }
  }
}
