package io.github.liquidscheduler.lab.reference.pollux.application;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How many GPUs a job holds on each of its nodes, in the order of its workers. Which node is which
 * does not matter. Immutable.
 */
public final class GpuLayout {

  private final int[] perNode;
  private final int gpus;

  private GpuLayout(int[] perNode) {
    this.perNode = perNode;
    this.gpus = Arrays.stream(perNode).sum();
  }

  /**
   * Returns the layout with these numbers of GPUs.
   *
   * @throws IllegalArgumentException if there is no node, or one with less than 1 GPU
   */
  public static GpuLayout of(int... perNode) {
    if (perNode.length == 0 || Arrays.stream(perNode).anyMatch(gpus -> gpus < 1)) {
      throw new IllegalArgumentException(
          "a layout must have at least 1 GPU on each of at least 1 node, but was "
              + Arrays.toString(perNode));
    }
    return new GpuLayout(perNode.clone());
  }

  /** Returns the layout of {@code gpus} GPUs on the fewest nodes of {@code most} GPUs each. */
  public static GpuLayout packed(int gpus, int most) {
    int nodes = (gpus + most - 1) / most;
    int[] perNode = new int[nodes];
    Arrays.fill(perNode, most);
    perNode[nodes - 1] = gpus - most * (nodes - 1);
    return of(perNode);
  }

  /** Returns the number of nodes, at least 1. */
  public int nodes() {
    return perNode.length;
  }

  /** Returns the number of GPUs, at least 1. */
  public int gpus() {
    return gpus;
  }

  /**
   * Returns the name under which measurements know the layout: the digits of the rotation whose
   * digits come first.
   */
  String canonical() {
    String digits =
        Arrays.stream(perNode).mapToObj(Integer::toString).collect(Collectors.joining());
    String least = digits;
    for (int start = 1; start < perNode.length; start++) {
      String rotated = digits.substring(start) + digits.substring(0, start);
      least = rotated.compareTo(least) < 0 ? rotated : least;
    }
    return least;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GpuLayout layout && Arrays.equals(perNode, layout.perNode);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(perNode);
  }

  @Override
  public String toString() {
    return Arrays.toString(perNode);
  }
}
