package io.github.liquidscheduler.lab.simulate;

import io.github.liquidscheduler.cli.ElasticOptionGroup;
import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.lab.reference.elastic.ServiceQueues;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The reference simulation of elastic jobs, as the options describe it.
 *
 * @param options the options
 * @param spec the command line that they were given on
 */
record ElasticReference(ElasticOptionGroup options, CommandSpec spec) {

  static final String PENDING_LIMIT = "--pending-limit";
  static final String MIN_FRACTION = "--min-fraction";
  static final String LEAST_GAIN = "--least-gain";
  static final String THRESHOLDS = "--service-thresholds";
  static final String MEASURED_SIZES = "--measured-sizes";
  static final String COOL_DOWN = "--cool-down";

  private static final double NANOS = 1e9;

  SimulationResult run(Path trace, int gpus, String policy) {
    ElasticPolicy chosen = policy(policy);
    ScalingCost cost = ScalingCost.named(value("--scaling-cost"));
    ElasticTrace jobs = ElasticTrace.read(trace, options.curves());
    return ElasticSimulator.of(gpus, chosen, cost).run(jobs).result();
  }

  ElasticTiresias.Builder applyTo(ElasticTiresias.Builder policy) {
    return policy
        .queues(queues())
        .pendingLimit(value(PENDING_LIMIT))
        .minFraction(value(MIN_FRACTION))
        .leastGain(value(LEAST_GAIN))
        .coolDownSeconds(this.<Duration>value(COOL_DOWN).toNanos() / NANOS)
        .measuredOnly(value(MEASURED_SIZES));
  }

  ServiceQueues queues() {
    List<Double> thresholds = value(THRESHOLDS);
    return thresholds.isEmpty() ? ServiceQueues.TWO : new ServiceQueues(thresholds, true);
  }

  private ElasticPolicy policy(String name) {
    ElasticPolicyChoice choice = ElasticPolicyChoice.named(name);
    Stream.of(PENDING_LIMIT, MIN_FRACTION, LEAST_GAIN, COOL_DOWN, THRESHOLDS, MEASURED_SIZES)
        .filter(option -> isGiven(option) && !choice.heeds(option))
        .findFirst()
        .ifPresent(
            option -> {
              throw new ParameterException(
                  spec.commandLine(), "policy " + name + " has no use for " + option);
            });
    return choice.policy(this);
  }

  /** Returns the value of an option, given or by default. */
  @SuppressWarnings("TypeParameterUnusedInFormals") // the parser knows the type by the name only
  <T> T value(String option) {
    return Objects.requireNonNull(spec.findOption(option), option).getValue();
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }
}
