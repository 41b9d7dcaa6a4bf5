package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The last stage of a turn: records starts and ends, and prefetches data sets to where waiting jobs
 * are likely to start. Changes no decision of other stages.
 */
public record PrefetchStage(Prefetching rules, Placer placer) implements Stage {

  private static final double NANOS = 1e9;

  @Override
  public void run(Turn turn) {
    DataBooks books = turn.state().data().orElseThrow();
    new RunNotes(rules, turn, books).take();
    Instant now = turn.jobs().now();
    if (turn.jobs().waiting().isEmpty()) {
      Transfers transfers = new Transfers(rules, turn, books);
      for (CopyKey copy : List.copyOf(books.underWay().keySet())) {
        if (rules.liquidRatio().isEmpty() && !books.isAwaited(copy)) {
          transfers.cancel(copy, 0);
        }
      }
      books.look(now, Optional.empty());
    } else if (rules.mostAtOnce() > 0) {
      look(turn, books, now);
      if (turn.decisions().stream().anyMatch(PrefetchStage::isOfCopies)
          && turn.jobs().reviews().noteCopies()) {
        turn.jobs().agenda().lookAgain();
      }
    }
  }

  private static boolean isOfCopies(Decision decision) {
    return decision instanceof Decision.Prefetch || decision instanceof Decision.CancelPrefetch;
  }

  private void look(Turn turn, DataBooks books, Instant now) {
    Instant next =
        books.lookedAt().equals(Instant.MIN)
            ? now
            : GpuTime.end(books.lookedAt(), rules.atMostEvery());
    if (now.isBefore(next)) {
      books.putOff(next);
      return;
    }
    double wait =
        rules.liquidRatio().isPresent()
            ? new LiquidReads(rules, rules.liquidRatio().getAsDouble(), turn, books).run()
            : new LikelyReads(rules, turn, books, placer).run();
    double least = GpuTime.exactSeconds(rules.atMostEvery());
    double most = Math.max(least, GpuTime.exactSeconds(rules.slack()));
    books.look(
        now, Optional.of(now.plusNanos((long) (Math.max(least, Math.min(most, wait)) * NANOS))));
  }
}
