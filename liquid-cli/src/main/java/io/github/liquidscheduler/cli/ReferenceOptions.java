package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.reference.TiresiasPolicy;
import io.github.liquidscheduler.simulator.reference.TiresiasSimulator;
import io.github.liquidscheduler.simulator.trace.ServiceSamples;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a published simulator to run instead. */
final class ReferenceOptions {
  private static final String TIRESIAS = "tiresias";

  @Option(
      names = "--reference",
      paramLabel = "SIMULATOR",
      description = {
        "Reproduce a published simulator exactly: tiresias. Its policies: fifo, fjf, sjf, shortest,"
            + " shortest-gpu, dlas, dlas-gpu, dlas-gpu-K (K a number), dlas-gpu-gittins. Only the"
            + " number of GPUs of the cluster counts."
      })
  private @Nullable String reference;

  @Option(
      names = "--service-samples",
      paramLabel = "FILE",
      description = "CSV of the GPU-seconds of past jobs; required by dlas-gpu-gittins.")
  private @Nullable Path serviceSamples;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  boolean isGiven() {
    return reference != null;
  }

  String name() {
    return TIRESIAS;
  }

  void check() {
    if (reference != null && !reference.equals(TIRESIAS)) {
      throw usage("--reference must be tiresias, but was '" + reference + "'");
    }
    if (reference == null && serviceSamples != null) {
      throw usage("--service-samples is for --reference tiresias --policy dlas-gpu-gittins");
    }
  }

  SimulationResult run(Trace jobs, ClusterTopology cluster, String policy) {
    return SimulationResult.of(
        TiresiasSimulator.of(cluster.gpuCount(), tiresiasPolicy(policy)).run(jobs));
  }

  private TiresiasPolicy tiresiasPolicy(String policy) {
    if (!TiresiasPolicy.needsServiceSamples(policy)) {
      return TiresiasPolicy.named(policy);
    }
    if (serviceSamples == null) {
      throw usage("policy " + policy + " needs --service-samples");
    }
    return TiresiasPolicy.gittins(ServiceSamples.read(serviceSamples));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
