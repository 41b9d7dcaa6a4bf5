package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.rollback.BeforeImages;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<String, Deque<Long>> byKind = new LinkedHashMap<>();

  private final List<Observation> observed = new ArrayList<>();
  private final BeforeImages<Map<String, Deque<Long>>> images = new BeforeImages<>();

  private record Observation(String kind, long length) {}

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
    @Nullable Map<String, Deque<Long>> then = images.rollBack();
    if (then != null) {
      byKind.clear();
      byKind.putAll(then);
    }
  }

  private Map<String, Deque<Long>> image() {
    Map<String, Deque<Long>> image = new LinkedHashMap<>();
    byKind.forEach((kind, times) -> image.put(kind, new ArrayDeque<>(times)));
    return image;
  }

  /** Records the run time of a finished job. */
  void observe(JobSpec job, long length) {
    observed.add(new Observation(kind(job), Math.max(1, length)));
  }

  /** Takes pending observations into account. */
  void takeIn() {
    if (!observed.isEmpty()) {
      images.save(this::image);
      observed.forEach(this::takeIn);
      observed.clear();
    }
  }

  private void takeIn(Observation observation) {
    @Nullable Deque<Long> known = byKind.remove(observation.kind());
    Deque<Long> times = known == null ? new ArrayDeque<>() : known;
    times.addLast(observation.length());
    if (times.size() > LAST) {
      times.removeFirst();
    }
    byKind.put(observation.kind(), times);
    if (byKind.size() > MOST_KINDS) {
      byKind.remove(byKind.keySet().iterator().next());
    }
  }

  /** Returns the expected run time of a job; empty if too few jobs of its kind have finished. */
  OptionalLong expected(JobSpec job) {
    @Nullable Deque<Long> times = byKind.get(kind(job));
    if (times == null || times.size() < FEWEST) {
      return OptionalLong.empty();
    }
    List<Long> sorted = times.stream().sorted().toList();
    return OptionalLong.of(roundedUp(sorted.get(sorted.size() / 2)));
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

  private static String kind(JobSpec job) {
    return job.workload().family() + " x " + job.gpus();
  }

  void save(SnapshotSection.Builder section) {
    takeIn();
    section.list("runTimes", byKind.entrySet(), RunTimes::kind);
  }

  private static SnapshotSection kind(Map.Entry<String, Deque<Long>> entry) {
    return SnapshotSection.builder()
        .put("kind", (Object) entry.getKey())
        .texts("nanos", List.copyOf(entry.getValue()))
        .build();
  }

  static RunTimes load(SnapshotSection.Reader in) {
    RunTimes loaded = new RunTimes();
    in.list("runTimes", SnapshotSection.class, each -> each.read(loaded::loadKind));
    return loaded;
  }

  private boolean loadKind(SnapshotSection.Reader in) {
    Deque<Long> times = new ArrayDeque<>(in.texts("nanos", Long::valueOf));
    if (times.isEmpty() || times.size() > LAST || times.stream().anyMatch(time -> time < 1)) {
      throw new IllegalArgumentException(
          "run times must be 1 to %d of at least 1 ns, but were %s".formatted(LAST, times));
    }
    return byKind.put(in.value("kind", String.class), times) == null;
  }
}
