package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of each placement class in the order of their turns. The least that any task of
 * a class asks for stands in flat arrays, so that an event which frees little sees at once who
 * could use it, however many classes wait.
 */
public final class WaitingClasses {

  private static final int GPUS = 0;
  private static final int CPU = 1;
  private static final int MEMORY = 2;
  private static final int AMOUNTS = 3;

  private final Map<PlacementClass, Integer> slots = new HashMap<>();
  private final List<OrderedJobs> jobs = new ArrayList<>();
  private final List<MissingTasks> shortages = new ArrayList<>();
  private long[] least = new long[AMOUNTS * 16];

  void add(JobEntry job) {
    @Nullable Integer slot = slots.get(job.placementClass());
    if (slot == null) {
      slot = jobs.size();
      slots.put(job.placementClass(), slot);
      jobs.add(new OrderedJobs());
      shortages.add(new MissingTasks());
      setLeast(slot, job);
    }
    jobs.get(slot).add(job);
  }

  void remove(JobEntry job) {
    int slot = slotOf(job);
    OrderedJobs peers = jobs.get(slot);
    peers.remove(job);
    if (peers.isEmpty()) {
      slots.remove(job.placementClass());
      OrderedJobs last = jobs.removeLast();
      MissingTasks lastShortage = shortages.removeLast();
      if (slot < jobs.size()) {
        jobs.set(slot, last);
        shortages.set(slot, lastShortage);
        slots.put(last.first().placementClass(), slot);
        System.arraycopy(least, AMOUNTS * jobs.size(), least, AMOUNTS * slot, AMOUNTS);
      }
    }
  }

  OrderedJobs peers(JobEntry job) {
    return jobs.get(slotOf(job));
  }

  /** Returns what jobs of the class of one that waits are known to lack. */
  public MissingTasks shortage(JobEntry job) {
    return shortages.get(slotOf(job));
  }

  private int slotOf(JobEntry job) {
    return Objects.requireNonNull(slots.get(job.placementClass()));
  }

  private void setLeast(int slot, JobEntry job) {
    int at = AMOUNTS * slot;
    if (at == least.length) {
      least = Arrays.copyOf(least, 2 * at);
    }
    boolean isExclusive = job.job().sharing() instanceof Sharing.Exclusive;
    Arrays.fill(least, at, at + AMOUNTS, Long.MAX_VALUE);
    for (TaskShape task : job.placementClass().tasks()) {
      int whole = isExclusive && !task.isShare() ? task.gpus() : 0;
      least[at + GPUS] = Math.min(least[at + GPUS], whole);
      least[at + CPU] = Math.min(least[at + CPU], task.cpu());
      least[at + MEMORY] = Math.min(least[at + MEMORY], task.memory());
    }
  }

  /** Returns, of each class, the first job of this rank or a higher one, in no order. */
  public List<JobEntry> firstsFrom(long rank) {
    return firstsFrom(rank, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, job -> true);
  }

  /**
   * Returns, of each class of which some task may ask for no more than these amounts, the first job
   * of this rank or a higher one, in no order.
   *
   * @param gpus wholly free GPUs
   * @param cpu CPU in millicores
   * @param memory host memory in bytes
   * @param wanted which of these jobs
   */
  public List<JobEntry> firstsFrom(
      long rank, long gpus, long cpu, long memory, Predicate<JobEntry> wanted) {
    List<JobEntry> firsts = new ArrayList<>();
    for (int slot = 0, at = 0; slot < jobs.size(); slot++, at += AMOUNTS) {
      if (least[at + GPUS] <= gpus && least[at + CPU] <= cpu && least[at + MEMORY] <= memory) {
        @Nullable JobEntry first = jobs.get(slot).firstFrom(rank);
        if (first != null && wanted.test(first)) {
          firsts.add(first);
        }
      }
    }
    return firsts;
  }
}
