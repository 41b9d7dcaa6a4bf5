package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * EASY backfill as textbooks have it, on a number of GPUs: a shadow time and the spare GPUs at it,
 * and no slots. No job may outlive its prediction.
 */
final class TextbookEasy {

  private final int gpus;
  private final List<BackfillCase.Job> waiting = new ArrayList<>();
  private final List<Running> running = new ArrayList<>();
  private final Map<JobId, Long> starts = new LinkedHashMap<>();
  private long now;
  private long shadow;
  private int spare;

  /** A job that runs. */
  private record Running(BackfillCase.Job job, long start) {}

  TextbookEasy(int gpus) {
    this.gpus = gpus;
  }

  /** Returns when each job starts. */
  Map<JobId, Long> run(List<BackfillCase.Job> jobs) {
    for (now = 0; starts.size() < jobs.size(); now++) {
      running.removeIf(it -> it.start() + it.job().duration() == now);
      jobs.stream().filter(job -> job.submit() == now).forEach(waiting::add);
      pass();
    }
    return starts;
  }

  private void pass() {
    while (!waiting.isEmpty() && size(waiting.getFirst()) <= freeAt(now)) {
      start(waiting.removeFirst());
    }
    if (waiting.isEmpty()) {
      return;
    }
    int head = size(waiting.getFirst());
    for (shadow = now; freeAt(shadow) < head; shadow++) {}
    spare = freeAt(shadow) - head;
    Iterator<BackfillCase.Job> others = waiting.subList(1, waiting.size()).iterator();
    while (others.hasNext()) {
      BackfillCase.Job job = others.next();
      boolean endsInTime = now + job.waiting().length() <= shadow;
      if (size(job) <= freeAt(now) && (endsInTime || size(job) <= spare)) {
        spare -= endsInTime ? 0 : size(job);
        others.remove();
        start(job);
      }
    }
  }

  private int freeAt(long instant) {
    return gpus
        - running.stream()
            .filter(it -> instant < it.start() + it.job().waiting().length())
            .mapToInt(it -> size(it.job()))
            .sum();
  }

  private void start(BackfillCase.Job job) {
    starts.put(job.waiting().id(), now);
    running.add(new Running(job, now));
  }

  private static int size(BackfillCase.Job job) {
    return job.waiting().gang();
  }
}
