package io.github.liquidscheduler.lab.reference.elastic;

import java.util.List;
import java.util.stream.IntStream;

/** Keeps jobs from changing their size again soon after a change. */
public final class CoolDown {

  private CoolDown() {}

  /**
   * Gives jobs that run, would run on and changed after {@code since} their present size instead,
   * one after the other, as long as all fit.
   */
  public static void keep(List<ElasticJobState> jobs, int[] sizes, int gpus, double since) {
    int total = IntStream.of(sizes).sum();
    for (int i = 0; i < sizes.length; i++) {
      ElasticJobState job = jobs.get(i);
      boolean isResized = job.isRunning() && sizes[i] > 0 && sizes[i] != job.size();
      int kept = total - sizes[i] + job.size();
      if (isResized && job.lastChange() > since && kept <= gpus) {
        sizes[i] = job.size();
        total = kept;
      }
    }
  }
}
