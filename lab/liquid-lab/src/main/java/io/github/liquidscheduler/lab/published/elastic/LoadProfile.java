package io.github.liquidscheduler.lab.published.elastic;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * How the offered load varies over days, and over the hours of each: what is offered in an hour is
 * the load times the factor of the day and that of the hour.
 *
 * @param days the factor of each day, at least 0; none if the load does not vary
 * @param hours the factor of each of the 24 hours, which are 1 on average
 */
public record LoadProfile(List<Double> days, List<Double> hours) {

  /** The load does not vary, and jobs come for as long as there are any. */
  public static final LoadProfile CONSTANT =
      new LoadProfile(List.of(), Collections.nCopies(24, 1.0));

  /**
   * Two weeks after the production cluster that motivates EDL (Wu et al., IEEE TPDS 33(1), 2022,
   * section 1): seven busy days, four with a fifth to three fifths of the load, one without any,
   * two busy ones. By day two and a half times as much comes as by night.
   */
  public static final LoadProfile TWO_WEEKS =
      new LoadProfile(
          List.of(1.0, 0.95, 1.0, 0.98, 0.96, 1.0, 0.97, 0.6, 0.4, 0.2, 0.3, 0.0, 0.8, 1.0),
          dayAndNight());

  private static final int SECONDS = 3600;

  /**
   * Checks the factors.
   *
   * @throws IllegalArgumentException if one is negative or not finite, there are not 24 of hours,
   *     or nothing is offered on any day
   */
  public LoadProfile {
    days = List.copyOf(days);
    hours = List.copyOf(hours);
    boolean areFactors =
        days.stream().allMatch(LoadProfile::isFactor)
            && hours.stream().allMatch(LoadProfile::isFactor);
    double mean = hours.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    if (!areFactors
        || hours.size() != 24
        || Math.abs(mean - 1) > 1e-9
        || (!days.isEmpty() && days.stream().allMatch(day -> day == 0))) {
      throw new IllegalArgumentException(
          "a load profile must have a day with load and 24 hours that are 1 on average, but was %s"
              .formatted(List.of(days, hours)));
    }
  }

  /**
   * Returns the profile of a name: constant or two-weeks.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LoadProfile named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "constant" -> CONSTANT;
      case "two-weeks" -> TWO_WEEKS;
      default ->
          throw new IllegalArgumentException(
              "a load profile must be constant or two-weeks, but was '" + name + "'");
    };
  }

  /** Returns whether the load does not vary. */
  public boolean isConstant() {
    return days.isEmpty();
  }

  /** Returns for how many seconds all would be offered at a factor of 1. */
  double seconds() {
    return days.stream().mapToDouble(Double::doubleValue).sum() * hours.size() * SECONDS;
  }

  /**
   * Returns the second up to which so much is offered, in seconds at a factor of 1; the end of the
   * last hour with any load for what is more.
   */
  double at(double offered) {
    double left = offered;
    double last = 0;
    for (int hour = 0; hour < days.size() * hours.size(); hour++) {
      double factor = days.get(hour / hours.size()) * hours.get(hour % hours.size());
      if (factor > 0 && left <= factor * SECONDS) {
        return (double) hour * SECONDS + left / factor;
      }
      left -= factor * SECONDS;
      last = factor > 0 ? (hour + 1.0) * SECONDS : last;
    }
    return last;
  }

  private static boolean isFactor(double factor) {
    return factor >= 0 && factor < Double.POSITIVE_INFINITY;
  }

  /** 10 hours of 10/7 of the mean by day, 10 of 4/7 by night, and 4 of the mean between. */
  private static List<Double> dayAndNight() {
    Double[] hours = new Double[24];
    for (int hour = 0; hour < hours.length; hour++) {
      boolean isDay = hour >= 9 && hour < 19;
      boolean isNight = hour >= 21 || hour < 7;
      hours[hour] = isDay ? 10 / 7.0 : isNight ? 4 / 7.0 : 1.0;
    }
    return List.of(hours);
  }
}
