package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.rollback.BeforeImages;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The run times of the last finished jobs by kind: workload family and number of GPUs. A job
 * without expected duration is expected to run for the median time of its kind, rounded up to a
 * power of two or 1.5 times one, so that not every finished job changes it.
 *
 * <p>Observations of a turn count from the next turn on. Times are nanoseconds. Mutable.
 */
final class RunTimes {

  private static final int LAST = 31;
  private static final int FEWEST = 5;
  private static final int MOST_KINDS = 1000;
  private static final long SECOND = 1_000_000_000L;

  /** By kind, least recently observed first. */
  private final Map<Kind, Times> byKind = new LinkedHashMap<>();

  private final List<Observation> observed = new ArrayList<>();
  private final BeforeImages<Map<Kind, Times>> images = new BeforeImages<>();
  private long version;

  private record Kind(String family, int gpus) {

    private static final String BY = " x ";

    static Kind of(JobSpec job) {
      return new Kind(job.workload().family(), job.gpus());
    }

    static Kind parse(String text) {
      int by = text.lastIndexOf(BY);
      if (by < 0) {
        throw new IllegalArgumentException(
            "a kind of jobs must be a family 'x' a number of GPUs, but was '" + text + "'");
      }
      return new Kind(text.substring(0, by), Integer.parseInt(text.substring(by + BY.length())));
    }

    @Override
    public String toString() {
      return family + BY + gpus;
    }
  }

  /**
   * The last run times of a kind, in their order.
   *
   * @param expected the expected one; null if there are too few
   */
  private record Times(List<Long> last, @Nullable Long expected) {

    static Times of(List<Long> last) {
      if (last.size() < FEWEST) {
        return new Times(last, null);
      }
      List<Long> sorted = last.stream().sorted().toList();
      return new Times(last, roundedUp(sorted.get(sorted.size() / 2)));
    }

    Times and(long length) {
      List<Long> more =
          new ArrayList<>(last.subList(Math.max(0, last.size() + 1 - LAST), last.size()));
      more.add(length);
      return of(List.copyOf(more));
    }
  }

  private record Observation(Kind kind, long length) {}

  /** Opens a mark, to which {@link #rollBack} returns. Pending observations count from now on. */
  void mark() {
    takeIn();
    images.mark();
  }

  /** Ends the innermost mark; the observations since stay. */
  void commit() {
    images.commit();
  }

  /** Returns to the innermost mark and ends it. */
  void rollBack() {
    observed.clear();
    @Nullable Map<Kind, Times> then = images.rollBack();
    if (then != null) {
      version++;
      byKind.clear();
      byKind.putAll(then);
    }
  }

  /** Records the run time of a finished job. */
  void observe(JobSpec job, long length) {
    observed.add(new Observation(Kind.of(job), Math.max(1, length)));
  }

  /** Takes pending observations into account. */
  void takeIn() {
    if (!observed.isEmpty()) {
      images.save(() -> new LinkedHashMap<>(byKind));
      observed.forEach(this::takeIn);
      observed.clear();
    }
  }

  private void takeIn(Observation observation) {
    @Nullable Times known = byKind.remove(observation.kind());
    Times times = (known == null ? Times.of(List.of()) : known).and(observation.length());
    byKind.put(observation.kind(), times);
    if (byKind.size() > MOST_KINDS) {
      byKind.remove(byKind.keySet().iterator().next());
      version++;
    }
    if (!Objects.equals(times.expected(), known == null ? null : known.expected())) {
      version++;
    }
  }

  /** Returns a number that changes whenever the expected run time of some kind does. */
  long version() {
    return version;
  }

  /** Returns the expected run time of a job; empty if too few jobs of its kind have finished. */
  OptionalLong expected(JobSpec job) {
    @Nullable Times times = byKind.get(Kind.of(job));
    @Nullable Long expected = times == null ? null : times.expected();
    return expected == null ? OptionalLong.empty() : OptionalLong.of(expected);
  }

  private static long roundedUp(long length) {
    long bound = SECOND;
    while (bound < length && bound < Long.MAX_VALUE / 4) {
      if (bound + bound / 2 >= length) {
        return bound + bound / 2;
      }
      bound *= 2;
    }
    return Math.max(bound, length);
  }

  void save(SnapshotSection.Builder section) {
    takeIn();
    section.list("runTimes", byKind.entrySet(), RunTimes::kind);
  }

  private static SnapshotSection kind(Map.Entry<Kind, Times> entry) {
    return SnapshotSection.builder()
        .text("kind", entry.getKey())
        .texts("nanos", entry.getValue().last())
        .build();
  }

  static RunTimes load(SnapshotSection.Reader in) {
    RunTimes loaded = new RunTimes();
    in.list("runTimes", SnapshotSection.class, each -> each.read(loaded::loadKind));
    return loaded;
  }

  private boolean loadKind(SnapshotSection.Reader in) {
    List<Long> times = List.copyOf(in.texts("nanos", Long::valueOf));
    if (times.isEmpty() || times.size() > LAST || times.stream().anyMatch(time -> time < 1)) {
      throw new IllegalArgumentException(
          "run times must be 1 to %d of at least 1 ns, but were %s".formatted(LAST, times));
    }
    return byKind.put(in.text("kind", Kind::parse), Times.of(times)) == null;
  }
}
