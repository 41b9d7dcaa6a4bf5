package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The waiting jobs in the order of their turns, all together and by shape. */
final class WaitingJobs {

  private final OrderedJobs all = new OrderedJobs();
  private final Map<Shape, NavigableSet<JobEntry>> byShape = new LinkedHashMap<>();

  void add(JobEntry job) {
    all.add(job);
    byShape.computeIfAbsent(job.shape(), shape -> new TreeSet<>(JobEntry.TURN)).add(job);
  }

  void remove(JobEntry job) {
    all.remove(job);
    NavigableSet<JobEntry> mates = mates(job.shape());
    mates.remove(job);
    if (mates.isEmpty()) {
      byShape.remove(job.shape());
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns the job whose turn is next, or null if none waits. */
  @Nullable JobEntry first() {
    return all.isEmpty() ? null : all.first();
  }

  /** Returns how many jobs wait before this one. */
  int position(JobEntry job) {
    return all.position(job);
  }

  /** Returns whether a job of the shape waits. */
  boolean hasShape(Shape shape) {
    return byShape.containsKey(shape);
  }

  /** Returns the waiting jobs of the shape in the order of their turns. */
  NavigableSet<JobEntry> mates(Shape shape) {
    return byShape.getOrDefault(shape, new TreeSet<>(JobEntry.TURN));
  }

  /** Returns the first job of each shape. */
  List<JobEntry> firsts() {
    return byShape.values().stream().map(NavigableSet::first).toList();
  }

  /** Returns, of each shape, the first job after this one. */
  List<JobEntry> nextOfEachShape(JobEntry job) {
    List<JobEntry> next = new ArrayList<>();
    for (NavigableSet<JobEntry> mates : byShape.values()) {
      @Nullable JobEntry higher = mates.higher(job);
      if (higher != null) {
        next.add(higher);
      }
    }
    return next;
  }

  List<JobId> ids() {
    List<JobId> ids = new ArrayList<>();
    all.forEach(job -> ids.add(job.id()));
    return ids;
  }

  List<JobEntry> inOrder() {
    List<JobEntry> jobs = new ArrayList<>();
    all.forEach(jobs::add);
    return jobs;
  }
}
