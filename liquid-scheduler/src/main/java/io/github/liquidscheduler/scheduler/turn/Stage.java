package io.github.liquidscheduler.scheduler.turn;

/**
 * One step of a {@link Turn}. Stages run in a fixed order and hold no state between turns: lasting
 * state is in the {@linkplain Turn#state() state}, shared state of one turn is on the turn.
 */
public interface Stage {

  /** Reads and changes the state, and adds decisions to the turn. */
  void run(Turn turn);
}
