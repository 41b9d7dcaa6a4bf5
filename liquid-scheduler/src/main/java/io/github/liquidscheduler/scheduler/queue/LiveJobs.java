package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.SharedMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The waiting and running jobs by id. Each has a slot, which its copies share. */
final class LiveJobs {

  private final SharedMap<JobId, Integer> slots;
  private final List<@Nullable JobEntry> jobs;
  private final Deque<Integer> free;

  LiveJobs() {
    this(new SharedMap<>(HashMap::new), noJobs(0), new ArrayDeque<>());
  }

  private LiveJobs(
      SharedMap<JobId, Integer> slots, List<@Nullable JobEntry> jobs, Deque<Integer> free) {
    this.slots = slots;
    this.jobs = jobs;
    this.free = free;
  }

  /** Returns equal slots for copies of the jobs. */
  LiveJobs forCopies() {
    return new LiveJobs(slots.copy(), noJobs(jobs.size()), new ArrayDeque<>(free));
  }

  private static List<@Nullable JobEntry> noJobs(int slots) {
    List<@Nullable JobEntry> none = new ArrayList<>(slots);
    for (int slot = 0; slot < slots; slot++) {
      none.add(null);
    }
    return none;
  }

  /** Adds a copy to the slot of its original. */
  void addCopy(JobEntry copy, JobEntry other) {
    copy.liveIn(other.liveSlot());
    jobs.set(other.liveSlot(), copy);
  }

  /** Returns the copy of a job, which must have been added. */
  JobEntry copyOf(JobEntry other) {
    return Objects.requireNonNull(jobs.get(other.liveSlot()));
  }

  /** Adds a job with a new id. */
  void add(JobEntry job) {
    @Nullable Integer slot = free.poll();
    if (slot == null) {
      slot = jobs.size();
      jobs.add(job);
    } else {
      jobs.set(slot, job);
    }
    job.liveIn(slot);
    slots.put(job.id(), slot);
  }

  void remove(JobEntry job) {
    slots.remove(job.id());
    jobs.set(job.liveSlot(), null);
    free.push(job.liveSlot());
  }

  /** Returns the job of an id, or null. */
  @Nullable JobEntry find(JobId job) {
    @Nullable Integer slot = slots.get(job);
    return slot == null ? null : jobs.get(slot);
  }

  /** Returns all jobs in an arbitrary order. */
  Stream<JobEntry> all() {
    return jobs.stream().filter(Objects::nonNull).map(Objects::requireNonNull);
  }
}
