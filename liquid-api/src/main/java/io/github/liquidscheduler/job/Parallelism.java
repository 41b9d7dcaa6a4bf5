package io.github.liquidscheduler.job;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The sizes an elastic job may run at, counted in tasks of its sized roles. A job that is not
 * elastic has exactly one size.
 *
 * @param allowedSizes the sizes in ascending order, at least one, each from 1 to {@value
 *     TaskRole#MAX_TASKS}
 * @param preferred the size to run at when capacity allows, one of {@code allowedSizes}
 */
public record Parallelism(List<Integer> allowedSizes, int preferred) {

  private static final int FEW = 64;

  // What most jobs have, so that they need not be made for each.
  private static final List<Parallelism> FIXED =
      IntStream.rangeClosed(1, FEW).mapToObj(Parallelism::only).toList();

  /**
   * Checks and copies the sizes.
   *
   * @throws IllegalArgumentException if the sizes are not ascending from at least 1 to at most
   *     {@value TaskRole#MAX_TASKS}, or {@code preferred} is not among them
   */
  public Parallelism {
    allowedSizes = List.copyOf(allowedSizes);
    requireAscending(allowedSizes);
    requireLargest(allowedSizes.get(allowedSizes.size() - 1));
    if (!allowedSizes.contains(preferred)) {
      throw new IllegalArgumentException(
          "the preferred size must be allowed, but " + preferred + " is not in " + allowedSizes);
    }
  }

  /** Returns the one size {@code tasks}. */
  public static Parallelism fixed(int tasks) {
    return tasks >= 1 && tasks <= FEW ? FIXED.get(tasks - 1) : only(tasks);
  }

  private static Parallelism only(int tasks) {
    return new Parallelism(List.of(tasks), tasks);
  }

  /**
   * Returns every size from {@code min} to {@code max}.
   *
   * @throws IllegalArgumentException if it is not {@code 1 <= min <= preferred <= max}, or {@code
   *     max} is more than {@value TaskRole#MAX_TASKS}
   */
  public static Parallelism between(int min, int preferred, int max) {
    requireLargest(max);
    return new Parallelism(IntStream.rangeClosed(min, max).boxed().toList(), preferred);
  }

  /** Returns the smallest size. */
  public int min() {
    return allowedSizes.get(0);
  }

  /** Returns the largest size. */
  public int max() {
    return allowedSizes.get(allowedSizes.size() - 1);
  }

  /** Returns true if there is more than one size. */
  public boolean isElastic() {
    return allowedSizes.size() > 1;
  }

  /** Returns the largest allowed size that is at most {@code tasks}, if any. */
  public OptionalInt largestWithin(int tasks) {
    return allowedSizes.stream().mapToInt(Integer::intValue).filter(s -> s <= tasks).max();
  }

  /** Returns the smallest allowed size that is more than {@code tasks}, if any. */
  public OptionalInt next(int tasks) {
    int at = Collections.binarySearch(allowedSizes, tasks);
    int next = at < 0 ? -at - 1 : at + 1;
    return next < allowedSizes.size()
        ? OptionalInt.of(allowedSizes.get(next))
        : OptionalInt.empty();
  }

  private static void requireLargest(int max) {
    if (max > TaskRole.MAX_TASKS) {
      throw new IllegalArgumentException(
          "allowed sizes must be at most " + TaskRole.MAX_TASKS + ", but the largest was " + max);
    }
  }

  private static void requireAscending(List<Integer> sizes) {
    int previous = 0;
    for (int size : sizes) {
      if (size <= previous) {
        throw new IllegalArgumentException(
            "allowed sizes must ascend from at least 1, but were " + sizes);
      }
      previous = size;
    }
    if (previous == 0) {
      throw new IllegalArgumentException("at least one size must be allowed, but there was none");
    }
  }
}
