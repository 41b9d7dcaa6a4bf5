package io.github.liquidscheduler.scheduler.rollback;

/**
 * Numbers of states, each used once: a change takes the next one, and a rollback puts back the one
 * of the state to which it returns. So what was learned of a state under its number is true
 * whenever the number is seen, and the larger of several numbers changes if any of them does.
 */
public final class Stamps {

  private long last;

  /** Makes stamps of which none is used. */
  public Stamps() {}

  /** Returns a number that was never returned before. */
  public long next() {
    return ++last;
  }
}
