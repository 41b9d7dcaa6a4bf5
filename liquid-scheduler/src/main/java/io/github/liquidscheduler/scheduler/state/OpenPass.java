package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.UnfinishedPass;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an {@linkplain UnfinishedPass unfinished pass}; classes are named by their first
 * jobs.
 */
final class OpenPass {

  private OpenPass() {}

  static SnapshotSection save(UnfinishedPass pass, JobTable jobs) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .texts("candidates", known(pass.candidates(), jobs))
            .texts("retried", firstsOf(pass.retried(), jobs))
            .texts("failed", firstsOf(pass.failed(), jobs))
            .texts("failedAsQueuesAre", known(pass.failedUnderQuotas(), jobs))
            .texts("started", known(pass.started(), jobs));
    if (pass.mayStartNext()) {
      section.put("mayStartNext", true);
    }
    return section.build();
  }

  /** Returns the ids of those jobs that have not ended. */
  private static List<JobId> known(Collection<JobEntry> jobs, JobTable table) {
    return jobs.stream()
        .filter(job -> job.equals(table.find(job.id())))
        .map(JobEntry::id)
        .sorted()
        .toList();
  }

  static List<JobId> firstsOf(Set<PlacementClass> classes, JobTable jobs) {
    WaitingClasses waiting = jobs.eligible().byClass();
    return classes.stream()
        .map(waiting::first)
        .flatMap(Optional::stream)
        .map(JobEntry::id)
        .sorted()
        .toList();
  }

  static UnfinishedPass load(SnapshotSection.Reader in, JobTable jobs) {
    return new UnfinishedPass(
        jobs(in, "candidates", jobs),
        classes(in, "retried", jobs),
        classes(in, "failed", jobs),
        jobs(in, "failedAsQueuesAre", jobs),
        new LinkedHashSet<>(jobs(in, "started", jobs)),
        in.optional("mayStartNext", Boolean.class).orElse(false));
  }

  static Set<PlacementClass> classes(SnapshotSection.Reader in, String name, JobTable all) {
    Set<PlacementClass> classes = new HashSet<>();
    jobs(in, name, all).forEach(job -> classes.add(job.placementClass()));
    return classes;
  }

  static List<JobEntry> jobs(SnapshotSection.Reader in, String name, JobTable all) {
    List<JobEntry> jobs = new ArrayList<>();
    for (JobId id : in.texts(name, JobId::of)) {
      @Nullable JobEntry job = all.find(id);
      if (job == null) {
        throw new IllegalArgumentException(
            "a job of a turn that has to go on must wait or run, but '" + id + "' does neither");
      }
      jobs.add(job);
    }
    return jobs;
  }
}
