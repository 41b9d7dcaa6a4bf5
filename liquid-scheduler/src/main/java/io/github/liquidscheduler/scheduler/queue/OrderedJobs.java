package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.placement.eviction.LeastRequests;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.LazyIterator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a sorted list in blocks of at most 512 jobs. Blocks give positions and cursors that
 * survive changes, and carry the least requests of their jobs, so that a sieve skips unwanted jobs
 * a block at a time.
 * Invariants: blocks are never empty and sorted by rank and sequence, within and among each other;
 * ranks of members do not change; a cursor finds its place again by the last job passed.
 * OrderedJobsLaws compares with a sorted set.
 * Cost: add, remove and next O(log n + 512 moves); position and size O(log n + n / 512), a few
 * microseconds at a million jobs; iteration O(1) for each job.
 * Rejected: a balanced tree, which has no positions.
 */
/**
 * Jobs in the order of their ranks, with positions. A job must not change its rank while it is a
 * member.
 */
public final class OrderedJobs implements Iterable<JobEntry> {

  private static final int LARGEST_BLOCK = 512;

  private final List<Block> blocks = new ArrayList<>();
  // Reused, since jobs that start at once come and go.
  private @Nullable Block emptied;
  private int version;

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Returns a number that changes with each added or removed job. */
  int version() {
    return version;
  }

  int size() {
    int size = 0;
    for (Block block : blocks) {
      size += block.size();
    }
    return size;
  }

  /** Returns the job of the lowest rank. There must be one. */
  JobEntry first() {
    return blocks.getFirst().get(0);
  }

  void add(JobEntry job) {
    version++;
    if (blocks.isEmpty()) {
      Block block = emptied == null ? new Block(new ArrayList<>(1)) : emptied;
      emptied = null;
      block.add(0, job);
      blocks.add(block);
      return;
    }
    int at = Math.min(blockOf(job), blocks.size() - 1);
    Block block = blocks.get(at);
    block.add(-block.indexOf(job) - 1, job);
    if (block.size() > LARGEST_BLOCK) {
      blocks.add(at + 1, block.split());
    }
  }

  /** Removes a member. */
  void remove(JobEntry job) {
    version++;
    int at = blockOf(job);
    Block block = blocks.get(at);
    block.remove(block.indexOf(job));
    if (block.size() == 0) {
      emptied = blocks.remove(at);
    }
  }

  /** Returns the number of jobs before {@code job}, which need not be a member. */
  int position(JobEntry job) {
    int at = blockOf(job);
    int before = 0;
    for (int block = 0; block < at; block++) {
      before += blocks.get(block).size();
    }
    if (at == blocks.size()) {
      return before;
    }
    int index = blocks.get(at).indexOf(job);
    return before + (index < 0 ? -index - 1 : index);
  }

  /** Returns the job after a member, or null. */
  public @Nullable JobEntry next(JobEntry job) {
    int at = blockOf(job);
    int index = blocks.get(at).indexOf(job) + 1;
    if (index < blocks.get(at).size()) {
      return blocks.get(at).get(index);
    }
    return at + 1 < blocks.size() ? blocks.get(at + 1).get(0) : null;
  }

  /**
   * Returns a cursor over the jobs of this rank submitted after {@code after}, and of higher ranks.
   * Jobs may be added and removed meanwhile.
   *
   * @param after the sequence number of the last job to skip; -1 for none
   */
  Cursor from(long rank, long after) {
    return new Cursor(rank, after);
  }

  /**
   * Returns the wanted jobs above a rank, last in turn first. No job may be added or removed
   * meanwhile.
   */
  Iterator<JobEntry> above(long rank, Predicate<JobEntry> wanted) {
    return new LastFirst(rank, wanted);
  }

  /** Returns the jobs, last in turn first. */
  Stream<JobEntry> lastFirst() {
    return blocks.reversed().stream().flatMap(block -> block.jobs.reversed().stream());
  }

  @Override
  public Iterator<JobEntry> iterator() {
    return new InOrder();
  }

  /** Returns the position of the first block that does not end before the job. */
  private int blockOf(JobEntry job) {
    return firstOf(blocks, block -> JobOrders.RANK.compare(block.get(block.size() - 1), job) >= 0);
  }

  /** Returns the first position at which {@code holds}, by bisection. */
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

  /** A position between two jobs that survives changes. */
  final class Cursor {
    private long rank;
    private long sequence;
    private int known = version - 1;
    private int block;
    private int index;

    private Cursor(long rank, long after) {
      this.rank = rank;
      sequence = after;
    }

    /** Returns the next wanted job, or null; skipped jobs are not visited again. */
    @Nullable JobEntry next(Predicate<JobEntry> wanted) {
      findAgain();
      for (; block < blocks.size(); block++, index = 0) {
        Block jobs = blocks.get(block);
        for (; index < jobs.size(); index++) {
          JobEntry job = jobs.get(index);
          if (wanted.test(job)) {
            return job;
          }
          passed(job);
        }
      }
      return null;
    }

    /** Returns the next wanted job, or null; a sieve skips unwanted jobs many at a time. */
    @Nullable JobEntry next(Sieve sieve, Predicate<JobEntry> wanted) {
      findAgain();
      for (; block < blocks.size(); block++, index = 0) {
        Block jobs = blocks.get(block);
        while (index < jobs.size()) {
          int next = sieve.next(jobs.get(index), jobs.leastRequests(), index);
          if (next > index) {
            passed(jobs.get(next - 1));
            index = next;
          } else if (wanted.test(jobs.get(index))) {
            return jobs.get(index);
          } else {
            passed(jobs.get(index++));
          }
        }
      }
      return null;
    }

    private void passed(JobEntry job) {
      rank = job.rank();
      sequence = job.sequence();
    }

    private void findAgain() {
      if (known == version) {
        return;
      }
      known = version;
      if (rank == Long.MIN_VALUE && sequence < 0) {
        // Nothing was passed, so that no job need be read.
        block = 0;
        index = 0;
      } else {
        block = firstOf(blocks, each -> isAhead(each.get(each.size() - 1)));
        index = block == blocks.size() ? 0 : firstOf(blocks.get(block).jobs, this::isAhead);
      }
    }

    private boolean isAhead(JobEntry job) {
      return job.rank() > rank || (job.rank() == rank && job.sequence() > sequence);
    }

    /** Skips a job if it is the next. */
    void passOver(JobEntry job) {
      if (job.equals(next(any -> true))) {
        next(other -> !other.equals(job));
      }
    }
  }

  /** Consecutive jobs. */
  private static final class Block {
    private final List<JobEntry> jobs;
    // By job; built at the first use.
    private @Nullable LeastRequests least;

    Block(List<JobEntry> jobs) {
      this.jobs = jobs;
    }

    int size() {
      return jobs.size();
    }

    JobEntry get(int index) {
      return jobs.get(index);
    }

    int indexOf(JobEntry job) {
      return Collections.binarySearch(jobs, job, JobOrders.RANK);
    }

    void add(int index, JobEntry job) {
      jobs.add(index, job);
      if (least != null) {
        least.add(index, job.placementClass().leastTask());
      }
    }

    void remove(int index) {
      jobs.remove(index);
      if (least != null) {
        least.remove(index);
      }
    }

    /** Moves the upper half of the jobs to a new block. */
    Block split() {
      List<JobEntry> upper = jobs.subList(jobs.size() / 2, jobs.size());
      Block half = new Block(new ArrayList<>(upper));
      upper.clear();
      least = null;
      return half;
    }

    LeastRequests leastRequests() {
      @Nullable LeastRequests known = least;
      if (known == null) {
        known = new LeastRequests();
        for (int i = 0; i < jobs.size(); i++) {
          known.add(i, jobs.get(i).placementClass().leastTask());
        }
        least = known;
      }
      return known;
    }
  }

  /** A filter that skips unwanted jobs many at a time. */
  @FunctionalInterface
  public interface Sieve {

    /**
     * Returns the position of the next job that may be wanted, at or after {@code position}; the
     * end if there is none.
     *
     * @param job the job at the position; later ones rank no lower
     * @param requests the least task requests of the jobs
     * @param position the position of the job
     */
    int next(JobEntry job, LeastRequests requests, int position);
  }

  private final class LastFirst extends LazyIterator<JobEntry> {
    private final long rank;
    private final Predicate<JobEntry> wanted;
    private int block = blocks.size();
    private int index;

    LastFirst(long rank, Predicate<JobEntry> wanted) {
      this.rank = rank;
      this.wanted = wanted;
    }

    @Override
    protected @Nullable JobEntry find() {
      while (goBack()) {
        JobEntry job = blocks.get(block).get(index);
        if (job.rank() <= rank) {
          block = 0;
          index = 0;
        } else if (wanted.test(job)) {
          return job;
        }
      }
      return null;
    }

    private boolean goBack() {
      if (index == 0) {
        if (block == 0) {
          return false;
        }
        index = blocks.get(--block).size();
      }
      index--;
      return true;
    }
  }

  private final class InOrder extends LazyIterator<JobEntry> {
    private int block;
    private int index;

    @Override
    protected @Nullable JobEntry find() {
      if (block == blocks.size()) {
        return null;
      }
      Block jobs = blocks.get(block);
      JobEntry job = jobs.get(index++);
      if (index == jobs.size()) {
        block++;
        index = 0;
      }
      return job;
    }
  }
}
