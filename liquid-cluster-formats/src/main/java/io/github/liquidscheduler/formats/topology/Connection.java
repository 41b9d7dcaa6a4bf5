package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.formats.input.Token;
import java.util.Arrays;
import java.util.Comparator;

/** The connection of two GPUs of a node, and its rate. */
record Connection(Kind kind, long gigabytesPerSecond) {

  /** That of a GPU to itself. */
  static final Connection SELF = of(Kind.X);

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

  /** Returns a connection of the usual rate of its kind. */
  static Connection of(Kind kind) {
    return new Connection(kind, kind.gigabytesPerSecond);
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
      int links = Integer.parseInt(word.text().substring(2));
      return new Connection(Kind.NV, links * Kind.NV.gigabytesPerSecond);
    }
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.NV && kind.name().equals(word.text()))
        .findFirst()
        .map(Connection::of)
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
}
