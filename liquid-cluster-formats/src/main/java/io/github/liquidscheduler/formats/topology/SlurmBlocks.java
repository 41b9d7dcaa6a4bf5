package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.formats.slurm.SlurmEntries.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks that hold nodes. {@code BlockSizes} names the nodes of a block and then of groups of 2, 4,
 * 8 … neighbouring blocks, which become levels above {@code block}, such as {@code blocks-36}.
 */
final class SlurmBlocks {

  private static final int LARGEST = 1_000_000;

  private final Hardware hardware;
  private final NodePlaces blocks = new NodePlaces("a block");
  private final NodePlaces nodes = new NodePlaces("a node");
  private final List<Integer> perGroup = new ArrayList<>();
  private final List<String> groupLevels = new ArrayList<>();

  SlurmBlocks(Hardware hardware) {
    this.hardware = hardware;
  }

  ClusterTopology topology(List<Entry> entries) {
    entries.forEach(entry -> entry.value("BlockSizes").ifPresent(this::addGroupLevels));
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(levels().toArray(String[]::new));
    DomainNames groups =
        new DomainNames(
            entries.stream()
                .flatMap(entry -> entry.value("BlockName").stream())
                .map(Token::text)
                .toList());
    int number = 0;
    for (Entry entry : entries) {
      if (entry.has("BlockName")) {
        addBlock(entry, number++, groups, cluster);
      } else if (!entry.has("BlockSizes")) {
        throw entry.first().error("an entry must be of BlockName or BlockSizes");
      }
    }
    return cluster.build();
  }

  private List<String> levels() {
    List<String> levels = new ArrayList<>(groupLevels.reversed());
    levels.add("block");
    return levels;
  }

  private void addGroupLevels(Token list) {
    List<Integer> sizes = new ArrayList<>();
    int first = 0;
    for (String text : list.text().split(",", -1)) {
      sizes.add(size(list.part(first, first + text.length()), sizes));
      first += text.length() + 1;
    }
    for (int size : sizes.subList(1, sizes.size())) {
      perGroup.add(size / sizes.getFirst());
      groupLevels.add("blocks-" + size);
    }
  }

  private static int size(Token text, List<Integer> smaller) {
    int size = text.text().matches("[0-9]{1,7}") ? Integer.parseInt(text.text()) : 0;
    if (size < 1 || size > LARGEST) {
      throw text.error("a block size must be a whole number from 1 to " + LARGEST);
    }
    if (!smaller.isEmpty()
        && (size <= smaller.getLast()
            || size % smaller.getFirst() != 0
            || Integer.bitCount(size / smaller.getFirst()) != 1)) {
      throw text.error("a block size must be a larger power of two times the first one");
    }
    return size;
  }

  private void addBlock(
      Entry entry, int number, DomainNames groups, ClusterTopology.Builder cluster) {
    Token name = entry.value("BlockName").orElseThrow();
    blocks.add(name);
    Domain block = hardware.domain("block", name.text(), addGroups(number, groups, cluster));
    cluster.domain(block);
    Token list = entry.value("Nodes").orElseThrow(() -> name.error("a block must have Nodes"));
    SlurmTopologyReader.addNodes(cluster, hardware, list, block, nodes);
  }

  /** Adds the groups that the block is the first of, and returns the narrowest of its groups. */
  private String addGroups(int number, DomainNames groups, ClusterTopology.Builder cluster) {
    String parent = "";
    for (int i = perGroup.size() - 1; i >= 0; i--) {
      String level = groupLevels.get(i);
      List<DomainNames.Step> group =
          List.of(new DomainNames.Step(level, level + "-" + number / perGroup.get(i)));
      parent = groups.add(group, parent, hardware, cluster);
    }
    return parent;
  }
}
