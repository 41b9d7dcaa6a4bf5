package io.github.liquidscheduler.lab.reference.elastic;

import java.util.List;

/** Gives jobs their submitted sizes, in their order, and bypasses those that do not fit. */
final class SubmittedSizes {

  private SubmittedSizes() {}

  static int[] fill(List<ElasticJobState> jobs, int gpus) {
    int[] sizes = new int[jobs.size()];
    int free = gpus;
    for (int i = 0; i < sizes.length; i++) {
      int submitted = jobs.get(i).job().sizes().submitted();
      if (submitted <= free) {
        sizes[i] = submitted;
        free -= submitted;
      }
    }
    return sizes;
  }
}
