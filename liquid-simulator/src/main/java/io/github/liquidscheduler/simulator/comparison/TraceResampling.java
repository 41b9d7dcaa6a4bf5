package io.github.liquidscheduler.simulator.comparison;

import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Draws traces that could have come instead of one that did: the circular block bootstrap (Politis
 * and Romano, 1992). Blocks of jobs that were submitted one after another, with the gaps before
 * them, are drawn with replacement until there are as many jobs as in the trace. Within a block
 * bursts and the likeness of neighbours stay as they were; load and mix differ from draw to draw as
 * they would from month to month.
 *
 * <p>Draw 0 is the trace itself. A job that is drawn again is another job: {@code 17~2} is the
 * second with the description of {@code 17}.
 *
 * @param block the number of jobs in a block, at least 1
 */
public record TraceResampling(int block) {

  /** A prime, so that draws of neighbouring seeds are others. */
  private static final long SPREAD = 1_000_003;

  /** Checks the number. */
  public TraceResampling {
    if (block < 1) {
      throw new IllegalArgumentException("a block must have at least one job, but had " + block);
    }
  }

  /** Returns that with blocks of about as many jobs as there are blocks. */
  public static TraceResampling inRootBlocks(Trace trace) {
    return new TraceResampling((int) Math.ceil(Math.sqrt(trace.jobs().size())));
  }

  /** Returns a draw; the same number and seed always give the same. */
  public Trace draw(Trace trace, int number, long seed) {
    if (number == 0) {
      return trace;
    }
    List<TraceJob> jobs = trace.jobs();
    SplittableRandom random = new SplittableRandom(seed * SPREAD + number);
    Set<String> ids = new HashSet<>();
    List<TraceJob> drawn = new ArrayList<>(jobs.size());
    Duration submit = jobs.getFirst().submit();
    while (drawn.size() < jobs.size()) {
      int first = random.nextInt(jobs.size());
      for (int i = 0; i < block && drawn.size() < jobs.size(); i++) {
        int index = (first + i) % jobs.size();
        if (!drawn.isEmpty()) {
          submit = submit.plus(gapBefore(jobs, index));
        }
        TraceJob job = jobs.get(index);
        drawn.add(job.toBuilder(newId(job.id(), ids)).submit(submit).build());
      }
    }
    return Trace.of(trace.source(), drawn);
  }

  /** Before the first job is the gap that jobs have on average, since none is known. */
  private static Duration gapBefore(List<TraceJob> jobs, int index) {
    if (index > 0) {
      return jobs.get(index).submit().minus(jobs.get(index - 1).submit());
    }
    Duration span = jobs.getLast().submit().minus(jobs.getFirst().submit());
    return span.dividedBy(Math.max(1, jobs.size() - 1));
  }

  private static String newId(String id, Set<String> ids) {
    String unused = id;
    for (int copy = 2; !ids.add(unused); copy++) {
      unused = id + "~" + copy;
    }
    return unused;
  }
}
