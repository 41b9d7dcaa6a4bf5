package io.github.liquidscheduler.scheduler.queue;

import java.util.List;
import java.util.Set;

/**
 * The progress of a pass in a queue tree that stopped at the limit of its event. If nothing else
 * happens, the next event continues as if the pass had not stopped; otherwise only candidates and
 * started jobs count.
 *
 * @param candidates the jobs still to be tried regardless of growth
 * @param retried the classes tried although known to fail
 * @param failed the classes that have failed in the pass
 * @param failedUnderQuotas the jobs skipped because they fail under the present quota usage
 * @param started the jobs that started or moved in the turn, which are spared in it
 * @param mayStartNext whether a job may start in the following turn
 */
public record UnfinishedPass(
    List<JobEntry> candidates,
    Set<PlacementClass> retried,
    Set<PlacementClass> failed,
    List<JobEntry> failedUnderQuotas,
    Set<JobEntry> started,
    boolean mayStartNext) {}
