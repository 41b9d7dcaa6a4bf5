package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.application.TestApplications;
import java.util.List;
import java.util.stream.IntStream;

/** Jobs of a made-up application that takes 220 s on one GPU at batch size 10. */
final class TestJobs {

  private TestJobs() {}

  static GoodputJob job(String name, long arrival, int gpus) {
    return new GoodputJob(name, arrival, TestApplications.elastic(), gpus, 10);
  }

  /** Returns jobs that wait, with one GPU each. */
  static List<GoodputProgress> waiting(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new GoodputProgress(job("job-" + i, 0, 1), false))
        .toList();
  }
}
