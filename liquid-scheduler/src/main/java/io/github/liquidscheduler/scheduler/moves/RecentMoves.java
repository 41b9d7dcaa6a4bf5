package io.github.liquidscheduler.scheduler.moves;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which running jobs were moved for others, as far as that still bounds what may be moved.
 * Immutable.
 *
 * @param moves the moves, in their order
 */
public record RecentMoves(List<Move> moves) {

  /** Nobody was moved. */
  public static final RecentMoves NONE = new RecentMoves(List.of());

  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * A move.
   *
   * @param job who moved
   * @param at when
   */
  public record Move(JobId job, Instant at) {}

  /** Copies the moves. */
  public RecentMoves {
    moves = List.copyOf(moves);
  }

  /** Returns how many jobs may still be moved at an instant. */
  public int left(PreemptionRules rules, Instant now) {
    long lately = moves.stream().filter(move -> now.isBefore(move.at().plus(HOUR))).count();
    return (int) Math.max(0, Math.min(rules.mostMoves(), rules.movesPerHour() - lately));
  }

  /** Returns whether a job was moved so short a time ago that it must stay. */
  public boolean rests(JobId job, PreemptionRules rules, Instant now) {
    return moves.stream()
        .anyMatch(
            move -> move.job().equals(job) && now.isBefore(move.at().plus(rules.restAfterMove())));
  }

  /** Returns these moves and one more, without those that bound nothing any longer. */
  public RecentMoves with(JobId job, PreemptionRules rules, Instant now) {
    List<Move> all = new ArrayList<>();
    moves.stream().filter(move -> end(move, rules).isAfter(now)).forEach(all::add);
    Move last = new Move(job, now);
    if (end(last, rules).isAfter(now)) {
      all.add(last);
    }
    return new RecentMoves(all);
  }

  private static Instant end(Move move, PreemptionRules rules) {
    Duration counted = rules.movesPerHour() == Integer.MAX_VALUE ? Duration.ZERO : HOUR;
    Duration longest =
        counted.compareTo(rules.restAfterMove()) < 0 ? rules.restAfterMove() : counted;
    return move.at().plus(longest);
  }

  /** Returns when one of the moves bounds less than it does at an instant, if one ever does. */
  public Optional<Instant> nextRelease(PreemptionRules rules, Instant now) {
    boolean isLimited = rules.movesPerHour() < Integer.MAX_VALUE;
    return moves.stream()
        .flatMap(
            move ->
                Stream.of(
                    move.at().plus(isLimited ? HOUR : Duration.ZERO),
                    move.at().plus(rules.restAfterMove())))
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }
}
