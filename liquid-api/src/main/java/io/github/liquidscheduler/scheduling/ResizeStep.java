package io.github.liquidscheduler.scheduling;

/** The steps of a {@linkplain Decision.Resize resize} of a running job. */
public enum ResizeStep {
  /** Its new workers are prepared; the job will switch at a mini-batch soon. */
  READY,
  /** It has its new size, and holds nothing else. */
  SWITCHED,
  /** It could not be made larger, and runs as before. */
  FAILED,
  /** It was busy, and runs as before; it may be asked again. */
  RETRY,
  /** Its new workers were not ready in time; it runs as before. */
  TIMED_OUT
}
