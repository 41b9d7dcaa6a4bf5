package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.text.Text;
import java.util.List;
import java.util.Objects;

/**
 * One value of what a predictor has learned from observations: anybody can keep it, and only
 * predictors of its kind need to understand it.
 *
 * @param kind what it is about, such as {@code residual}; never blank
 * @param names what it describes, such as two classes of workloads and a GPU model
 * @param numbers what was learned, such as a mean and a count; all finite
 */
public record LearnedState(String kind, List<String> names, List<Double> numbers) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if the kind is blank or a number is not finite
   */
  public LearnedState {
    Objects.requireNonNull(kind, "kind");
    names = List.copyOf(names);
    numbers = List.copyOf(numbers);
    names.forEach(name -> Text.require(name, "a name in a learned state"));
    if (Text.require(kind, "the kind of a learned state").isBlank()
        || !numbers.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(
          "a learned state must have a kind and finite numbers, but was '%s' with %s"
              .formatted(kind, numbers));
    }
  }

  /**
   * Returns this learned state.
   *
   * @throws IllegalArgumentException if it has other numbers of names and numbers
   */
  public LearnedState requires(int names, int numbers) {
    if (this.names.size() != names || this.numbers.size() != numbers) {
      throw new IllegalArgumentException(
          "a learned state '%s' must have %d names and %d numbers, but had %s and %s"
              .formatted(kind, names, numbers, this.names, this.numbers));
    }
    return this;
  }

  /**
   * Returns a number that counts something.
   *
   * @throws IllegalArgumentException if it is no integer from 1 to 2³¹ - 1
   */
  public int count(int position) {
    double number = numbers.get(position);
    int count = (int) number;
    if (count < 1 || count != number) {
      throw new IllegalArgumentException(
          "a count must be an integer of at least 1, but was %s, in a learned state '%s' of %s"
              .formatted(number, kind, names));
    }
    return count;
  }
}
