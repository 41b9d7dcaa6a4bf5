package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Asks running jobs how fast they are at their smaller sizes, of which that is not known: each
 * once, after it has kept its size for the cool-down. Sizes are walked downwards, since getting
 * smaller costs next to nothing: each if there are few, else every half (EDL).
 */
public final class Profiling implements Stage {

  /** Beyond so many sizes every half is measured. */
  private static final int FEW = 8;

  @Override
  public void run(Turn turn) {
    JobTable jobs = turn.jobs();
    List<JobEntry> inOrder = new ArrayList<>(jobs.elastic().all());
    inOrder.sort(Comparator.comparingLong(JobEntry::sequence));
    for (JobEntry job : inOrder) {
      List<Integer> sizes = job.speeds().sizesSeen() < 2 ? sizes(job) : List.of();
      if (sizes.size() > 1 && jobs.elastic().mayChange(job) && !job.wasProfiled()) {
        jobs.profile(job);
        turn.decide(
            new Decision.Profile(
                job.id(), sizes, new Reason.SpeedsUnknown(job.speeds().sizesSeen())));
      }
    }
  }

  private static List<Integer> sizes(JobEntry job) {
    List<Integer> smaller =
        job.job().parallelism().allowedSizes().stream().filter(size -> size <= job.size()).toList();
    if (smaller.isEmpty() || smaller.getLast() - smaller.getFirst() <= FEW) {
      return smaller.reversed();
    }
    List<Integer> halves = new ArrayList<>();
    for (int size : smaller.reversed()) {
      if (halves.isEmpty()
          || 2 * size <= halves.getLast()
          || size == smaller.getFirst().intValue()) {
        halves.add(size);
      }
    }
    return halves;
  }
}
