package io.github.liquidscheduler.scheduler.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a pass over jobs that wait in a tree of queues knew when it had started as many as one event
 * may. If nothing else happens, the next event goes on as if the pass had not stopped; else only
 * who was to be tried, and who has started, counts.
 *
 * @param candidates who was still to be tried, whatever has grown
 * @param retried the classes that are tried though they were known to fail
 * @param failed the classes that have failed in the pass
 * @param failedUnderQuotas who was not tried, since it is known to fail as long as queues hold what
 *     they do
 * @param started who has started or moved in the turn, so that nobody stops it in the same one
 * @param mayStartNext whether somebody may start in the turn after it
 */
public record UnfinishedPass(
    List<JobEntry> candidates,
    Set<PlacementClass> retried,
    Set<PlacementClass> failed,
    List<JobEntry> failedUnderQuotas,
    Set<JobEntry> started,
    boolean mayStartNext) {

  /** Returns the same of other jobs that stand for these, as far as there are any. */
  UnfinishedPass with(UnaryOperator<@Nullable JobEntry> own) {
    return new UnfinishedPass(
        of(candidates, own, new ArrayList<>()),
        new HashSet<>(retried),
        new HashSet<>(failed),
        of(failedUnderQuotas, own, new ArrayList<>()),
        of(started, own, new LinkedHashSet<>()),
        mayStartNext);
  }

  private static <C extends Collection<JobEntry>> C of(
      Collection<JobEntry> jobs, UnaryOperator<@Nullable JobEntry> own, C others) {
    for (JobEntry job : jobs) {
      @Nullable JobEntry other = own.apply(job);
      if (other != null) {
        others.add(other);
      }
    }
    return others;
  }
}
