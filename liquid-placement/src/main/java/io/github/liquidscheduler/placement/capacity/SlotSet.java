package io.github.liquidscheduler.placement.capacity;

/**
 * A set of small integers as a bitmap with summaries: a bit of a higher layer says whether the word
 * below it has any bit set. The next member from a position is found in O(log<sub>64</sub> size).
 */
final class SlotSet {

  private final long[][] layers;

  SlotSet(int size) {
    int depth = 1;
    for (int words = wordsFor(size); words > 1; words = wordsFor(words)) {
      depth++;
    }
    layers = new long[depth][];
    for (int layer = 0, length = size; layer < depth; layer++) {
      length = wordsFor(length);
      layers[layer] = new long[length];
    }
  }

  private SlotSet(SlotSet other) {
    layers = new long[other.layers.length][];
    for (int layer = 0; layer < layers.length; layer++) {
      layers[layer] = other.layers[layer].clone();
    }
  }

  SlotSet copy() {
    return new SlotSet(this);
  }

  void add(int member) {
    int position = member;
    for (long[] layer : layers) {
      layer[position >>> 6] |= 1L << position;
      position >>>= 6;
    }
  }

  void remove(int member) {
    int position = member;
    for (long[] layer : layers) {
      long left = layer[position >>> 6] &= ~(1L << position);
      if (left != 0) {
        return;
      }
      position >>>= 6;
    }
  }

  /** Returns the smallest member from {@code from} and before {@code end}, or -1. */
  int next(int from, int end) {
    if (from >= end) {
      return -1;
    }
    int member = nextInLayer(0, from);
    return member >= 0 && member < end ? member : -1;
  }

  private int nextInLayer(int layer, int from) {
    int word = from >>> 6;
    if (layer == layers.length || word >= layers[layer].length) {
      return -1;
    }
    long bits = layers[layer][word] & (-1L << from);
    if (bits == 0) {
      word = nextInLayer(layer + 1, word + 1);
      if (word < 0) {
        return -1;
      }
      bits = layers[layer][word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  private static int wordsFor(int bits) {
    return Math.max(1, (bits + 63) >>> 6);
  }
}
