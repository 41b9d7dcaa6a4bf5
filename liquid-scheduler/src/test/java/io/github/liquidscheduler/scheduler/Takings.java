package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.deadline.SharePlan;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which jobs gave way for which others, by books kept from events and decisions alone. */
final class Takings {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MOST_TURNS = 2_000;
  private static final Duration MOMENT = Duration.ofMillis(1);

  /** One job gives way for another. */
  record Taking(JobId winner, JobId loser) {

    boolean isReverse(Taking other) {
      return winner.equals(other.loser) && loser.equals(other.winner);
    }
  }

  private final PreemptionRules rules;
  private final Map<Taking, Instant> stops = new HashMap<>();
  private final Map<JobId, Integer> stopped = new HashMap<>();
  // When a job was updated or failed last, or had to leave what it had.
  private final Map<JobId, Instant> undone = new HashMap<>();

  Takings(PreemptionRules rules) {
    this.rules = rules;
  }

  /**
   * Enters an event and what was decided. Checks that each job for which others give way gets
   * something at once, and that nobody is stopped for it twice within an hour, unless it was
   * updated, failed, or had to leave meanwhile. Who trades places goes on elsewhere at once.
   */
  void enter(ClusterEvent event, List<Decision> decisions) {
    switch (event) {
      case ClusterEvent.JobFailed e -> undone.put(e.job(), e.at());
      case ClusterEvent.JobUpdated e -> undone.put(e.job(), e.at());
      default -> {}
    }
    for (Decision decision : decisions) {
      Optional<Taking> taking = taking(decision);
      taking.ifPresent(
          one -> assertThat(decisions).as("%s", one).anyMatch(other -> gives(other, one.winner())));
      if (decision instanceof Decision.Preempt stop) {
        taking
            .filter(one -> !trades(stop.job(), decisions))
            .ifPresent(one -> requireFirst(one, event.at(), decisions));
        undone.put(stop.job(), event.at());
      }
    }
  }

  private static boolean trades(JobId job, List<Decision> decisions) {
    return decisions.stream()
        .anyMatch(
            other ->
                other instanceof Decision.Start start
                    && start.job().equals(job)
                    && start.why() instanceof Reason.NetGain);
  }

  private void requireFirst(Taking taking, Instant now, List<Decision> decisions) {
    @Nullable Instant before = stops.put(taking, now);
    if (before != null && now.isBefore(before.plus(HOUR))) {
      assertThat(undone.getOrDefault(taking.winner(), Instant.MIN))
          .as("%s for the second time, since %s: %s", taking, before, decisions)
          .isAfterOrEqualTo(before);
    }
  }

  /**
   * Checks that protected jobs are left alone, unless for a promise.
   *
   * @param books the books of before the event
   */
  void requireProtected(
      ClusterEvent event, List<Decision> decisions, PresenceLedger books, Scheduler scheduler) {
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Preempt stop && books.since(stop.job()).isPresent()) {
        taking(stop)
            .filter(one -> scheduler.job(one.winner()).filter(SharePlan::isPromised).isEmpty())
            .ifPresent(one -> requireLong(one, event.at(), books.since(stop.job()).orElseThrow()));
      }
    }
  }

  private void requireLong(Taking taking, Instant now, Instant since) {
    assertThat(Duration.between(since, now))
        .as("run time of %s", taking)
        .isGreaterThanOrEqualTo(rules.minRunTime());
    assertThat(stopped.merge(taking.loser(), 1, Integer::sum))
        .as("stops of %s", taking.loser())
        .isLessThanOrEqualTo(rules.mostPreemptions());
  }

  /**
   * Checks that a scheduler comes to rest where only time passes: it is woken as often as it wants
   * to be within a moment, and decides nothing more then but growth and prefetches; and that no two
   * jobs take from each other meanwhile. Where events are bounded each may try one job only.
   *
   * @param first what was just decided
   */
  static void requireRest(Scheduler scheduler, Instant now, List<Decision> first) {
    Scheduler quiet = scheduler.copy();
    Instant end = now.plus(MOMENT);
    Set<Taking> taken = new HashSet<>();
    first.forEach(decision -> note(decision, taken));
    Instant at = now;
    int turns = 0;
    for (Optional<Instant> wake = quiet.nextWakeUp();
        wake.filter(end::isAfter).isPresent();
        wake = quiet.nextWakeUp()) {
      at = wake.get().isAfter(at) ? wake.get() : at;
      List<Decision> decisions = quiet.on(new ClusterEvent.TimePassed(at));
      decisions.forEach(decision -> note(decision, taken));
      assertThat(++turns)
          .as("turns within a moment, the last of which: %s", decisions)
          .isLessThan(MOST_TURNS);
    }
    for (int round = 0; round < 10; round++) {
      assertThat(quiet.on(new ClusterEvent.TimePassed(at)))
          .as("quiet round %d after %d turns", round, turns)
          .allMatch(Takings::isGrowthOrPrefetch);
    }
  }

  private static void note(Decision decision, Set<Taking> taken) {
    taking(decision)
        .ifPresent(
            one -> {
              assertThat(taken)
                  .as("takings before %s", one)
                  .noneMatch(other -> other.isReverse(one));
              taken.add(one);
            });
  }

  private static boolean isGrowthOrPrefetch(Decision decision) {
    return switch (decision) {
      case Decision.Prefetch prefetch -> true;
      case Decision.CancelPrefetch cancel -> true;
      case Decision.Resize resize -> !(resize.why() instanceof Reason.MadeSmaller);
      case Decision.Profile profile -> true;
      default -> false;
    };
  }

  /** Returns true if a decision gives something to a job. */
  private static boolean gives(Decision decision, JobId job) {
    return switch (decision) {
      case Decision.Start start -> start.job().equals(job);
      case Decision.Migrate move -> move.job().equals(job);
      case Decision.Resize resize -> resize.job().equals(job);
      default -> false;
    };
  }

  private static Optional<Taking> taking(Decision decision) {
    return decision instanceof Decision.AboutJob about
        ? winner(decision.why()).map(winner -> new Taking(winner, about.job()))
        : Optional.empty();
  }

  private static Optional<JobId> winner(Reason why) {
    return switch (why) {
      case Reason.PreemptedByPriority e -> Optional.of(e.winner());
      case Reason.Reclaimed e -> Optional.of(e.winner());
      case Reason.MadeSmaller e -> Optional.of(e.winner());
      case Reason.MadeWay e -> Optional.of(e.winner());
      default -> Optional.empty();
    };
  }
}
