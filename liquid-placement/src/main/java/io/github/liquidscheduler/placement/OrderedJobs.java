package io.github.liquidscheduler.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Jobs in the order of their turns, with positions. A sorted list in blocks: adding, removing and
 * finding a position cost a binary search, a short move and a sum over the blocks, a few
 * microseconds at a million jobs; a tree would not know positions. A job must not change its rank
 * while it is in here.
 */
final class OrderedJobs implements Iterable<JobEntry> {

  private static final int LARGEST_BLOCK = 512;

  private final List<List<JobEntry>> blocks = new ArrayList<>();

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Returns the job whose turn is next. There is one. */
  JobEntry first() {
    return blocks.get(0).get(0);
  }

  void add(JobEntry job) {
    if (blocks.isEmpty()) {
      blocks.add(new ArrayList<>(List.of(job)));
      return;
    }
    int at = Math.min(blockOf(job), blocks.size() - 1);
    List<JobEntry> block = blocks.get(at);
    block.add(-Collections.binarySearch(block, job, JobEntry.TURN) - 1, job);
    if (block.size() > LARGEST_BLOCK) {
      List<JobEntry> half = block.subList(block.size() / 2, block.size());
      blocks.add(at + 1, new ArrayList<>(half));
      half.clear();
    }
  }

  /** Removes a job that is in here. */
  void remove(JobEntry job) {
    int at = blockOf(job);
    List<JobEntry> block = blocks.get(at);
    block.remove(Collections.binarySearch(block, job, JobEntry.TURN));
    if (block.isEmpty()) {
      blocks.remove(at);
    }
  }

  /** Returns how many jobs stand before a job that is in here. */
  int position(JobEntry job) {
    int at = blockOf(job);
    int before = 0;
    for (List<JobEntry> block : blocks.subList(0, at)) {
      before += block.size();
    }
    return before + Collections.binarySearch(blocks.get(at), job, JobEntry.TURN);
  }

  @Override
  public Iterator<JobEntry> iterator() {
    return blocks.stream().flatMap(List::stream).iterator();
  }

  /** Returns the jobs of a rank higher than {@code rank}, the last in turn first. */
  List<JobEntry> above(long rank) {
    List<JobEntry> above = new ArrayList<>();
    for (int at = blocks.size() - 1; at >= 0; at--) {
      List<JobEntry> block = blocks.get(at);
      for (int i = block.size() - 1; i >= 0; i--) {
        if (block.get(i).rank() <= rank) {
          return above;
        }
        above.add(block.get(i));
      }
    }
    return above;
  }

  /** Returns the position of the first block that does not end before the job. */
  private int blockOf(JobEntry job) {
    int low = 0;
    int high = blocks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      List<JobEntry> block = blocks.get(middle);
      if (JobEntry.TURN.compare(block.get(block.size() - 1), job) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
