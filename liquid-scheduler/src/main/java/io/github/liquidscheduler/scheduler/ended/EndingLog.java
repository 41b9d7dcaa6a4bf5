package io.github.liquidscheduler.scheduler.ended;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of numbered endings with a lookup by job id; entries can be removed at both ends.
 *
 * <p>A ring of endings and an open-addressing hash table of their positions, at most half full;
 * removal shifts entries back, so it leaves no tombstones. A long run has one entry per job, hence
 * arrays: a linked hash map needs two more objects per entry and a table that each garbage
 * collection scans.
 */
final class EndingLog {

  private static final long ODD = 0x9E3779B97F4A7C15L;

  // The ending of a number is at the number modulo the length.
  private @Nullable JobId[] ids = new JobId[16];
  private int[] hashes = new int[16];
  private @Nullable Outcome[] outcomes = new Outcome[16];
  // Positions in the ring plus one; 0 where there is none.
  private int[] table = new int[32];
  // Why jobs were rejected, by the numbers of their endings: few are.
  private final Map<Long, String> whys = new HashMap<>();
  private long first;
  private long end;

  /** Makes an empty log whose first ending gets the given number. */
  EndingLog(long first) {
    this.first = first;
    end = first;
  }

  /** Returns the concatenation of two adjacent logs, from number {@code least} on. */
  static EndingLog merged(EndingLog earlier, EndingLog later, long least) {
    long from = Math.clamp(least, earlier.first, earlier.end);
    EndingLog all = new EndingLog(from);
    all.addAll(earlier, from);
    all.addAll(later, later.first);
    return all;
  }

  private void addAll(EndingLog other, long from) {
    for (long number = from; number < other.end; number++) {
      other.why(number).ifPresent(why -> because(end, why));
      add(other.job(number), other.outcome(number));
    }
  }

  /** Returns the number of the oldest ending, if any. */
  long first() {
    return first;
  }

  /** Returns one more than the number of the newest ending. */
  long end() {
    return end;
  }

  int size() {
    return (int) (end - first);
  }

  JobId job(long number) {
    return Objects.requireNonNull(ids[position(number)]);
  }

  Outcome outcome(long number) {
    return Objects.requireNonNull(outcomes[position(number)]);
  }

  Optional<String> why(long number) {
    return Optional.ofNullable(whys.get(number));
  }

  /** Notes why a job was rejected. */
  void because(long number, String why) {
    whys.put(number, why);
  }

  /** Appends an ending. */
  void add(JobId job, Outcome how) {
    if (size() == ids.length) {
      grow();
    }
    int position = position(end++);
    ids[position] = job;
    hashes[position] = hash(job);
    outcomes[position] = how;
    insert(position);
  }

  /** Returns the number of a job's ending if it is at least {@code least}; else -1. */
  long find(JobId job, long least) {
    int hash = hash(job);
    for (int at = home(hash); table[at] != 0; at = next(at)) {
      int position = table[at] - 1;
      if (hashes[position] == hash && job.equals(ids[position]) && number(position) >= least) {
        return number(position);
      }
    }
    return -1;
  }

  void removeOldest() {
    whys.remove(first);
    remove(position(first++));
  }

  /** Removes the endings from this number on. */
  void removeFrom(long number) {
    while (end > Math.max(number, first)) {
      whys.remove(--end);
      remove(position(end));
    }
  }

  private void remove(int position) {
    int hole = home(hashes[position]);
    while (table[hole] != position + 1) {
      hole = next(hole);
    }
    ids[position] = null;
    table[hole] = 0;
    for (int at = next(hole); table[at] != 0; at = next(at)) {
      int fromHome = (at - home(hashes[table[at] - 1])) & (table.length - 1);
      if (fromHome >= ((at - hole) & (table.length - 1))) {
        table[hole] = table[at];
        table[at] = 0;
        hole = at;
      }
    }
  }

  private void grow() {
    @Nullable JobId[] before = ids;
    @Nullable Outcome[] how = outcomes;
    int[] hashed = hashes;
    int length = before.length;
    ids = new JobId[2 * length];
    outcomes = new Outcome[2 * length];
    hashes = new int[2 * length];
    table = new int[4 * length];
    for (long number = first; number < end; number++) {
      int from = (int) (number & (length - 1));
      int to = position(number);
      ids[to] = before[from];
      outcomes[to] = how[from];
      hashes[to] = hashed[from];
      insert(to);
    }
  }

  private void insert(int position) {
    int at = home(hashes[position]);
    while (table[at] != 0) {
      at = next(at);
    }
    table[at] = position + 1;
  }

  private int position(long number) {
    return (int) (number & (ids.length - 1));
  }

  private long number(int position) {
    return first + ((position - first) & (ids.length - 1));
  }

  private int home(int hash) {
    return hash & (table.length - 1);
  }

  private int next(int at) {
    return (at + 1) & (table.length - 1);
  }

  /** A hash other than {@link String#hashCode}, for which ids with equal hashes are easily made. */
  private static int hash(JobId job) {
    String id = job.value();
    long hash = id.length();
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * ODD;
      hash ^= hash >>> 32;
    }
    return (int) hash;
  }
}
