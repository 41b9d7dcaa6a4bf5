package io.github.liquidscheduler.rounds.planner.switching;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How a GPU goes from the task of one job to that of another. */
public enum SwitchingTechnique {
  /** A process ends, another begins and loads its model. */
  DEFAULT("default"),
  /** Processes stand by, and models are loaded layer by layer (PipeSwitch, OSDI'20). */
  PIPESWITCH("pipeswitch"),
  /** As PipeSwitch, and models stay in memory where the same job comes again (Hare, HPDC'22). */
  HARE("hare");

  private final String name;

  SwitchingTechnique(String name) {
    this.name = name;
  }

  /**
   * Returns the technique of a name: {@code default}, {@code pipeswitch} or {@code hare}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SwitchingTechnique named(String name) {
    for (SwitchingTechnique technique : values()) {
      if (technique.name.equals(name)) {
        return technique;
      }
    }
    throw new IllegalArgumentException(
        "a switching technique must be one of %s, but was '%s'".formatted(names(), name));
  }

  private static String names() {
    return Arrays.stream(values())
        .map(SwitchingTechnique::toString)
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name;
  }
}
