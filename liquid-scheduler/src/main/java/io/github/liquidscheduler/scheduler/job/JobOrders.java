package io.github.liquidscheduler.scheduler.job;

import java.util.Comparator;

/** The orders of jobs. Written out, since sorted structures compare most of all. */
public final class JobOrders {

  /** The order of jobs in one queue: by rank, then by submission. */
  public static final Comparator<JobEntry> RANK = JobOrders::compareRanks;

  /**
   * The turn order: by rank of the queue, then {@link #RANK}. Without a tree, promised jobs of all
   * queues come first.
   */
  public static final Comparator<JobEntry> TURN = JobOrders::compareTurns;

  /** The order of expected ends, then of starts. */
  public static final Comparator<JobEntry> SOONEST_TO_END = JobOrders::compareEnds;

  private JobOrders() {}

  private static int compareRanks(JobEntry one, JobEntry other) {
    int byRank = Long.compare(one.rank(), other.rank());
    return byRank != 0 ? byRank : Long.compare(one.sequence(), other.sequence());
  }

  private static int compareTurns(JobEntry one, JobEntry other) {
    int byQueue = Double.compare(one.turn(), other.turn());
    return byQueue != 0 ? byQueue : compareRanks(one, other);
  }

  private static int compareEnds(JobEntry one, JobEntry other) {
    int byEnd = one.foreseenEnd().compareTo(other.foreseenEnd());
    return byEnd != 0 ? byEnd : Long.compare(one.start(), other.start());
  }
}
