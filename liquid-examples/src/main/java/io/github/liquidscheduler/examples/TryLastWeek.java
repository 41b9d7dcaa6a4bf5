package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.formats.topology.Hardware;
import io.github.liquidscheduler.formats.topology.ReadTopology;
import io.github.liquidscheduler.formats.topology.TopologyReader;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the jobs of a Slurm log once more, on the same nodes, under several policies. */
public final class TryLastWeek {

  private TryLastWeek() {}

  /** Prints the mean completion time of each policy for the output of scontrol and sacct. */
  public static void main(String[] arguments) {
    meanCompletionTimes(Path.of(arguments[0]), Path.of(arguments[1]))
        .forEach((policy, time) -> System.out.println(policy + ": " + time));
  }

  /** Returns the mean completion time under each policy. */
  static Map<String, Duration> meanCompletionTimes(Path nodes, Path jobs) {
    // @start region="lastweek"
    // What Slurm leaves out, such as the memory of a GPU, is taken from here.
    Hardware unstated = Hardware.of(8, GpuModel.of("A100"), Memory.ofGib(40));
    ReadTopology read = TopologyReader.slurmNodes(unstated).read(nodes);
    read.warnings().forEach(System.err::println); // Such as nodes that are DOWN.
    ClusterTopology cluster = read.cluster();
    Trace lastWeek = TraceFormat.SACCT.reader().read(jobs);

    Map<String, Duration> times = new LinkedHashMap<>();
    for (SchedulingPolicy policy :
        List.of(Policies.fifo(), Policies.bestEffortFifo(), Policies.shortestJobFirst())) {
      LiquidScheduler scheduler = LiquidScheduler.builder(cluster).policy(policy).build();
      SimulationResult result = Simulation.builder(lastWeek, scheduler).build().run();
      JctStatistics statistics = result.statistics().orElseThrow();
      times.put(policy.name(), statistics.completion().average());
    }
    // @end
    return times;
  }
}
