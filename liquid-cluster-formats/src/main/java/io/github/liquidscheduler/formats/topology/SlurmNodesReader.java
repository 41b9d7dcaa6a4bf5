package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the nodes of {@code slurm.conf}, or what {@code scontrol show nodes} prints: from each
 * {@code NodeName=} on, {@code Gres=gpu:MODEL:COUNT}, {@code CPUs} or {@code CPUTot} and {@code
 * RealMemory} in MiB. Everything else is passed over. A node without {@code Gres} has no GPU.
 */
record SlurmNodesReader(Hardware hardware) implements TopologyReader {

  private static final Pattern WORD = Pattern.compile("([A-Za-z]+)=(\\S*)");
  private static final Pattern GPUS =
      Pattern.compile("gpu(?::([^:,()]*[^:,()0-9][^:,()]*))?(?::(\\d{1,4}))?(?:\\([^)]*\\))?");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,12}");

  @Override
  public ClusterTopology read(String source, List<String> lines) {
    List<Map<String, Token>> entries = entries(source, lines);
    if (entries.isEmpty()) {
      throw new InputFormatException(source + ": must have an entry of NodeName, but has none");
    }
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    NodePlaces places = new NodePlaces("a node");
    for (Map<String, Token> entry : entries) {
      Token names = entry.get("nodename");
      if (names != null && !names.text().equals("DEFAULT")) {
        for (Token name : HostList.expand(names)) {
          places.add(name);
          cluster.node(node(name.text(), entry));
        }
      }
    }
    return cluster.build();
  }

  private static List<Map<String, Token>> entries(String source, List<String> lines) {
    List<Map<String, Token>> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int comment = line.indexOf('#');
      Matcher words = WORD.matcher(comment < 0 ? line : line.substring(0, comment));
      while (words.find()) {
        String key = words.group(1).toLowerCase(Locale.ROOT);
        Token value = new Token(source, i + 1, words.start(2) + 1, words.group(2));
        if (key.equals("nodename")) {
          entries.add(new LinkedHashMap<>());
        }
        if (!entries.isEmpty()) {
          entries.getLast().putIfAbsent(key, value);
        }
      }
    }
    return entries;
  }

  private Node node(String name, Map<String, Token> entry) {
    Node.Builder node = hardware.bareNode(name);
    Token gres = entry.get("gres");
    if (gres != null) {
      addGpus(node, gres);
    }
    Token cpus = entry.getOrDefault("cputot", entry.get("cpus"));
    if (cpus != null) {
      node.cpu(CpuCores.of(number(cpus)));
    }
    Token memory = entry.get("realmemory");
    if (memory != null) {
      node.memory(Memory.ofMib(number(memory)));
    }
    return node.build();
  }

  private void addGpus(Node.Builder node, Token gres) {
    for (String each : gres.text().split(",(?![^(]*\\))", -1)) {
      if (each.startsWith("gpu")) {
        Matcher gpus = GPUS.matcher(each);
        if (!gpus.matches()) {
          throw gres.error("GPUs must be as in Gres=gpu:a100:8");
        }
        int count = gpus.group(2) == null ? 1 : Integer.parseInt(gpus.group(2));
        node.gpus(count, model(gpus.group(1)), hardware.memory());
      }
    }
  }

  private GpuModel model(@Nullable String name) {
    return name == null || name.isBlank() ? hardware.model() : GpuModel.of(name);
  }

  private static long number(Token value) {
    if (!NUMBER.matcher(value.text()).matches()) {
      throw value.error("a number must be whole and not negative");
    }
    return Long.parseLong(value.text());
  }
}
