package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.reference.TiresiasPolicy;
import io.github.liquidscheduler.simulator.reference.TiresiasSimulator;
import io.github.liquidscheduler.simulator.trace.ServiceSamples;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a published simulator to run instead. */
final class ReferenceOptions {
  private static final String TIRESIAS = "tiresias";
  private static final String ELASTIC = "elastic";

  @Option(
      names = "--reference",
      paramLabel = "SIMULATOR",
      description = {
        "A reference simulator to run instead, for which only the number of GPUs of the cluster"
            + " counts.",
        "tiresias: the published simulator, reproduced exactly. Its policies: fifo, fjf, sjf,"
            + " shortest, shortest-gpu, dlas, dlas-gpu, dlas-gpu-K (K a number),"
            + " dlas-gpu-gittins.",
        "elastic: jobs change their size while they run. Its policies: tiresias (submitted sizes),"
            + " elastic-tiresias, compaction-only, compaction-admission, expansion-only, afs,"
            + " marginal, optimus, srtf (submitted sizes), shadow-price, shadow-price-known."
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

  boolean isElastic() {
    return ELASTIC.equals(reference);
  }

  String name() {
    return Objects.requireNonNull(reference);
  }

  void check() {
    if (reference != null && !reference.equals(TIRESIAS) && !isElastic()) {
      throw usage("--reference must be tiresias or elastic, but was '" + reference + "'");
    }
    if (!TIRESIAS.equals(reference) && serviceSamples != null) {
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
