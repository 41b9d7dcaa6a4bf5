package io.github.liquidscheduler.formats.topology;

import com.google.common.graph.GraphBuilder;
import com.google.common.graph.Graphs;
import com.google.common.graph.MutableGraph;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.Arrays;

/**
 * How the GPUs of a node reach each other. GPUs that the nearest kind of connection joins make a
 * group; the rate is that of its weakest connection.
 */
final class GpuConnections {

  private final Connection[][] matrix;
  private final int[] numaNodes;

  /** Takes the connection of each GPU to each other, and the NUMA node of each. */
  GpuConnections(Connection[][] matrix, int[] numaNodes) {
    this.matrix = matrix;
    this.numaNodes = numaNodes;
  }

  /** Returns a node of these GPUs. */
  Node.Builder node(Hardware hardware, String name) {
    Connection.Kind nearest = Connection.nearest(matrix);
    int[] groups = groups(nearest);
    Node.Builder node = hardware.bareNode(name);
    for (int gpu = 0; gpu < groups.length; gpu++) {
      node.gpu(new Gpu(hardware.model(), hardware.memory(), groups[gpu], numaNodes[gpu]));
    }
    if (groups.length > 1) {
      node.nvlink(Bandwidth.ofGigabytesPerSecond(weakest(nearest)));
    }
    return node;
  }

  /** Returns the group of each GPU; groups are numbered in the order of their first GPU. */
  private int[] groups(Connection.Kind kind) {
    MutableGraph<Integer> joined = GraphBuilder.undirected().build();
    for (int gpu = 0; gpu < matrix.length; gpu++) {
      joined.addNode(gpu);
      for (int other = 0; other < gpu; other++) {
        if (matrix[gpu][other].kind() == kind) {
          joined.putEdge(gpu, other);
        }
      }
    }
    int[] groups = new int[matrix.length];
    Arrays.fill(groups, -1);
    int next = 0;
    for (int gpu = 0; gpu < groups.length; gpu++) {
      if (groups[gpu] < 0) {
        for (int each : Graphs.reachableNodes(joined, gpu)) {
          groups[each] = next;
        }
        next++;
      }
    }
    return groups;
  }

  private long weakest(Connection.Kind kind) {
    return Arrays.stream(matrix)
        .flatMap(Arrays::stream)
        .filter(connection -> connection.kind() == kind)
        .mapToLong(Connection::gigabytesPerSecond)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
