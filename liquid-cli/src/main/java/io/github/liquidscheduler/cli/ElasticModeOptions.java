package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.simulator.elastic.CurvePredictor;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of elastic jobs that only the scheduler itself has, not a reference simulator. */
final class ElasticModeOptions {

  private static final String NONE = "none";
  private static final String LEARNED = "learned";
  private static final String DEADLINE = "deadline";

  @Option(
      names = "--elastic",
      paramLabel = "MODE",
      description =
          "Sizes of elastic jobs, by the scheduler on the nodes of the cluster: none (submitted"
              + " sizes), elastic-tiresias, afs, marginal, optimus, goodput, or deadline (the"
              + " smallest sizes that meet deadlines, and the rest by marginal gain). --policy is"
              + " las then, deadline with deadline, unless given.")
  private @Nullable String mode;

  @Option(
      names = "--speeds",
      paramLabel = "HOW",
      description =
          "What the scheduler knows of the speeds: known (the curves), or learned (from reports and"
              + " profiles) (default: known).")
  private String speeds = "known";

  @Option(
      names = "--spread-speed",
      paramLabel = "FRACTION",
      description =
          "Network cost: speed of a job on more nodes than it needs, beside on as few as can"
              + " be, above 0 and at most 1 (default: 1).")
  private double spreadSpeed = 1;

  @Option(
      names = "--deadline-factor",
      paramLabel = "FACTOR",
      description =
          "With --elastic deadline: the deadline of a job, as a multiple of its duration at"
              + " its submitted size, after its arrival, above 0 (default: 1.5).")
  private double deadlineFactor = 1.5;

  @Option(
      names = "--late-jobs",
      paramLabel = "HOW",
      description =
          "With --elastic deadline: jobs that cannot meet their deadlines are refused, or wait for"
              + " the sizes with which they end first: refuse or wait (default: refuse).")
  private String lateJobs = "refuse";

  boolean isGiven() {
    return mode != null;
  }

  /** Returns true if jobs have deadlines. */
  boolean hasDeadlines() {
    return DEADLINE.equals(mode);
  }

  /** Returns the name of the policy that goes with the mode. */
  String policy() {
    return hasDeadlines() ? DEADLINE : "las";
  }

  /**
   * Returns the time from arrival to deadline of a job that runs so long at its submitted size.
   *
   * @throws IllegalArgumentException if the factor is not above 0 and finite
   */
  Duration slack(Duration duration) {
    if (!(deadlineFactor > 0 && Double.isFinite(deadlineFactor))) {
      throw new IllegalArgumentException(
          "--deadline-factor must be above 0 and finite, but was " + deadlineFactor);
    }
    return Duration.ofNanos((long) (duration.toNanos() * deadlineFactor));
  }

  double spreadSpeed() {
    return spreadSpeed;
  }

  void addTo(Map<String, String> settings) {
    settings.put("elastic", String.valueOf(mode));
    settings.put("speeds", speeds);
    settings.put("spread-speed", Double.toString(spreadSpeed));
    if (hasDeadlines()) {
      settings.put("deadline-factor", Double.toString(deadlineFactor));
      settings.put("late-jobs", lateJobs);
    }
  }

  /**
   * Returns the rules by which sizes change; empty if none does.
   *
   * @param known the speeds, where they are known
   * @throws IllegalArgumentException if the mode, or what is known of speeds, is no such thing
   */
  Optional<Elasticity.Builder> rules(
      CurvePredictor known, String scalingCost, double minFraction, double leastGain) {
    if (!speeds.equals("known") && !speeds.equals(LEARNED)) {
      throw new IllegalArgumentException(
          "--speeds must be known or learned, but was '" + speeds + "'");
    }
    return sizing(minFraction, leastGain)
        .map(
            sizing -> {
              Elasticity.Builder rules = Elasticity.by(sizing).cost(cost(scalingCost));
              if (hasDeadlines()) {
                rules.deadlines(late());
              }
              return speeds.equals(LEARNED) ? rules.profileJobs() : rules.predictor(known);
            });
  }

  private LateJobs late() {
    return switch (lateJobs) {
      case "refuse" -> LateJobs.REFUSE;
      case "wait" -> LateJobs.WAIT;
      default ->
          throw new IllegalArgumentException(
              "--late-jobs must be refuse or wait, but was '" + lateJobs + "'");
    };
  }

  private Optional<SizingPolicy> sizing(double minFraction, double leastGain) {
    return switch (String.valueOf(mode)) {
      case NONE -> Optional.empty();
      case "elastic-tiresias" -> Optional.of(SizingPolicy.elasticTiresias(minFraction, leastGain));
      case "afs" -> Optional.of(SizingPolicy.afs());
      case "marginal", DEADLINE -> Optional.of(SizingPolicy.marginalGain());
      case "optimus" -> Optional.of(SizingPolicy.optimus());
      case "goodput" -> Optional.of(SizingPolicy.goodput());
      default ->
          throw new IllegalArgumentException(
              "--elastic must be none, elastic-tiresias, afs, marginal, optimus, goodput or"
                  + " deadline, but was '"
                  + mode
                  + "'");
    };
  }

  /** The scheduler's expected pauses until it has measured some. */
  private static ResizeCost cost(String scalingCost) {
    return switch (scalingCost) {
      case "zero" -> ResizeCost.NONE;
      case "stop" -> ResizeCost.STOP_RESUME;
      default -> ResizeCost.STOP_FREE;
    };
  }
}
