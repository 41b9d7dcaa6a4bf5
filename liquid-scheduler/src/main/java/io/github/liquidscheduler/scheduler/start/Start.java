package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;

/** Starts the eligible jobs that fit, in the order of the policy, and pre-empts others for them. */
public final class Start implements Stage {

  private final Placer placer;

  /** Makes a stage that has {@code placer} place the jobs for which no plan does. */
  public Start(Placer placer) {
    this.placer = placer;
  }

  @Override
  public void run(Turn turn) {
    turn.noteGrowth(turn.jobs().changes().hasGrown());
    StartPass pass = new StartPass(turn, placer);
    if (turn.jobs().policy().allowsBypass()) {
      pass.tryByClass();
    } else {
      pass.tryFromHead();
    }
    turn.planned().countBypasses();
    turn.jobs().changes().settle();
  }
}
