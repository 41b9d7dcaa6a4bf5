package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.util.function.Supplier;

/** Gives refusals of values the place that the values come from. */
public final class PlacedRefusal {

  private PlacedRefusal() {}

  /**
   * Returns what {@code made} returns.
   *
   * @param place what messages begin with, such as a file and a line
   * @throws InputFormatException if it is refused: as it was if that has a place, else with this
   */
  public static <T> T at(String place, Supplier<T> made) {
    try {
      return made.get();
    } catch (InputFormatException e) {
      throw e;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new InputFormatException(place + ": " + e.getMessage(), e);
    }
  }
}
