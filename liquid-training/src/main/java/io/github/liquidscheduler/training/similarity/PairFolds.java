package io.github.liquidscheduler.training.similarity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Ways to hide part of a table. Both directions of a pair are always hidden together. */
public final class PairFolds {

  /** What may be learned from and what must be predicted. */
  public record Split(List<PairTable.Entry> train, List<PairTable.Entry> test) {}

  private PairFolds() {}

  /** Hides each cell in exactly one of {@code folds} splits. */
  public static List<Split> byCell(PairTable table, int folds, long seed) {
    List<List<PairTable.Entry>> cells = new ArrayList<>(table.cells());
    Collections.shuffle(cells, new Random(seed));
    List<Split> splits = new ArrayList<>();
    for (int fold = 0; fold < folds; fold++) {
      List<List<PairTable.Entry>> train = new ArrayList<>();
      List<List<PairTable.Entry>> test = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        (i % folds == fold ? test : train).add(cells.get(i));
      }
      splits.add(new Split(flat(train), flat(test)));
    }
    return splits;
  }

  /** Hides every entry that {@code hidden} accepts. */
  public static Split hiding(PairTable table, Predicate<PairTable.Entry> hidden) {
    List<PairTable.Entry> train = new ArrayList<>();
    List<PairTable.Entry> test = new ArrayList<>();
    for (PairTable.Entry entry : flat(table.cells())) {
      (hidden.test(entry) ? test : train).add(entry);
    }
    return new Split(train, test);
  }

  /** Returns the entries of all cells. */
  public static List<PairTable.Entry> flat(List<List<PairTable.Entry>> cells) {
    return cells.stream().flatMap(List::stream).toList();
  }
}
