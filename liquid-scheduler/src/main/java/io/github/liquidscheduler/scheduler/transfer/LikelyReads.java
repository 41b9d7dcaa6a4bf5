package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Transfers likely reads: earliest need first, as late as they still arrive in time, since later
 * decisions know more; at once if certain and the path is idle. The probability is the fraction of
 * scenarios that read the copy, calibrated by past predictions. Transfers of copies read in less
 * than half of the scenarios are cancelled.
 */
final class LikelyReads {
  private static final double CANCEL_BELOW = .5;
  private static final double LEAST_HORIZON = 60;
  private static final double NANOS = 1e9;

  private final Prefetching rules;
  private final Turn turn;
  private final DataBooks books;
  private final Transfers transfers;
  private final Placer placer;
  private double bytesAhead;
  private double lookAgain = Double.POSITIVE_INFINITY;

  LikelyReads(Prefetching rules, Turn turn, DataBooks books, Placer placer) {
    this.rules = rules;
    this.turn = turn;
    this.books = books;
    this.placer = placer;
    transfers = new Transfers(rules, turn, books);
  }

  /** Begins and cancels transfers; returns the seconds until the next look-ahead. */
  double run() {
    books.judge(now());
    ExpectedReads reads = ExpectedReads.of(scenarios());
    for (CopyKey copy : List.copyOf(books.underWay().keySet())) {
      double probability = isUp(copy) ? reads.probability(copy) : 0;
      if (probability < CANCEL_BELOW && !(isUp(copy) && books.isAwaited(copy))) {
        transfers.cancelIfCheaper(copy, probability);
      }
    }
    bytesAhead = transfers.bytesAhead();
    reads.inOrder().forEach(read -> offer(read, reads));
    return lookAgain;
  }

  private List<List<Read>> scenarios() {
    int count = books.ratios().areCertain() ? 1 : Scenario.COUNT;
    double horizon = horizon();
    List<List<Read>> scenarios = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      scenarios.add(new Scenario(rules, turn.jobs(), books, placer, number).play(horizon));
    }
    return scenarios;
  }

  /** Returns the horizon in seconds within which a transfer may have to begin. */
  private double horizon() {
    double largest =
        turn.jobs().waiting().head(Scenario.COUNT).stream()
            .flatMap(job -> job.job().datasets().stream())
            .mapToDouble(dataset -> dataset.size().bytes())
            .max()
            .orElse(0);
    double bytes = rules.mostAtOnce() * largest + transfers.bytesAhead();
    return Math.max(
        LEAST_HORIZON, 2 * (GpuTime.exactSeconds(rules.slack()) + transfers.seconds(bytes)));
  }

  private void offer(ExpectedReads.Expected read, ExpectedReads all) {
    CopyKey copy = read.copy();
    if (books.isThereSoon(copy)
        || read.probability() < CANCEL_BELOW
        || !isUp(copy)
        || hasEnough(read)) {
      return;
    }
    double bytes = (double) read.dataset().size().bytes();
    double alone = transfers.seconds(bytes);
    double arrives = transfers.seconds(bytesAhead + bytes);
    double saved = alone - Math.max(0, arrives - read.seconds());
    double probability = books.predictions().probability(read.probability());
    double gain = Math.max(0, saved) * read.gpus();
    if (gain * probability < rules.leastGain()) {
      return;
    }
    double due = read.seconds() - GpuTime.exactSeconds(rules.slack()) - arrives;
    boolean isCertain =
        read.probability() >= 1 && books.underWay().isEmpty() && !(isBounded() && read.isOpen());
    bytesAhead += bytes;
    if (due > 0 && !isCertain) {
      lookAgain = Math.min(lookAgain, due);
      return;
    }
    Instant until = after(2 * read.seconds() + LEAST_HORIZON);
    books.predict(copy, read.probability(), until);
    if (books.predictions().probabilityOfWaste(read.probability(), books.unread(), now())
        <= rules.mostWasted()) {
      transfers.begin(
          copy,
          read.dataset(),
          read.job(),
          read.probability(),
          after(read.seconds()),
          until,
          new Reason.ExpectedRead(probability, gain),
          other -> all.probability(other) >= CANCEL_BELOW);
    }
  }

  /** Returns true if as many unread copies exist for a job as it reads, where waste is bounded. */
  private boolean hasEnough(ExpectedReads.Expected read) {
    return isBounded()
        && Stream.concat(books.unread().stream(), books.underWay().values().stream())
                .filter(copy -> copy.job().equals(read.job()))
                .filter(copy -> copy.dataset().name().equals(read.copy().dataset()))
                .count()
            >= read.nodes();
  }

  private boolean isBounded() {
    return rules.mostWasted() < 1;
  }

  private boolean isUp(CopyKey copy) {
    return Optional.of(turn.cluster())
        .filter(cluster -> cluster.topology().contains(copy.node()))
        .filter(cluster -> cluster.health(copy.node()) == NodeHealth.UP)
        .isPresent();
  }

  private Instant after(double seconds) {
    return now().plusNanos((long) (seconds * NANOS));
  }

  private Instant now() {
    return turn.jobs().now();
  }
}
