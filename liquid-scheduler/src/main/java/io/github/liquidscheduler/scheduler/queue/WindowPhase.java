package io.github.liquidscheduler.scheduler.queue;

import java.time.Instant;
import java.util.Optional;

/** The phase of a batch window. */
public sealed interface WindowPhase {

  /** Returns the time since which there is something new to plan; empty if there is nothing. */
  Optional<Instant> openedAt();

  /** Returns the phase with something new to plan; the same if there was already. */
  WindowPhase opened(Instant now);

  /** Returns the phase without anything new to plan. */
  WindowPhase closed();

  /** Returns the phase for these times. */
  static WindowPhase of(Optional<Instant> openedAt, Optional<Instant> requestedAt) {
    Collecting collecting = openedAt.<Collecting>map(Gathering::new).orElseGet(Idle::new);
    return requestedAt.<WindowPhase>map(at -> new Awaiting(at, collecting)).orElse(collecting);
  }

  /** No plan is awaited. */
  sealed interface Collecting extends WindowPhase {
    @Override
    Collecting opened(Instant now);

    @Override
    default Collecting closed() {
      return new Idle();
    }
  }

  /** Nothing new to plan. */
  record Idle() implements Collecting {
    @Override
    public Optional<Instant> openedAt() {
      return Optional.empty();
    }

    @Override
    public Collecting opened(Instant now) {
      return new Gathering(now);
    }
  }

  /**
   * Jobs are gathered for the next plan.
   *
   * @param since the time at which the window opened
   */
  record Gathering(Instant since) implements Collecting {
    @Override
    public Optional<Instant> openedAt() {
      return Optional.of(since);
    }

    @Override
    public Collecting opened(Instant now) {
      return this;
    }
  }

  /**
   * A requested plan has not arrived yet.
   *
   * @param requestedAt the time of the request
   * @param next the phase of the next window meanwhile
   */
  record Awaiting(Instant requestedAt, Collecting next) implements WindowPhase {
    @Override
    public Optional<Instant> openedAt() {
      return next.openedAt();
    }

    @Override
    public WindowPhase opened(Instant now) {
      return new Awaiting(requestedAt, next.opened(now));
    }

    @Override
    public WindowPhase closed() {
      return new Awaiting(requestedAt, next.closed());
    }
  }
}
