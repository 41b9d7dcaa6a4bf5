package io.github.liquidscheduler.scheduler.moves;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Recent moves of running jobs for other jobs, as far as they still limit further moves. Immutable.
 *
 * @param moves the moves, in order
 */
public record RecentMoves(List<Move> moves) {

  /** No moves. */
  public static final RecentMoves NONE = new RecentMoves(List.of());

  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * A move.
   *
   * @param job the job that moved
   * @param at the time
   */
  public record Move(JobId job, Instant at) {}

  /** Copies the moves. */
  public RecentMoves {
    moves = List.copyOf(moves);
  }

  /** Returns the number of jobs that may still be moved at an instant. */
  public int left(PreemptionRules rules, Instant now) {
    long lately = moves.stream().filter(move -> now.isBefore(GpuTime.end(move.at(), HOUR))).count();
    return (int) Math.max(0, Math.min(rules.mostMoves(), rules.movesPerHour() - lately));
  }

  /** Returns true if a job must stay because it was moved recently. */
  public boolean rests(JobId job, PreemptionRules rules, Instant now) {
    return moves.stream()
        .anyMatch(
            move ->
                move.job().equals(job)
                    && now.isBefore(GpuTime.end(move.at(), rules.restAfterMove())));
  }

  /** Returns these moves and a further one, without moves that limit nothing any more. */
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
    return GpuTime.end(move.at(), longest);
  }

  /** Returns the next time at which a limit loosens, if any. */
  public Optional<Instant> nextRelease(PreemptionRules rules, Instant now) {
    boolean isLimited = rules.movesPerHour() < Integer.MAX_VALUE;
    return moves.stream()
        .flatMap(
            move ->
                Stream.of(
                    GpuTime.end(move.at(), isLimited ? HOUR : Duration.ZERO),
                    GpuTime.end(move.at(), rules.restAfterMove())))
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }
}
