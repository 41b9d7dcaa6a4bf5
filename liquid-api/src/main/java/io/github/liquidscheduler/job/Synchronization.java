package io.github.liquidscheduler.job;

/** The synchronisation of a job's tasks: whether all must run at the same time. */
public sealed interface Synchronization {

  /** All tasks start together or not at all. */
  record Gang() implements Synchronization {}

  /**
   * Tasks of a round may run one after the other or side by side; a round ends when all its tasks
   * have ended (Hare's relaxed scale-fixed synchronisation).
   *
   * @param tasksPerRound tasks in a round, at least 1
   * @param rounds number of rounds, at least 1
   */
  record RelaxedRounds(int tasksPerRound, int rounds) implements Synchronization {
    /**
     * Checks the rounds.
     *
     * @throws IllegalArgumentException if either number is less than 1
     */
    public RelaxedRounds {
      if (tasksPerRound < 1 || rounds < 1) {
        throw new IllegalArgumentException(
            "tasks per round and rounds must be at least 1, but were "
                + tasksPerRound
                + " and "
                + rounds);
      }
    }
  }
}
