package io.github.liquidscheduler.cli.storage;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of what jobs read when they start, and of what is brought before. */
public final class StorageOptions {
  private static final String NONE = "none";
  private static final String LOCALITY = "locality";
  private static final String LIQUID = "liquid";
  private static final String PREDICTED = "predicted";
  private static final List<String> RULES = List.of(NONE, LOCALITY, LIQUID, PREDICTED);

  /** The part of GPUs in use from which on Liquid's rule holds, as in its experiments. */
  private static final double LIQUID_RATIO = .5;

  @Option(
      names = "--storage-bandwidth",
      paramLabel = "BANDWIDTH",
      converter = BandwidthArgument.class,
      description =
          "Lets jobs read at each start, before they train, what is not on the disks of their"
              + " nodes: the columns dataset and dataset_size of a csv trace. All nodes share this"
              + " bandwidth of the storage, above 0 and with its unit, such as 10Gbit/s or 1GB/s"
              + " (default: jobs read nothing).")
  private @Nullable Bandwidth bandwidth;

  @Option(
      names = "--node-disk",
      paramLabel = "SIZE",
      converter = SizeArgument.class,
      description =
          "Space on the disk of each node for copies of data sets, with its unit, such as"
              + " 500GiB or 1TB; the least recently used goes first (default: the disk of the"
              + " cluster file, or none).")
  private @Nullable Memory disk;

  @Option(
      names = "--prefetch",
      paramLabel = "RULE",
      description =
          "What is brought to nodes before jobs start: none; predicted, what is likely to be read;"
              + " liquid, by the rule of Liquid's code (docs/placement.md). Both also place jobs"
              + " where their data is, and locality does only that (default: ${DEFAULT-VALUE}).")
  private String rule = NONE;

  @Option(
      names = "--most-wasted",
      paramLabel = "FRACTION",
      description =
          "With --prefetch predicted: the fraction of the bytes brought that may be wasted,"
              + " expected, from 0 to 1; less waste brings less (default: 1).")
  private @Nullable Double mostWasted;

  private boolean isPrefetching() {
    return !rule.equals(NONE);
  }

  /** Refuses options where they are not supported, as for elastic jobs and comparisons. */
  public void check(CommandSpec spec, boolean isApart) {
    OptionRules.refuseIf(
        spec,
        !RULES.contains(rule),
        "--prefetch must be one of %s, but was '%s'".formatted(String.join(", ", RULES), rule));
    OptionRules.refuseIf(
        spec,
        bandwidth == null && (disk != null || isPrefetching() || mostWasted != null),
        "--node-disk, --prefetch and --most-wasted need --storage-bandwidth");
    OptionRules.refuseIf(
        spec,
        bandwidth != null && isApart,
        "--storage-bandwidth is not for --elastic, --format elastic or --estimator compare");
    OptionRules.refuseIf(
        spec,
        mostWasted != null && !rule.equals(PREDICTED),
        "--most-wasted needs --prefetch predicted");
    OptionRules.refuseIf(
        spec,
        mostWasted != null && !(mostWasted >= 0 && mostWasted <= 1),
        "--most-wasted must be from 0 to 1, but was " + mostWasted);
  }

  /** Returns the cluster with the disks that were chosen, if any were. */
  public ClusterTopology withDisks(ClusterTopology cluster) {
    if (disk == null) {
      return cluster;
    }
    return cluster.withNodes(
        cluster.nodes().stream().map(node -> node.toBuilder().disk(disk).build()).toList());
  }

  /**
   * Lets a scheduler prefetch, if it was chosen.
   *
   * @param launch how long the processes of a job take to start
   * @throws IllegalArgumentException if there is no disk for what is brought
   */
  public void apply(LiquidScheduler.Builder scheduler, ClusterTopology cluster, Duration launch) {
    if (bandwidth == null || !isPrefetching()) {
      return;
    }
    if (cluster.nodes().stream().allMatch(node -> node.disk().equals(Memory.ZERO))) {
      throw new IllegalArgumentException(
          "--prefetch needs disks to bring data sets to, but no node has any: give them in the"
              + " cluster file, or with --node-disk");
    }
    scheduler.prefetch(rules(bandwidth).launch(launch).build());
  }

  private Prefetching.Builder rules(Bandwidth path) {
    return switch (rule) {
      case LIQUID -> Prefetching.liquid(path, LIQUID_RATIO);
      case LOCALITY -> Prefetching.over(path).mostAtOnce(0);
      default -> Prefetching.over(path).mostWasted(Optional.ofNullable(mostWasted).orElse(1.0));
    };
  }

  /** Lets the jobs of a simulation read, if a storage was chosen. */
  public void apply(Simulation.Builder simulation) {
    if (bandwidth != null) {
      simulation.storage(bandwidth);
    }
  }

  /**
   * Checks that there is something to read.
   *
   * @throws IllegalArgumentException if a storage was chosen, and no job reads
   */
  public void check(TraceSource trace) {
    if (bandwidth != null) {
      int[] readers = new int[1];
      trace.forEach(job -> readers[0] += reads(job) ? 1 : 0);
      if (readers[0] == 0) {
        throw new IllegalArgumentException(
            "--storage-bandwidth needs jobs that read, but none of %s does: name what they read in columns dataset and dataset_size of a csv trace (docs/simulation.md)"
                .formatted(trace.source()));
      }
    }
  }

  private static boolean reads(TraceJob job) {
    return !job.datasets().isEmpty();
  }

  /** Adds the options to the settings of a run. */
  public void addTo(Map<String, String> settings) {
    if (bandwidth != null) {
      settings.put("storage-bandwidth", bandwidth.toString());
      Optional.ofNullable(disk).ifPresent(size -> settings.put("node-disk", size.toString()));
      settings.put("prefetch", rule);
      Optional.ofNullable(mostWasted)
          .ifPresent(part -> settings.put("most-wasted", part.toString()));
    }
  }

  private static final class BandwidthArgument implements ITypeConverter<Bandwidth> {
    @Override
    public Bandwidth convert(String value) {
      try {
        Bandwidth bandwidth = Bandwidth.parse(value);
        if (bandwidth.bytesPerSecond() > 0) {
          return bandwidth;
        }
      } catch (IllegalArgumentException e) {
        // Not a bandwidth is as wrong as none, and the message is the same.
      }
      throw new TypeConversionException(
          "a bandwidth must be a number above 0 with a unit, such as 10Gbit/s or 1GB/s, but was '%s'"
              .formatted(value));
    }
  }

  private static final class SizeArgument implements ITypeConverter<Memory> {
    @Override
    public Memory convert(String value) {
      try {
        return Memory.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "a size must be a number with a unit, such as 500GiB or 1TB, but was '%s'"
                .formatted(value));
      }
    }
  }
}
