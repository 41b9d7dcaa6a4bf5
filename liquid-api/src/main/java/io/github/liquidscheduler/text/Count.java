package io.github.liquidscheduler.text;

/** Numbers of things, as messages say them. */
public final class Count {

  private Count() {}

  /**
   * Returns a number with its noun, such as {@code 1 GPU} or {@code 3 jobs}.
   *
   * @param noun the noun for one, whose plural ends in another s
   */
  public static String of(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
