package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds events to the scheduler in bursts: decides and journals each of a burst, makes the journal
 * durable once, and only then lets anybody hear of it.
 *
 * <p>When the scheduler asks to be woken at once, because it has bounded what one event starts,
 * that comes before the next event. Whether starts have begun in time is looked at once all events
 * that are there were taken.
 */
final class Turns {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

  /** Enough to share the cost of a durable write, few enough to answer soon. */
  private static final int MOST_PER_BURST = 64;

  private static final Duration PAUSE = Duration.ofMillis(1);

  private final Scheduler scheduler;
  private final Scheduler shown;
  private final StartTimeouts starts;
  private final EventJournal journal;
  private final Audience audience;
  private final LongSupplier stopwatch;
  private final HeldDecisions held;
  private final Deque<TurnOutcome> burst = new ArrayDeque<>();

  private Offer.@Nullable Dated current;

  private Instant lastTurn = Instant.MIN;
  private Instant wakeNotBefore = Instant.MIN;

  Turns(
      Scheduler scheduler,
      EventJournal journal,
      Audience audience,
      LongSupplier stopwatch,
      StartTimeouts starts) {
    this.scheduler = scheduler;
    this.starts = starts;
    this.shown = new ReadOnlyScheduler(scheduler);
    this.journal = journal;
    this.audience = audience;
    this.stopwatch = stopwatch;
    held = new HeldDecisions(scheduler);
  }

  /** The scheduler as others may see it. */
  Scheduler shown() {
    return shown;
  }

  /** Returns the next wake-up, of the scheduler or to look at starts, if any. */
  Optional<Instant> nextWakeUp() {
    return Stream.of(nextTurn(), starts.next())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private Optional<Instant> nextTurn() {
    return scheduler.nextWakeUp().map(due -> due.isBefore(wakeNotBefore) ? wakeNotBefore : due);
  }

  /** Takes some of what the inbox has gathered; all of it has this time. */
  void takeBurst(Inbox inbox, Instant now, boolean mayWake) {
    while (burst.size() < MOST_PER_BURST) {
      boolean isDue = mayWake && nextTurn().filter(due -> !due.isAfter(now)).isPresent();
      Offer.@Nullable Dated next = isDue && lastTurn.equals(now) ? null : inbox.next();
      Optional<ClusterEvent> overdue =
          mayWake && next == null && !isDue ? starts.overdue(now) : Optional.empty();
      if (next == null && !isDue && overdue.isEmpty()) {
        break;
      }
      burst.add(
          next != null
              ? decide(next)
              : overdue.isPresent() ? decide(ownEvent(overdue.get())) : wake(now));
      stopWhatNeverBegan(now);
      lastTurn = now;
    }
    current = null;
    if (!burst.isEmpty()) {
      journal.commit();
      announce();
    }
  }

  private void stopWhatNeverBegan(Instant now) {
    for (var job = held.nextNeverBegan(); job != null; job = held.nextNeverBegan()) {
      burst.add(decide(ownEvent(new ClusterEvent.JobStopped(now, job))));
    }
  }

  private Offer.Dated ownEvent(ClusterEvent event) {
    return new Offer.Dated(event, new Offer(any -> event, stopwatch.getAsLong()));
  }

  private TurnOutcome wake(Instant now) {
    TurnOutcome outcome = decide(ownEvent(new ClusterEvent.TimePassed(now)));
    boolean isIdle = !(outcome instanceof TurnOutcome.Taken taken) || taken.decisions().isEmpty();
    wakeNotBefore = isIdle ? now.plus(PAUSE) : Instant.MIN;
    return outcome;
  }

  private TurnOutcome decide(Offer.Dated dated) {
    current = dated;
    long begun = stopwatch.getAsLong();
    List<Decision> decisions;
    try {
      decisions = scheduler.on(dated.event());
    } catch (IllegalArgumentException | PluginFailedException why) {
      if (why instanceof PluginFailedException) {
        LOG.error("A {} event was refused, because a plugged-in part failed", kind(dated), why);
      }
      return new TurnOutcome.Refused(dated, why);
    }
    long ended = stopwatch.getAsLong();
    starts.note(decisions, dated.event().at());
    journal.append(dated.event(), decisions);
    Duration queued = between(dated.offer().reportedNanos(), begun);
    List<Decision> ready = held.ready(dated.event(), decisions, scheduler);
    return new TurnOutcome.Taken(dated, decisions, ready, queued, begun, ended);
  }

  private static String kind(Offer.Dated dated) {
    return dated.event().getClass().getSimpleName();
  }

  private void announce() {
    long recorded = stopwatch.getAsLong();
    while (!burst.isEmpty()) {
      switch (burst.element()) {
        case TurnOutcome.Taken taken -> announce(taken, recorded);
        case TurnOutcome.Refused refused -> {
          audience.refused(refused.dated().event(), refused.why());
          refused.dated().offer().answer().completeExceptionally(refused.why());
        }
      }
      burst.remove();
    }
  }

  private void announce(TurnOutcome.Taken taken, long recorded) {
    taken.ready().forEach(audience::handle);
    TurnTimes times =
        new TurnTimes(taken.queued(), taken.deciding(), between(taken.ended(), recorded));
    audience.decided(taken.dated().event(), taken.decisions(), times, shown);
    taken.dated().offer().answer().complete(taken.decisions());
  }

  /** Answers those whose events were decided about but not announced. */
  void refuseBurst(RuntimeException why) {
    if (current != null) {
      current.offer().answer().completeExceptionally(why);
    }
    burst.forEach(outcome -> outcome.dated().offer().answer().completeExceptionally(why));
    burst.clear();
  }

  private static Duration between(long from, long to) {
    return Duration.ofNanos(Math.max(0, to - from));
  }
}
