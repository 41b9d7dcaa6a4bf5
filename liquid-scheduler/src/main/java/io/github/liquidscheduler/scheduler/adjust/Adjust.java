package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import java.util.List;

/** Runs the {@link Adjuster}s in their order, before waiting jobs take what they free. */
public final class Adjust implements Stage {

  private final List<Adjuster> adjusters;

  /** Makes a stage that runs the adjusters in the order of the list; none is fine. */
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
