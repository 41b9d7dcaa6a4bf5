package io.github.liquidscheduler.scheduler.job;

/** Whether a job was seen where it runs: nobody here has decided then that it may run there. */
public enum Sighting {
  /** It waits, or was started here. */
  NONE,
  /** It was seen, and is one like any other. */
  OWNED,
  /** It was seen, and nothing is decided about it. */
  FOREIGN
}
