package io.github.liquidscheduler.placement.network;

import java.util.Arrays;

/**
 * The slot of each node: an open-addressed hash table of numbers, as small as the nodes in use,
 * without garbage once it has grown.
 */
final class NodeSlots {

  private static final int FREE = -1;

  private int[] nodes = new int[16];
  private int[] slots = new int[16];
  private int size;

  NodeSlots() {
    Arrays.fill(nodes, FREE);
  }

  /** Returns the slot of the node, or -1 if it has none. */
  int of(int node) {
    int at = find(node);
    return nodes[at] == FREE ? -1 : slots[at];
  }

  /** Sets the slot of the node. */
  void put(int node, int slot) {
    int at = find(node);
    if (nodes[at] == FREE && 2 * ++size > nodes.length) {
      grow();
      at = find(node);
    }
    nodes[at] = node;
    slots[at] = slot;
  }

  /** Removes the slot of the node. */
  void remove(int node) {
    int hole = find(node);
    if (nodes[hole] == FREE) {
      return;
    }
    size--;
    int mask = nodes.length - 1;
    for (int at = (hole + 1) & mask; nodes[at] != FREE; at = (at + 1) & mask) {
      int home = home(nodes[at]);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        nodes[hole] = nodes[at];
        slots[hole] = slots[at];
        hole = at;
      }
    }
    nodes[hole] = FREE;
  }

  private int find(int node) {
    int mask = nodes.length - 1;
    int at = home(node);
    while (nodes[at] != FREE && nodes[at] != node) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Neighbouring nodes, which gangs prefer, have neighbouring homes. */
  private int home(int node) {
    return node & (nodes.length - 1);
  }

  private void grow() {
    int[] oldNodes = nodes;
    int[] oldSlots = slots;
    nodes = new int[2 * oldNodes.length];
    slots = new int[2 * oldNodes.length];
    Arrays.fill(nodes, FREE);
    for (int i = 0; i < oldNodes.length; i++) {
      if (oldNodes[i] != FREE) {
        int at = find(oldNodes[i]);
        nodes[at] = oldNodes[i];
        slots[at] = oldSlots[i];
      }
    }
  }
}
