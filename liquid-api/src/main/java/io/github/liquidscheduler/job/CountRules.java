package io.github.liquidscheduler.job;

import org.jspecify.annotations.Nullable;

/** The rules for the numbers of tasks of a job's roles, role by role in their order. */
interface CountRules {

  /** Returns the sizes that the job comes through as it gets larger. */
  Parallelism sizes();

  /** Returns true if a role counts for the size. */
  boolean isSized(int role);

  /** Returns the counts at the smallest size. */
  int[] least();

  /** Returns the counts of a size, which comes from others step by step; null if none does. */
  int @Nullable [] at(int size, int[] from);

  /** Takes one step back; returns false if nothing can be given up. */
  boolean shrink(int[] counts);

  /** Cuts counts down to the largest with which the job may run; returns false if none are. */
  boolean cut(int[] counts);
}
