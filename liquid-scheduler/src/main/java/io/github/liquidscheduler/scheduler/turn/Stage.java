package io.github.liquidscheduler.scheduler.turn;

/**
 * One step of a {@link Turn}. Stages run in a fixed order and remember nothing from one turn to the
 * next: what must last is in the {@linkplain Turn#state() state}, what later stages of the same
 * turn need is on the turn.
 */
public interface Stage {

  /** Reads and changes the state, and adds the decisions that follow to the turn. */
  void run(Turn turn);
}
