package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import java.util.List;

/** Runs the {@link Adjuster}s in order, before waiting jobs take the capacity they free. */
public final class Adjust implements Stage {

  private final List<Adjuster> adjusters;

  /** Makes a stage of adjusters in the order of the list, which may be empty. */
  public Adjust(List<Adjuster> adjusters) {
    this.adjusters = List.copyOf(adjusters);
  }

  @Override
  public void run(Turn turn) {
    for (Adjuster adjuster : adjusters) {
      adjuster.adjust(turn);
    }
  }
}
