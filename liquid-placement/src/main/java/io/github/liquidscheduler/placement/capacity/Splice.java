package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Node;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A part of a sequence removed, and one inserted in its place: a node that leaves a cluster, or its
 * GPUs. Tables by position are copied with the rest moved.
 *
 * @param at the first position of both parts
 * @param removed the length of the part removed, 0 or more
 * @param added the length of the part inserted, 0 or more
 */
record Splice(int at, int removed, int added) {

  /**
   * Returns the change between two lists of nodes, if it is one node more or one less; O(nodes).
   */
  static Optional<Splice> between(List<Node> before, List<Node> now) {
    int at = 0;
    int shorter = Math.min(before.size(), now.size());
    while (at < shorter && before.get(at).equals(now.get(at))) {
      at++;
    }
    int removed = now.size() < before.size() ? 1 : 0;
    Splice splice = new Splice(at, removed, 1 - removed);
    return Math.abs(now.size() - before.size()) == 1 && splice.isBehind(before, now)
        ? Optional.of(splice)
        : Optional.empty();
  }

  private boolean isBehind(List<Node> before, List<Node> now) {
    int from = at + removed;
    while (from < before.size() && before.get(from).equals(now.get(position(from)))) {
      from++;
    }
    return from == before.size();
  }

  /** Returns true if the element at a position is removed. */
  boolean removes(int before) {
    return at <= before && before < at + removed;
  }

  /** Returns the distance by which later elements move. */
  int moves() {
    return added - removed;
  }

  /** Returns the new position of an element that is not removed. */
  int position(int before) {
    return before < at ? before : before + moves();
  }

  /** Returns a table with zeros for the part inserted. */
  int[] of(int[] table) {
    return copy(table, new int[table.length + moves()], table.length);
  }

  /** Returns a table with zeros for the part inserted. */
  long[] of(long[] table) {
    return copy(table, new long[table.length + moves()], table.length);
  }

  /** Returns a table copied into {@code empty}, which has the new length and the part inserted. */
  <T> T[] of(T[] table, T[] empty) {
    return copy(table, empty, table.length);
  }

  /** Returns a list with {@code filler} for the part inserted. */
  <T> List<T> of(List<T> list, T filler) {
    List<T> spliced = new ArrayList<>(list.size() + moves());
    spliced.addAll(list.subList(0, at));
    spliced.addAll(Collections.nCopies(added, filler));
    spliced.addAll(list.subList(at + removed, list.size()));
    return spliced;
  }

  /** Returns a set of positions, without those inserted. */
  BitSet of(BitSet positions) {
    BitSet spliced = positions.get(0, at);
    int end = Math.max(at + removed, positions.length());
    spliced.or(shifted(positions.get(at + removed, end).toLongArray(), at + added));
    return spliced;
  }

  private static BitSet shifted(long[] words, int by) {
    long[] shifted = new long[words.length + (by >>> 6) + 1];
    for (int i = 0; i < words.length; i++) {
      shifted[i + (by >>> 6)] |= words[i] << by;
      shifted[i + (by >>> 6) + 1] |= words[i] >>> 1 >>> ~by;
    }
    return BitSet.valueOf(shifted);
  }

  /** Returns the new positions of elements that are not removed. */
  int[] moved(int[] positions) {
    int[] moved = positions.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] = position(moved[i]);
    }
    return moved;
  }

  /**
   * Returns the starts of each element's entries, with the end of the last.
   *
   * @param starts those of the old sequence
   * @param parts the entries of the element inserted
   */
  int[] starts(int[] starts, int parts) {
    int gone = starts[at + removed] - starts[at];
    int[] spliced = of(starts);
    int by = (added > 0 ? parts : 0) - gone;
    for (int i = at + added; i < spliced.length; i++) {
      spliced[i] += by;
    }
    if (added > 0) {
      spliced[at] = starts[at];
    }
    return spliced;
  }

  private <A> A copy(A from, A to, int length) {
    System.arraycopy(from, 0, to, 0, at);
    System.arraycopy(from, at + removed, to, at + added, length - at - removed);
    return to;
  }
}
