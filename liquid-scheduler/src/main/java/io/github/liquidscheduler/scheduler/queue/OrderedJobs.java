package io.github.liquidscheduler.scheduler.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in the order of their ranks, with positions. A sorted list in blocks: adding, removing and
 * finding a position cost a binary search, a short move and a sum over the blocks, a few
 * microseconds at a million jobs; a tree would not know positions. A job must not change its rank
 * while it is in here.
 */
public final class OrderedJobs implements Iterable<JobEntry> {

  private static final int LARGEST_BLOCK = 512;

  private final List<List<JobEntry>> blocks = new ArrayList<>();
  // A block to use again: jobs that start at once come and go.
  private @Nullable List<JobEntry> emptied;
  private int changes;

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  int size() {
    int size = 0;
    for (List<JobEntry> block : blocks) {
      size += block.size();
    }
    return size;
  }

  /** Returns the job of the lowest rank. There is one. */
  JobEntry first() {
    return blocks.get(0).get(0);
  }

  void add(JobEntry job) {
    changes++;
    if (blocks.isEmpty()) {
      List<JobEntry> block = emptied == null ? new ArrayList<>(1) : emptied;
      emptied = null;
      block.add(job);
      blocks.add(block);
      return;
    }
    int at = Math.min(blockOf(job), blocks.size() - 1);
    List<JobEntry> block = blocks.get(at);
    block.add(-indexIn(block, job) - 1, job);
    if (block.size() > LARGEST_BLOCK) {
      List<JobEntry> half = block.subList(block.size() / 2, block.size());
      blocks.add(at + 1, new ArrayList<>(half));
      half.clear();
    }
  }

  /** Removes a job that is in here. */
  void remove(JobEntry job) {
    changes++;
    int at = blockOf(job);
    List<JobEntry> block = blocks.get(at);
    block.remove(indexIn(block, job));
    if (block.isEmpty()) {
      emptied = blocks.remove(at);
    }
  }

  /** Returns how many jobs stand before a job, which need not be in here. */
  int position(JobEntry job) {
    int at = blockOf(job);
    int before = 0;
    for (List<JobEntry> block : blocks.subList(0, at)) {
      before += block.size();
    }
    if (at == blocks.size()) {
      return before;
    }
    int index = indexIn(blocks.get(at), job);
    return before + (index < 0 ? -index - 1 : index);
  }

  /** Returns the job after one that is in here, or null if that is the last. */
  public @Nullable JobEntry next(JobEntry job) {
    int at = blockOf(job);
    int index = indexIn(blocks.get(at), job) + 1;
    if (index < blocks.get(at).size()) {
      return blocks.get(at).get(index);
    }
    return at + 1 < blocks.size() ? blocks.get(at + 1).get(0) : null;
  }

  /**
   * Returns a walk through the jobs of this rank that were submitted after others, and those of
   * higher ranks, during which others may come and go.
   *
   * @param after the sequence number of the last of the others; -1 for none
   */
  Cursor from(long rank, long after) {
    return new Cursor(rank, after);
  }

  /** Returns the jobs of a rank higher than {@code rank}, the last in turn first. */
  Stream<JobEntry> above(long rank) {
    return lastFirst().takeWhile(job -> job.rank() > rank);
  }

  /** Returns the jobs, the last in turn first. */
  Stream<JobEntry> lastFirst() {
    return blocks.reversed().stream().flatMap(block -> block.reversed().stream());
  }

  @Override
  public Iterator<JobEntry> iterator() {
    return new InOrder();
  }

  /** Returns the position of the first block that does not end before the job. */
  private int blockOf(JobEntry job) {
    return firstOf(blocks, block -> JobEntry.RANK.compare(block.get(block.size() - 1), job) >= 0);
  }

  private static int indexIn(List<JobEntry> block, JobEntry job) {
    return Collections.binarySearch(block, job, JobEntry.RANK);
  }

  /** Returns the first position from which on {@code holds} is true, by halving. */
  private static <T> int firstOf(List<T> list, Predicate<T> holds) {
    int low = 0;
    int high = list.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds.test(list.get(middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** A place between two jobs, found again after a change. */
  final class Cursor {
    private long rank;
    private long sequence;
    private int known = changes - 1;
    private int block;
    private int index;

    private Cursor(long rank, long after) {
      this.rank = rank;
      sequence = after;
    }

    /** Returns the next job that is wanted, or null; others are passed over for good. */
    @Nullable JobEntry next(Predicate<JobEntry> wanted) {
      findAgain();
      for (; block < blocks.size(); block++, index = 0) {
        List<JobEntry> jobs = blocks.get(block);
        for (; index < jobs.size(); index++) {
          JobEntry job = jobs.get(index);
          if (wanted.test(job)) {
            return job;
          }
          rank = job.rank();
          sequence = job.sequence();
        }
      }
      return null;
    }

    private void findAgain() {
      if (known != changes) {
        known = changes;
        block = firstOf(blocks, each -> isAhead(each.get(each.size() - 1)));
        index = block == blocks.size() ? 0 : firstOf(blocks.get(block), this::isAhead);
      }
    }

    private boolean isAhead(JobEntry job) {
      return job.rank() > rank || (job.rank() == rank && job.sequence() > sequence);
    }

    /** Passes over a job if it is the next. */
    void passOver(JobEntry job) {
      if (job.equals(next(any -> true))) {
        next(other -> !other.equals(job));
      }
    }
  }

  private final class InOrder implements Iterator<JobEntry> {
    private int block;
    private int index;

    @Override
    public boolean hasNext() {
      return block < blocks.size();
    }

    @Override
    public JobEntry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      JobEntry job = blocks.get(block).get(index++);
      if (index == blocks.get(block).size()) {
        block++;
        index = 0;
      }
      return job;
    }
  }
}
