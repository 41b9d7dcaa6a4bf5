package io.github.liquidscheduler.queue;

/** The running jobs that may be pre-empted for a waiting one, by the priorities of both. */
public enum Victims {
  /** None. */
  NEVER,
  /** Those of lower priority. */
  LOWER_PRIORITY,
  /** Those of lower priority, and those of equal priority that were submitted later. */
  LOWER_OR_NEWER_EQUAL_PRIORITY,
  /** All. */
  ANY
}
