package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measured retained speeds of workloads beside each other on one GPU, pair by pair and in both
 * directions. Missing pairs were not measured or do not fit into the GPU's memory. GPU models and
 * workloads are compared without case. Immutable.
 */
public final class SlowdownTable {

  private final String source;
  private final Map<WorkloadClass, Workload> workloads = new LinkedHashMap<>();
  private final Map<OnGpu, ColocationProfile> profiles = new LinkedHashMap<>();
  private final Map<Direction, Double> retained = new LinkedHashMap<>();
  private final SortedSet<String> gpus = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  /** Makes a table of rows that were checked: each direction once, and with its reverse. */
  SlowdownTable(String source, List<SlowdownRow> rows) {
    this.source = source;
    rows.forEach(this::add);
  }

  /**
   * Reads a table: the throughputs of Gavel if the name of the file ends in {@code .json}, else a
   * CSV with the columns that {@code tools/profile_pairs.py} writes, of which {@code gpu}, {@code
   * family}, {@code batch}, {@code co_family}, {@code co_batch} and {@code retained_speed} must be
   * there.
   *
   * @throws IllegalArgumentException if there is no such file or it is no such table; the message
   *     names the file, the line and the rule
   */
  public static SlowdownTable read(Path file) {
    return new SlowdownTable(
        file.toString(),
        file.toString().endsWith(".json") ? GavelSlowdowns.read(file) : SlowdownCsv.read(file));
  }

  private void add(SlowdownRow row) {
    Direction direction = Direction.of(row);
    WorkloadClass victim = direction.victim();
    gpus.add(row.gpu().name());
    workloads.putIfAbsent(victim, row.victim().workload());
    profiles.putIfAbsent(new OnGpu(victim, direction.gpu()), row.victim());
    retained.put(direction, row.retained());
  }

  /** Returns the source of the measurements, such as a file name. */
  public String source() {
    return source;
  }

  /** Returns the number of directions of pairs; a workload beside itself has one. */
  public int size() {
    return retained.size();
  }

  /** Returns the names of the GPU models that pairs were measured on, in the order of the names. */
  public List<String> gpus() {
    return List.copyOf(gpus);
  }

  /** Returns the workloads, in the order of the table. */
  public List<Workload> workloads() {
    return List.copyOf(workloads.values());
  }

  /**
   * Returns the workloads that a stated one may be: the same one if the table has it; else those of
   * the family that have the same batch size and precision as far as both sides state them.
   */
  public List<Workload> matching(Workload stated) {
    WorkloadClass wanted = WorkloadClass.of(stated);
    @Nullable Workload same = workloads.get(wanted);
    return same != null
        ? List.of(same)
        : workloads.entrySet().stream()
            .filter(each -> agree(wanted, each.getKey()))
            .map(Map.Entry::getValue)
            .toList();
  }

  private static boolean agree(WorkloadClass one, WorkloadClass other) {
    return one.family().equals(other.family())
        && agree(one.batchSize(), other.batchSize())
        && (one.precision().isEmpty()
            || other.precision().isEmpty()
            || one.precision().equals(other.precision()));
  }

  private static boolean agree(OptionalInt one, OptionalInt other) {
    return one.isEmpty() || other.isEmpty() || one.equals(other);
  }

  /** Returns true if some pair was measured on a GPU model. */
  public boolean isMeasuredOn(GpuModel gpu) {
    return gpus.contains(gpu.name());
  }

  /** Returns true if some pair with a workload was measured on a GPU model. */
  public boolean isMeasuredOn(GpuModel gpu, Workload workload) {
    return profiles.containsKey(new OnGpu(WorkloadClass.of(workload), key(gpu)));
  }

  /** Returns the measurement of a workload alone; only the workload if there is none. */
  public ColocationProfile profile(Workload workload, GpuModel gpu) {
    @Nullable ColocationProfile known =
        profiles.get(new OnGpu(WorkloadClass.of(workload), key(gpu)));
    return known == null ? ColocationProfile.of(workload) : known;
  }

  /**
   * Returns the retained speed of a workload beside another, in (0, 1.05]; empty if the table does
   * not have the pair.
   */
  public OptionalDouble retained(GpuModel gpu, Workload victim, Workload other) {
    @Nullable Double speed =
        retained.get(new Direction(key(gpu), WorkloadClass.of(victim), WorkloadClass.of(other)));
    return speed == null ? OptionalDouble.empty() : OptionalDouble.of(speed);
  }

  private static String key(GpuModel gpu) {
    return gpu.name().toLowerCase(Locale.ROOT);
  }

  private record OnGpu(WorkloadClass workload, String gpu) {}

  /** One direction of a pair on a GPU model, whose name is in lower case. */
  record Direction(String gpu, WorkloadClass victim, WorkloadClass other) {

    static Direction of(SlowdownRow row) {
      return new Direction(
          key(row.gpu()),
          WorkloadClass.of(row.victim().workload()),
          WorkloadClass.of(row.coRunner().workload()));
    }

    Direction reverse() {
      return new Direction(gpu, other, victim);
    }
  }
}
