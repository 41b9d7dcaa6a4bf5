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

  private static final double NANOS = 1e9;

  SimulationResult run(Path trace, int gpus, String policy) {
    ElasticPolicy chosen = policy(policy);
    ScalingCost cost = ScalingCost.named(options.scalingCost());
    ElasticTrace jobs = ElasticTrace.read(trace, options.curves());
    return ElasticSimulator.of(gpus, chosen, cost).run(jobs).result();
  }

  ElasticTiresias.Builder applyTo(ElasticTiresias.Builder policy) {
    return policy
        .queues(queues())
        .pendingLimit(options.pendingLimit())
        .minFraction(options.minFraction())
        .leastGain(options.leastGain())
        .coolDownSeconds(options.coolDown().toNanos() / NANOS)
        .measuredOnly(options.measuredSizes());
  }

  ServiceQueues queues() {
    return options.thresholds().isEmpty()
        ? ServiceQueues.TWO
        : new ServiceQueues(options.thresholds(), true);
  }

  private ElasticPolicy policy(String name) {
    ElasticPolicyChoice choice = ElasticPolicyChoice.named(name);
    Stream.of(
            ElasticOptionGroup.PENDING_LIMIT,
            ElasticOptionGroup.MIN_FRACTION,
            ElasticOptionGroup.LEAST_GAIN,
            ElasticOptionGroup.COOL_DOWN,
            ElasticOptionGroup.THRESHOLDS,
            ElasticOptionGroup.MEASURED_SIZES)
        .filter(option -> isGiven(option) && !choice.heeds(option))
        .findFirst()
        .ifPresent(
            option -> {
              throw new ParameterException(
                  spec.commandLine(), "policy " + name + " has no use for " + option);
            });
    return choice.policy(this);
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }
}
