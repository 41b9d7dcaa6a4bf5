package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds in which nothing happens. Each begins once whoever has changed its size may do so again,
 * and has all jobs looked at anew: the same queues are set once more. A scheduler at rest decides
 * nothing.
 */
final class QuietRounds {

  private final Scheduler scheduler;
  private final QueueTree queues;
  private Instant now = SeededScheduler.NOW.plus(SeededScheduler.COOL_DOWN.multipliedBy(2));

  QuietRounds(Scheduler scheduler, QueueTree queues) {
    this.scheduler = scheduler;
    this.queues = queues;
  }

  /** Carries decisions out, lets rounds pass, and returns what is decided in them, in words. */
  List<String> unrest(List<Decision> decisions, int rounds) {
    carryOut(decisions);
    List<String> unrest = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      now = now.plus(SeededScheduler.COOL_DOWN);
      List<Decision> decided =
          SeededScheduler.settle(scheduler, new ClusterEvent.QueuesChanged(now, queues));
      for (Decision each : decided) {
        unrest.add("round " + round + ": " + words(each));
      }
      carryOut(decided);
    }
    return unrest;
  }

  private static String words(Decision decision) {
    return decision.getClass().getSimpleName()
        + (decision instanceof Decision.AboutJob about ? " " + about.job() : "")
        + ": "
        + decision.why().describe();
  }

  /** Has jobs switch to their new sizes, as long as that has others change theirs. */
  private void carryOut(List<Decision> decisions) {
    List<Decision> left = decisions;
    while (!left.isEmpty()) {
      List<Decision> more = new ArrayList<>();
      numbers(left)
          .forEach(
              (job, number) ->
                  more.addAll(
                      SeededScheduler.settle(
                          scheduler,
                          new ClusterEvent.ResizeReported(now, job, number, ResizeStep.SWITCHED))));
      left = more;
    }
  }

  /** Returns the changes of size that are under way, by job. */
  private Map<JobId, Long> numbers(List<Decision> decisions) {
    Map<JobId, Long> numbers = new LinkedHashMap<>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Resize resize
          && scheduler.status(resize.job()).orElseThrow() instanceof JobStatus.Resizing) {
        numbers.put(resize.job(), resize.number());
      }
    }
    return numbers;
  }
}
