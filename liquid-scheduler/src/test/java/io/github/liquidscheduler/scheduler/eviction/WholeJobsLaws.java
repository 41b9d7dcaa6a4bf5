package io.github.liquidscheduler.scheduler.eviction;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.queue.Entries;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class WholeJobsLaws {

  private static final QueueBooks BOOKS =
      new QueueBooks(QueueTree.of(List.of(QueueSpec.named("q").withGpus(0))), Instant.EPOCH);

  /** A job of a rank that holds so many GPUs, and whether it is of use that it leaves. */
  private record Job(JobEntry entry, int gpus, boolean helps) {}

  @Property
  void theLastUsefulJobThatTheQueueMayLoseLeavesFirst(
      @ForAll @Size(max = 12) List<@IntRange(max = 3) Integer> ranks,
      @ForAll @Size(value = 12) List<@IntRange(min = 1, max = 4) Integer> gpus,
      @ForAll @Size(value = 12) List<Boolean> helps,
      @ForAll @Size(value = 13) List<@IntRange(max = 2) Integer> losesMore,
      @ForAll @IntRange(max = 6) int most) {
    List<Job> lastFirst = jobs(ranks, gpus, helps);
    Map<JobId, Job> byId = new HashMap<>();
    lastFirst.forEach(job -> byId.put(job.entry().id(), job));
    WholeJobs jobs =
        new WholeJobs(
            lastFirst.stream()
                .map(Job::entry)
                .collect(
                    groupingBy(
                        entry -> charge(requireNonNull(byId.get(entry.id())).gpus()),
                        LinkedHashMap::new,
                        toList())));

    assertThat(leave(jobs, byId, losesMore, most)).isEqualTo(expected(lastFirst, losesMore, most));
  }

  /** Returns who leaves if each time the queue may lose less. */
  private static List<JobEntry> leave(
      QueueCandidates jobs, Map<JobId, Job> byId, List<Integer> losesMore, int most) {
    List<JobEntry> left = new ArrayList<>();
    int mayLose = most;
    for (int less : losesMore) {
      EvictionSearch.Candidate next =
          jobs.next(isAtMost(mayLose), entry -> requireNonNull(byId.get(entry.id())).helps());
      if (next != null) {
        left.add((JobEntry) next);
      }
      mayLose -= less;
    }
    return left;
  }

  private static Predicate<Charge> isAtMost(int gpus) {
    return held -> {
      for (int few = 1; few <= gpus; few++) {
        if (held.equals(charge(few))) {
          return true;
        }
      }
      return false;
    };
  }

  /** The same, one job after the other. */
  private static List<JobEntry> expected(List<Job> lastFirst, List<Integer> losesMore, int most) {
    List<JobEntry> left = new ArrayList<>();
    int at = 0;
    int mayLose = most;
    for (int less : losesMore) {
      boolean isFound = false;
      for (; !isFound && at < lastFirst.size(); at++) {
        Job job = lastFirst.get(at);
        isFound = job.gpus() <= mayLose && job.helps();
        if (isFound) {
          left.add(job.entry());
        }
      }
      mayLose -= less;
    }
    return left;
  }

  private static List<Job> jobs(List<Integer> ranks, List<Integer> gpus, List<Boolean> helps) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < ranks.size(); i++) {
      jobs.add(new Job(Entries.ranked(i, ranks.get(i)), gpus.get(i), helps.get(i)));
    }
    jobs.sort(Comparator.comparing(Job::entry, JobEntry.RANK).reversed());
    return jobs;
  }

  private static Charge charge(int gpus) {
    return BOOKS.requested(JobSpec.builder("j").gpus(gpus).build());
  }
}
