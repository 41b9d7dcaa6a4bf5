package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a scheduler as its parameters name them. Each method throws {@link
 * IllegalArgumentException} if a value is missing, not readable or out of range.
 *
 * @param of what the options are of, for messages
 */
record RecordedOptions(String of, Map<String, String> values) {

  static Backfill backfill(Map<String, String> values) {
    RecordedOptions in = new RecordedOptions("backfill", values);
    return new Backfill(
        in.integer("reservations"),
        in.integer("leastGpus"),
        in.time("assumedRunTime"),
        in.optional("holdsAfter", Duration::parse),
        in.integer("passing", 0));
  }

  static BatchWindow batch(Map<String, String> values) {
    RecordedOptions in = new RecordedOptions("a batch window", values);
    BatchWindow plain = BatchWindow.of(in.time("time"));
    return new BatchWindow(
        plain.time(),
        in.optional("planTimeout", Duration::parse).orElse(plain.planTimeout()),
        in.optional("maxJobs", Integer::valueOf).map(OptionalInt::of).orElse(plain.maxJobs()),
        in.optional("queuedGpuFraction", Double::valueOf)
            .map(OptionalDouble::of)
            .orElse(plain.queuedGpuFraction()),
        in.integer("maxPlanSize", plain.maxPlanSize()),
        in.integer("bypassLimit", plain.bypassLimit()));
  }

  static PreemptionRules preemption(Map<String, String> values) {
    RecordedOptions in = new RecordedOptions("pre-emption", values);
    return new PreemptionRules(
        in.time("minRunTime"),
        in.integer("mostPreemptions"),
        in.time("gracePeriod"),
        in.integer("mostMoves", 0),
        in.integer("movesPerHour", Integer.MAX_VALUE),
        in.optional("movePause", Duration::parse).orElse(Duration.ZERO),
        in.optional("restAfterMove", Duration::parse).orElse(Duration.ZERO));
  }

  static RetryBackoff backoff(Map<String, String> values) {
    RecordedOptions in = new RecordedOptions("a back-off", values);
    return new RetryBackoff(
        in.time("first"), in.number("factor"), in.time("most"), in.integer("failures"));
  }

  static Elasticity elasticity(Map<String, String> values) {
    RecordedOptions in = new RecordedOptions("elasticity", values);
    if (values.containsKey("predictor")) {
      throw new IllegalArgumentException(
          "elasticity must be restorable from its parameters, but speeds were predicted by a "
              + values.get("predictor"));
    }
    Elasticity.Builder elasticity =
        Elasticity.by(in.sizing())
            .pendingLimit(in.integer("pendingLimit"))
            .coolDown(in.time("coolDown"))
            .worthwhile(in.number("worthwhile"))
            .cost(
                new ResizeCost(
                    in.time("cost.base"), in.time("cost.perWorker"), in.time("cost.perGigabyte")));
    if (in.holds("startsSmall")) {
      elasticity.startSmall();
    }
    if (in.holds("takesRoom")) {
      elasticity.preemptToGrow();
    }
    if (in.holds("profiles")) {
      elasticity.profileJobs();
    }
    in.optional("drift", Double::valueOf)
        .ifPresent(drift -> elasticity.profileAgain(drift, in.time("profileInterval")));
    in.optional("lateJobs", LateJobs::valueOf).ifPresent(elasticity::deadlines);
    return elasticity.build();
  }

  private SizingPolicy sizing() {
    SizingPolicy named = value("sizing", SizingPolicy::named);
    return named.parameters().isEmpty()
        ? named
        : SizingPolicy.elasticTiresias(number("sizing.keptFraction"), number("sizing.leastGain"));
  }

  static Prefetching prefetching(Map<String, String> values) {
    RecordedOptions in = new RecordedOptions("prefetching", values);
    Bandwidth path = in.value("path", Bandwidth::parse);
    return in.optional("liquidRatio", Double::valueOf)
        .map(ratio -> Prefetching.liquid(path, ratio))
        .orElseGet(() -> Prefetching.over(path))
        .launch(in.time("launch"))
        .slack(in.time("slack"))
        .atMostEvery(in.time("atMostEvery"))
        .mostAtOnce(in.integer("mostAtOnce"))
        .leastGain(in.number("leastGain"))
        .mostWasted(in.number("mostWasted"))
        .localityGpus(in.integer("localityGpus"))
        .build();
  }

  private int integer(String name) {
    return value(name, Integer::valueOf);
  }

  private int integer(String name, int otherwise) {
    return optional(name, Integer::valueOf).orElse(otherwise);
  }

  private double number(String name) {
    return value(name, Double::valueOf);
  }

  private Duration time(String name) {
    return value(name, Duration::parse);
  }

  private boolean holds(String name) {
    return Boolean.parseBoolean(values.get(name));
  }

  private <T> T value(String name, Function<String, T> parse) {
    return optional(name, parse).orElseThrow(() -> lacks(name, null));
  }

  private <T> Optional<T> optional(String name, Function<String, T> parse) {
    try {
      return Optional.ofNullable(values.get(name)).map(parse);
    } catch (NumberFormatException | DateTimeParseException e) {
      throw lacks(name, e);
    }
  }

  private IllegalArgumentException lacks(String name, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "the parameters of %s must have a readable '%s', but had %s".formatted(of, name, values),
        cause);
  }
}
