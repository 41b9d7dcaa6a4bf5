package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Memory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How a {@link SlurmPort} reaches its Slurm, and how that one's words become the scheduler's.
 *
 * @param partitions the partitions whose jobs the scheduler starts, at least one; jobs elsewhere
 *     are watched only
 * @param ownership how the jobs there are made to wait
 * @param gpuMemory the memory of a GPU by its type in {@code Gres}, which Slurm does not know;
 *     {@link #UNKNOWN_GPU_MEMORY} of others
 * @param priorities the priorities of jobs
 * @param queues the queue of an account, or else of a partition; if there are none, each job is in
 *     the default queue
 * @param poll how often to look
 * @param timeout the longest time that a command may take
 * @param startTimeout how long Slurm may leave a job pending after its start was commanded; it is
 *     then started elsewhere. A node that wakes up or runs a prolog is not pending.
 * @param explainsInComment whether why a job waits is also written to its comment, if its user has
 *     written none, for {@code squeue -o %k}
 * @param commands the folder of the commands; empty to find them by the search path
 * @param slurmConf the file {@code slurm.conf}; empty for that of the installation
 */
public record SlurmConfig(
    List<String> partitions,
    Ownership ownership,
    Map<String, Memory> gpuMemory,
    Priorities priorities,
    Map<String, String> queues,
    Duration poll,
    Duration timeout,
    Duration startTimeout,
    boolean explainsInComment,
    Optional<Path> commands,
    Optional<Path> slurmConf) {

  /** The memory of a GPU whose type is not configured. */
  public static final Memory UNKNOWN_GPU_MEMORY = Memory.ofGib(80);

  /**
   * Copies the lists and maps.
   *
   * @throws IllegalArgumentException if there is no partition, or a duration is not positive
   */
  public SlurmConfig {
    partitions = List.copyOf(partitions);
    Objects.requireNonNull(ownership, "ownership");
    gpuMemory = Collections.unmodifiableSortedMap(new TreeMap<>(gpuMemory));
    Objects.requireNonNull(priorities, "priorities");
    queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
    Objects.requireNonNull(commands, "commands");
    Objects.requireNonNull(slurmConf, "slurmConf");
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException("partitions must name at least one, but name none");
    }
    requirePositive("poll", poll);
    requirePositive("timeout", timeout);
    requirePositive("startTimeout", startTimeout);
  }

  private static void requirePositive(String name, Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, but was " + duration);
    }
  }

  /** Returns the configuration with defaults for all but the partitions. */
  public static SlurmConfig of(String... partitions) {
    return new SlurmConfig(
        List.of(partitions),
        Ownership.BEGIN_TIME,
        Map.of(),
        Priorities.NONE,
        Map.of(),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        Duration.ofMinutes(2),
        false,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Reads a configuration from a JSON file; only {@code partitions} must be there.
   *
   * @throws IllegalArgumentException if it cannot be read, or a key or value is not as it must be;
   *     the message, of one line, names the file, the key and the value
   */
  public static SlurmConfig read(Path file) {
    return SlurmConfigReader.read(file);
  }

  /**
   * Adds the queue, the priority and the nodes of a job that was submitted to a partition.
   *
   * @param account its account; blank if it is not known
   * @param qos its quality of service; blank if it is not known
   */
  public void describe(JobSpec.Builder spec, String partition, String account, String qos) {
    spec.priority(priorities.of(qos, partition, 0));
    Stream.of(account, partition)
        .flatMap(name -> Optional.ofNullable(queues.get(name)).stream())
        .findFirst()
        .ifPresent(spec::queue);
    if (!partition.isEmpty()) {
      spec.nodeLabel(SlurmCluster.PARTITION + partition, SlurmCluster.YES);
    }
  }

  Memory memoryOf(String gpuType) {
    return gpuMemory.getOrDefault(gpuType, UNKNOWN_GPU_MEMORY);
  }

  /** How Slurm is made to leave the start of jobs to the scheduler. */
  public enum Ownership {
    /**
     * By a begin time far ahead, which a plugin of job submission sets on every job of the
     * partitions. Slurm judges dependencies, users hold and release their jobs as ever, and one
     * update pins and starts a job.
     */
    BEGIN_TIME,
    /** By a hold: only jobs that their users submit held, by {@code sbatch -H}. */
    HOLD
  }

  /**
   * The priorities of jobs, in the scheduler's terms: the sum of those of quality of service and
   * partition, less what the job's niceness takes.
   *
   * @param qos by the name of the quality of service; others add nothing
   * @param partition by the name of the partition; others add nothing
   * @param nicePerPriority how much niceness takes one from the priority; 0 if none does
   * @param highestByUser the highest priority that a user may give with {@code liquid.priority=} in
   *     a job's comment; a user may always lower it
   */
  public record Priorities(
      Map<String, Integer> qos,
      Map<String, Integer> partition,
      int nicePerPriority,
      int highestByUser) {

    /** Every job has the same priority, unless its user lowers it. */
    public static final Priorities NONE = new Priorities(Map.of(), Map.of(), 0, 0);

    /**
     * Copies the maps.
     *
     * @throws IllegalArgumentException if {@code nicePerPriority} is negative
     */
    public Priorities {
      qos = Collections.unmodifiableSortedMap(new TreeMap<>(qos));
      partition = Collections.unmodifiableSortedMap(new TreeMap<>(partition));
      if (nicePerPriority < 0) {
        throw new IllegalArgumentException(
            "nicePerPriority must not be negative, but was " + nicePerPriority);
      }
    }

    int of(String jobQos, String jobPartition, long nice) {
      long sum = qos.getOrDefault(jobQos, 0) + (long) partition.getOrDefault(jobPartition, 0);
      return Math.clamp(
          nicePerPriority == 0 ? sum : sum - nice / nicePerPriority,
          Integer.MIN_VALUE,
          Integer.MAX_VALUE);
    }
  }
}
