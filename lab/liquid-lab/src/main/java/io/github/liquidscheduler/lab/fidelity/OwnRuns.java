package io.github.liquidscheduler.lab.fidelity;

import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.lab.reference.ReferenceRun;
import io.github.liquidscheduler.lab.reference.ServiceSamples;
import io.github.liquidscheduler.lab.reference.TiresiasPolicy;
import io.github.liquidscheduler.lab.reference.TiresiasSimulator;
import io.github.liquidscheduler.lab.reference.fgd.AllocationRates;
import io.github.liquidscheduler.lab.reference.fgd.AllocationSimulator;
import io.github.liquidscheduler.lab.reference.fgd.PodPolicy;
import io.github.liquidscheduler.lab.reference.gavel.GavelSimulator;
import io.github.liquidscheduler.lab.reference.lucid.LucidPolicy;
import io.github.liquidscheduler.lab.reference.lucid.LucidSimulator;
import io.github.liquidscheduler.lab.reference.pollux.GoodputCluster;
import io.github.liquidscheduler.lab.reference.pollux.GoodputPolicies;
import io.github.liquidscheduler.lab.reference.pollux.GoodputSimulator;
import io.github.liquidscheduler.lab.reference.pollux.GoodputWorkload;
import io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplications;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Runs our simulators as the published ones were run. */
final class OwnRuns {

  private static final long SEED = 1;

  /** The original's seeds are 42 to 51. */
  private static final int ORDERS = 10;

  private static final long FIRST_ORDER = 42;

  private final Path data;

  /** Makes runs on the traces below a folder. */
  OwnRuns(Path data) {
    this.data = data;
  }

  /** Returns the figures of ours, in seconds by name. */
  Map<String, Double> figures(PublishedRun run) {
    if (run.simulator().equals("pollux")) {
      return Map.of(PublishedRun.AVERAGE, pollux(run));
    }
    if (run.isAllocation()) {
      return allocations(run);
    }
    JctStatistics statistics = reference(run).statistics();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(PublishedRun.AVERAGE, seconds(statistics.completion().average()));
    figures.put("median", seconds(statistics.completion().median()));
    figures.put("p99", seconds(statistics.completion().percentile(99)));
    figures.put("makespan", seconds(statistics.makespan()));
    return figures;
  }

  private ReferenceRun reference(PublishedRun run) {
    ClusterTopology cluster = new ClusterArgument().convert(run.cluster());
    return switch (run.simulator()) {
      case "tiresias" ->
          TiresiasSimulator.of(cluster.gpuCount(), tiresias(run.policy()))
              .run(trace(TraceFormat.TIRESIAS, run));
      case "lucid" ->
          LucidSimulator.of(cluster, LucidPolicy.named(run.policy()))
              .run(trace(TraceFormat.TIRESIAS, run));
      case "gavel" ->
          GavelSimulator.of(cluster, throughputs(), run.policy(), SEED)
              .run(trace(TraceFormat.GAVEL, run));
      default ->
          throw new IllegalArgumentException(
              "a simulator must be tiresias, lucid, gavel, pollux or fgd, but was "
                  + run.simulator());
    };
  }

  private Trace trace(TraceFormat format, PublishedRun run) {
    return format.reader().read(data.resolve(run.trace()));
  }

  private TiresiasPolicy tiresias(String policy) {
    return TiresiasPolicy.needsServiceSamples(policy)
        ? TiresiasPolicy.gittins(
            ServiceSamples.read(data.resolve("tiresias/simulator/yarn-gput1000.csv")))
        : TiresiasPolicy.named(policy);
  }

  private ThroughputTable throughputs() {
    return ThroughputTable.readGavel(data.resolve("gavel/simulation_throughputs.json"));
  }

  /** Returns the means over as many orders of arrival as were published. */
  private Map<String, Double> allocations(PublishedRun run) {
    AllocationSimulator simulator =
        AllocationSimulator.read(data.resolve(run.cluster()), data.resolve(run.trace()));
    PodPolicy policy = PodPolicy.named(run.policy());
    double atCapacity = 0;
    double atEnd = 0;
    for (int order = 0; order < ORDERS; order++) {
      AllocationRates rates = simulator.run(policy, FIRST_ORDER + order);
      atCapacity += 100 * rates.atCapacity() / ORDERS;
      atEnd += 100 * rates.atEnd() / ORDERS;
    }
    return Map.of(
        PublishedRun.ALLOCATIONS.getFirst(), atCapacity, PublishedRun.ALLOCATIONS.getLast(), atEnd);
  }

  private double pollux(PublishedRun run) {
    GoodputPolicies policy = GoodputPolicies.valueOf(run.policy().toUpperCase(Locale.ROOT));
    return GoodputSimulator.of(GoodputCluster.PUBLISHED, policy)
        .run(
            GoodputWorkload.read(
                data.resolve(run.trace()),
                MeasuredApplications.read(data.resolve("pollux/traces"))))
        .averageCompletion();
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
