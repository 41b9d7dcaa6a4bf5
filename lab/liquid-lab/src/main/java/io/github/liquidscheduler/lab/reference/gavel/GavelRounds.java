package io.github.liquidscheduler.lab.reference.gavel;

import java.util.List;

/** Decides who runs in each round. Times are seconds. */
interface GavelRounds {

  /** Tells that a job has arrived. */
  void arrived(GavelJob job);

  /** Tells that a job is done. */
  void left(GavelJob job);

  /**
   * Tells for how long something ran on a GPU model, with what its GPUs idled before; before its
   * jobs leave.
   */
  void received(Combination combination, int model, double seconds);

  /** Tells that nothing ran in a round and nobody will arrive. */
  void stuck();

  /** Returns what runs from now on. */
  List<SelectedRun> next(double now);
}
