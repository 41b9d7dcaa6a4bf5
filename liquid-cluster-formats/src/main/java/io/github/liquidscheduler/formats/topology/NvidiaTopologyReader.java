package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads what {@code nvidia-smi topo -m} prints: a matrix of how the devices of a node reach each
 * other. The rate of a connection is 25 GB/s for each NVLink, about 12 below one PCIe switch, 10
 * over a host bridge, 8 inside a NUMA node and 6 between two.
 */
record NvidiaTopologyReader(Hardware hardware) implements TopologyReader {

  private static final Pattern GPU = Pattern.compile("GPU([0-9]{1,4})");
  private static final Pattern COLOUR = Pattern.compile("\u001B\\[[0-9;]*m");
  private static final String NODE_NAME = "node";

  @Override
  public ReadTopology read(String source, List<String> lines) {
    List<Token> header = List.of();
    List<List<Token>> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      List<Token> words = Token.words(source, i + 1, COLOUR.matcher(lines.get(i)).replaceAll(""));
      if (words.isEmpty()) {
        continue;
      }
      if (header.isEmpty()) {
        header = devices(words);
      } else if (GPU.matcher(words.getFirst().text()).matches()) {
        rows.add(words);
      }
    }
    if (header.isEmpty()) {
      throw new InputFormatException(source + ": must have a line of columns, but is blank");
    }
    return new ReadTopology(ClusterTopology.builder().node(node(header, rows)).build(), List.of());
  }

  /** Returns the columns of devices, which end where the affinities begin. */
  private static List<Token> devices(List<Token> words) {
    List<Token> devices = new ArrayList<>();
    for (Token word : words) {
      if (word.text().equals("CPU")) {
        break;
      }
      devices.add(word);
    }
    if (devices.isEmpty() || !devices.getFirst().text().equals("GPU0")) {
      throw words.getFirst().error("the first column must be 'GPU0'");
    }
    return devices;
  }

  private Node node(List<Token> header, List<List<Token>> rows) {
    int gpus = (int) header.stream().filter(name -> GPU.matcher(name.text()).matches()).count();
    if (rows.size() != gpus) {
      throw header
          .get(Math.min(rows.size(), gpus - 1))
          .error(
              "every GPU column must have a row (%s given)"
                  .formatted(Count.of(rows.size(), "row")));
    }
    Connection[][] matrix = new Connection[gpus][gpus];
    for (int row = 0; row < gpus; row++) {
      fill(matrix[row], row, header, rows.get(row));
    }
    requireSymmetry(matrix, rows);
    return new GpuConnections(matrix, numaNodes(header.size(), rows))
        .node(hardware, NODE_NAME)
        .build();
  }

  private static void fill(Connection[] into, int row, List<Token> header, List<Token> words) {
    Token name = words.getFirst();
    if (!name.text().equals("GPU" + row)) {
      throw name.error("this row must be of 'GPU" + row + "'");
    }
    if (words.size() <= header.size()) {
      throw words
          .getLast()
          .error(
              "a row must have %s, and ends early"
                  .formatted(Count.of(header.size(), "connection")));
    }
    for (int column = 0; column < into.length; column++) {
      into[column] = Connection.of(words.get(column + 1), row == column);
    }
  }

  private static void requireSymmetry(Connection[][] matrix, List<List<Token>> rows) {
    for (int row = 0; row < matrix.length; row++) {
      for (int column = 0; column < row; column++) {
        if (!matrix[row][column].equals(matrix[column][row])) {
          throw rows.get(row)
              .get(column + 1)
              .error("GPU%d and GPU%d must name the same connection".formatted(row, column));
        }
      }
    }
  }

  /** Returns the NUMA node of each GPU: the second word after the connections, 0 if it is none. */
  private static int[] numaNodes(int devices, List<List<Token>> rows) {
    return rows.stream()
        .mapToInt(
            words ->
                words.size() > devices + 2 && words.get(devices + 2).text().matches("[0-9]{1,4}")
                    ? Integer.parseInt(words.get(devices + 2).text())
                    : 0)
        .toArray();
  }
}
