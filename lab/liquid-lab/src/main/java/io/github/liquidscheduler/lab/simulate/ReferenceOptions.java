package io.github.liquidscheduler.lab.simulate;

import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.lab.reference.ServiceSamples;
import io.github.liquidscheduler.lab.reference.TiresiasPolicy;
import io.github.liquidscheduler.lab.reference.TiresiasSimulator;
import io.github.liquidscheduler.lab.reference.backfill.BackfillPolicy;
import io.github.liquidscheduler.lab.reference.backfill.BackfillSimulator;
import io.github.liquidscheduler.lab.reference.gavel.GavelSimulator;
import io.github.liquidscheduler.lab.reference.lucid.LucidPolicy;
import io.github.liquidscheduler.lab.reference.lucid.LucidSimulator;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a published simulator to run instead. */
final class ReferenceOptions {
  private static final String TIRESIAS = "tiresias";
  private static final String LUCID = "lucid";
  private static final String GAVEL = "gavel";
  private static final String ELASTIC = "elastic";
  private static final String BACKFILL = "backfill";
  private static final String ROUNDS = "rounds";

  @Option(
      names = "--reference",
      paramLabel = "SIMULATOR",
      description = {
        "A reference simulator to run instead. For tiresias and elastic only the number of GPUs of"
            + " the cluster counts.",
        "tiresias: the published simulator, reproduced exactly. Its policies: fifo, fjf, sjf,"
            + " shortest, shortest-gpu, dlas, dlas-gpu, dlas-gpu-K (K a number),"
            + " dlas-gpu-gittins.",
        "gavel: rounds of six minutes on several GPU models, with --format gavel and --throughputs."
            + " Its policies: fifo_perf, max_min_fairness_perf, allox (jobs of one GPU), gandiva"
            + " (with --seed), min_total_duration_perf, max_sum_throughput_perf,"
            + " max_sum_throughput_normalized_by_cost_perf, comparative_advantage,"
            + " comparative_advantage_known, comparative_advantage_packed,"
            + " comparative_advantage_packed_known.",
        "elastic: jobs change their size while they run. Its policies: tiresias (submitted sizes),"
            + " elastic-tiresias, compaction-only, compaction-admission, expansion-only, afs,"
            + " marginal, optimus, srtf (submitted sizes), shadow-price, shadow-price-known,"
            + " shadow-price-steady.",
        "lucid: nodes of 8 GPUs with the narrowest placements, second by second, reproduced"
            + " exactly. Its policies: fifo, sjf, srtf, tiresias.",
        "backfill: reservations on equal nodes, in racks if the cluster has any; nodes of one GPU"
            + " are counted only. Its policies: fifo, best-effort-fifo, easy, conservative.",
        "rounds: jobs train in rounds of tasks, which may run one after another on fewer GPUs, of"
            + " any model. Its policies: hare (planned anew when jobs come and end) and the"
            + " algorithms of liquid rounds, such as hlas, srpt, las, gang-fifo, allox."
      })
  private @Nullable String reference;

  @Option(
      names = "--service-samples",
      paramLabel = "FILE",
      description = "CSV of the GPU-seconds of past jobs; required by dlas-gpu-gittins.")
  private @Nullable Path serviceSamples;

  @Option(
      names = "--round-length",
      paramLabel = "TIME",
      description =
          "With --reference rounds: how long a round takes on the fastest GPUs, above 0"
              + " (default: 10m).")
  private @Nullable Duration roundLength;

  @Option(
      names = "--reservations",
      paramLabel = "JOBS",
      description =
          "With --reference backfill --policy easy: how many waiting jobs hold a reservation,"
              + " at least 1 (default: 1).")
  private @Nullable Integer reservations;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  boolean isRounds() {
    return ROUNDS.equals(reference);
  }

  boolean isElastic() {
    return ELASTIC.equals(reference);
  }

  void check() {
    if (reference != null
        && !List.of(TIRESIAS, LUCID, GAVEL, ELASTIC, BACKFILL, ROUNDS).contains(reference)) {
      throw usage(
          "--reference must be tiresias, lucid, gavel, elastic, backfill or rounds, but was '"
              + reference
              + "'");
    }
    if (!BACKFILL.equals(reference) && reservations != null) {
      throw usage("--reservations is for --reference backfill --policy easy");
    }
    if (!ROUNDS.equals(reference) && roundLength != null) {
      throw usage("--round-length is for --reference rounds");
    }
    if (!TIRESIAS.equals(reference) && serviceSamples != null) {
      throw usage("--service-samples is for --reference tiresias --policy dlas-gpu-gittins");
    }
  }

  /** Returns the conditions that the simulator supports. */
  List<String> conditions() {
    return switch (String.valueOf(reference)) {
      case GAVEL -> List.of("--seed", "--throughputs");
      case ROUNDS -> List.of("--seed", "--throughputs", "--skip-unmeasured");
      default -> List.of("--seed");
    };
  }

  /**
   * Returns when the tasks of a trace run, with --reference rounds.
   *
   * @throws IllegalStateException if that was not asked for
   */
  RoundPlan plan(
      Trace jobs, ClusterTopology cluster, String policy, SimulateConditions conditions) {
    if (!isRounds()) {
      throw new IllegalStateException("only --reference rounds has a plan of rounds");
    }
    return RoundSimulator.of(cluster, conditions.speed(), policy, roundLength()).plan(jobs);
  }

  /** Runs the jobs, of a simulator that is not --reference rounds. */
  SimulationResult run(
      Trace jobs, ClusterTopology cluster, String policy, SimulateConditions conditions) {
    return switch (String.valueOf(reference)) {
      case BACKFILL -> backfill(cluster, policy).run(jobs).result();
      case LUCID -> LucidSimulator.of(cluster, LucidPolicy.named(policy)).run(jobs).result();
      case GAVEL -> gavel(cluster, policy, conditions).run(jobs).result();
      default ->
          TiresiasSimulator.of(cluster.gpuCount(), tiresiasPolicy(policy)).run(jobs).result();
    };
  }

  private GavelSimulator gavel(
      ClusterTopology cluster, String policy, SimulateConditions conditions) {
    return GavelSimulator.of(
        cluster, requireThroughputs(conditions.speed()), policy, conditions.seed());
  }

  void addTo(Map<String, String> settings) {
    settings.put("reference", Objects.requireNonNull(reference));
    if (reservations != null) {
      settings.put("reservations", reservations.toString());
    }
    if (ROUNDS.equals(reference)) {
      settings.put("round-length", roundLength().toString());
    }
  }

  private Duration roundLength() {
    return roundLength == null ? Duration.ofMinutes(10) : roundLength;
  }

  private BackfillSimulator backfill(ClusterTopology cluster, String policy) {
    return BackfillSimulator.of(
        cluster,
        BackfillPolicy.named(policy),
        reservations == null ? OptionalInt.empty() : OptionalInt.of(reservations));
  }

  private ThroughputTable requireThroughputs(GroundTruth speed) {
    if (speed instanceof ThroughputTable throughputs) {
      return throughputs;
    }
    throw usage("--reference gavel needs --throughputs");
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
