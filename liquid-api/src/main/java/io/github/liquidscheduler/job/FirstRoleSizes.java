package io.github.liquidscheduler.job;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of a job all of whose roles but the first have one number of tasks.
 *
 * @param sizes those of the first
 */
record FirstRoleSizes(List<TaskRole> roles, Parallelism sizes) implements CountRules {

  @Override
  public boolean isSized(int role) {
    return role == 0;
  }

  @Override
  public int[] least() {
    int[] counts = roles.stream().mapToInt(TaskRole::count).toArray();
    counts[0] = sizes.min();
    return counts;
  }

  @Override
  public int @Nullable [] at(int size, int[] from) {
    int[] counts = from.clone();
    counts[0] = size;
    return sizes.allowedSizes().contains(size) ? counts : null;
  }

  @Override
  public boolean shrink(int[] counts) {
    OptionalInt smaller = sizes.largestWithin(counts[0] - 1);
    counts[0] = smaller.orElse(counts[0]);
    return smaller.isPresent();
  }

  @Override
  public boolean cut(int[] counts) {
    for (int role = 1; role < counts.length; role++) {
      if (counts[role] < roles.get(role).count()) {
        return false;
      }
      counts[role] = roles.get(role).count();
    }
    OptionalInt largest = sizes.largestWithin(counts[0]);
    counts[0] = largest.orElse(0);
    return largest.isPresent();
  }
}
