package io.github.liquidscheduler.simulator.report;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.Sets;
import com.google.common.collect.TreeRangeMap;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The tasks of rounds on each GPU over time, for an {@link HtmlReport}. Immutable. */
public final class RoundTimeline {

  /** With more bars, those of several rounds become one where a job goes on without a pause. */
  private static final int MOST_BARS = 40_000;

  private final int jobs;
  private final List<RoundBar> bars;

  private RoundTimeline(int jobs, List<RoundBar> bars) {
    this.jobs = jobs;
    this.bars = bars;
  }

  /**
   * Returns the timeline of a plan.
   *
   * @param trace the planned jobs
   * @throws NullPointerException if the plan has a job that the trace has not
   */
  public static RoundTimeline of(Trace trace, RoundPlan plan) {
    Map<JobId, Integer> positions = new HashMap<>();
    trace.jobs().forEach(job -> positions.put(JobId.of(job.id()), positions.size()));
    List<RoundBar> bars = bars(plan, positions, true);
    return new RoundTimeline(
        positions.size(), bars.size() > MOST_BARS ? bars(plan, positions, false) : bars);
  }

  private static List<RoundBar> bars(
      RoundPlan plan, Map<JobId, Integer> positions, boolean byRound) {
    List<RoundBar> bars = new ArrayList<>();
    for (int gpu = 0; gpu < plan.sequences().size(); gpu++) {
      int first = bars.size();
      for (RoundPlan.Run run : plan.sequences().get(gpu)) {
        int job = Objects.requireNonNull(positions.get(run.job()), "position of a job");
        RoundBar bar = new RoundBar(gpu, job, run.round(), run.start(), run.end());
        if (bars.size() > first && follows(bars.getLast(), bar, byRound)) {
          RoundBar before = bars.removeLast();
          bars.add(new RoundBar(gpu, job, before.round(), before.start(), bar.end()));
        } else {
          bars.add(bar);
        }
      }
    }
    return bars;
  }

  private static boolean follows(RoundBar before, RoundBar bar, boolean byRound) {
    return before.job() == bar.job()
        && before.end() == bar.start()
        && (!byRound || before.round() == bar.round());
  }

  RunDetails details() {
    double end = bars.stream().mapToDouble(RoundBar::end).max().orElse(0);
    return new RunDetails(
        allocations(),
        List.of(),
        Collections.nCopies(jobs, List.of()),
        Collections.nCopies(jobs, 0),
        (long) Math.ceil(end),
        bars);
  }

  private List<Allocation> allocations() {
    List<Allocation> allocations = new ArrayList<>();
    Multimaps.asMap(Multimaps.index(bars, RoundBar::job))
        .forEach(
            (job, own) ->
                held(own)
                    .asMapOfRanges()
                    .forEach((time, gpus) -> allocations.add(allocation(job, time, gpus))));
    allocations.sort(Comparator.comparingLong(Allocation::start).thenComparingInt(Allocation::job));
    return allocations;
  }

  private static RangeMap<Long, Set<Integer>> held(List<RoundBar> bars) {
    RangeMap<Long, Set<Integer>> held = TreeRangeMap.create();
    for (RoundBar bar : bars) {
      held.merge(
          Range.closedOpen(Math.round(bar.start()), Math.round(bar.end())),
          ImmutableSortedSet.of(bar.gpu()),
          (some, more) -> ImmutableSortedSet.copyOf(Sets.union(some, more)));
    }
    RangeMap<Long, Set<Integer>> periods = TreeRangeMap.create();
    held.asMapOfRanges().forEach(periods::putCoalescing);
    return periods;
  }

  private static Allocation allocation(int job, Range<Long> time, Set<Integer> gpus) {
    return new Allocation(job, time.lowerEndpoint(), time.upperEndpoint(), List.copyOf(gpus));
  }
}
