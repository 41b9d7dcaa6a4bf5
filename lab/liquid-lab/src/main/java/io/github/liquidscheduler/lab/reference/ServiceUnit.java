package io.github.liquidscheduler.lab.reference;

/** What counts as attained service: time, or time by GPUs. */
enum ServiceUnit {
  SECONDS,
  GPU_SECONDS;

  /** Returns the service of a job since it last returned to the first queue. */
  long attained(CountedJob job) {
    return job.service() * weight(job);
  }

  /**
   * Returns after how many seconds the original looks whether a running job has reached a
   * threshold. For GPU-seconds this is late: it subtracts seconds from GPU-seconds.
   */
  long secondsUntil(long threshold, CountedJob job) {
    return Math.floorDiv(threshold - job.service(), weight(job));
  }

  private long weight(CountedJob job) {
    return this == GPU_SECONDS ? job.gpus() : 1;
  }
}
