package io.github.liquidscheduler.rounds.planner;

/** On which GPU a task goes whose turn it is. */
public enum GpuChoice {
  /** The one that is available first, however slow it is: Hare's Algorithm 1 as it is printed. */
  EARLIEST_AVAILABLE("eat"),
  /** The one on which it starts first; of equal ones the fastest. */
  EARLIEST_START("eat-tie"),
  /** The one on which it has computed first, after all that the GPU has been given before. */
  EARLIEST_FINISH("eft"),
  /** The one on which it has computed first, also in a gap between what was given before. */
  FIRST_GAP("eftg"),
  /**
   * The tasks of a round together, gaps included: those GPUs on which the round delays all jobs
   * least, its own by when it ends, the others by the time of GPUs that it takes. What that costs
   * follows from a plan without such costs; of the two the better counts.
   */
  LEAST_DELAY("delay");

  private final String name;

  GpuChoice(String name) {
    this.name = name;
  }

  /**
   * Returns the choice of a name: {@code eat}, {@code eat-tie}, {@code eft}, {@code eftg} or {@code
   * delay}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static GpuChoice named(String name) {
    for (GpuChoice choice : values()) {
      if (choice.name.equals(name)) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        "a choice of GPUs must be one of eat, eat-tie, eft, eftg, delay, but was '" + name + "'");
  }

  @Override
  public String toString() {
    return name;
  }
}
