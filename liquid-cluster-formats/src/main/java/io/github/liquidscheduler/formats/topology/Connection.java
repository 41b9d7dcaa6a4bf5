package io.github.liquidscheduler.formats.topology;

import java.util.Arrays;
import java.util.Comparator;

/** The connection of two GPUs of a node, and its links: 1 for all kinds but NVLink. */
record Connection(Kind kind, int count) {

  /** The kinds in the words of {@code nvidia-smi}, nearest first, with a usual rate in GB/s. */
  enum Kind {
    X(0),
    NV(25),
    PIX(12),
    PXB(12),
    PHB(10),
    NODE(8),
    SYS(6);

    private final long gigabytesPerSecond;

    Kind(long gigabytesPerSecond) {
      this.gigabytesPerSecond = gigabytesPerSecond;
    }
  }

  static Connection of(Token word, boolean isSelf) {
    Connection connection = parse(word);
    if ((connection.kind == Kind.X) != isSelf) {
      throw word.error(isSelf ? "a GPU must be 'X' to itself" : "only a GPU itself may be 'X'");
    }
    return connection;
  }

  private static Connection parse(Token word) {
    if (word.text().matches("NV[1-9][0-9]{0,2}")) {
      return new Connection(Kind.NV, Integer.parseInt(word.text().substring(2)));
    }
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.NV && kind.name().equals(word.text()))
        .findFirst()
        .map(kind -> new Connection(kind, 1))
        .orElseThrow(
            () -> word.error("a connection must be X, NV<links>, PIX, PXB, PHB, NODE or SYS"));
  }

  /** Returns the nearest kind between two GPUs, {@link Kind#X} if there is but one. */
  static Kind nearest(Connection[][] matrix) {
    return Arrays.stream(matrix)
        .flatMap(Arrays::stream)
        .map(Connection::kind)
        .filter(kind -> kind != Kind.X)
        .min(Comparator.naturalOrder())
        .orElse(Kind.X);
  }

  long gigabytesPerSecond() {
    return count * kind.gigabytesPerSecond;
  }
}
