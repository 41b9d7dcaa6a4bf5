package io.github.liquidscheduler.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Finds or registers meters by their values of tags. */
final class Meters {

  /** Around the goal of 5 ms, and up to what an operator would call stuck. */
  private static final Duration[] TURNS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10)
  };

  private static final Duration[] WAITS = {
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10),
    Duration.ofHours(1),
    Duration.ofHours(6),
    Duration.ofDays(1)
  };

  /** Around the goals of cluster managers, one second and three. */
  private static final Duration[] LAUNCHES = {
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(1500),
    Duration.ofSeconds(2),
    Duration.ofSeconds(3),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10)
  };

  private static final double[] PARTS = {.01, .02, .05, .1, .2, .5, 1, 2};

  private final MeterRegistry registry;
  private final Tags common;

  Meters(MeterRegistry registry, Tags common) {
    this.registry = registry;
    this.common = common;
  }

  Timer turns(SchedulerMeter meter, String... values) {
    return timer(meter, TURNS, values);
  }

  Timer waits(SchedulerMeter meter, String... values) {
    return timer(meter, WAITS, values);
  }

  Timer launches(SchedulerMeter meter, String... values) {
    return timer(meter, LAUNCHES, values);
  }

  private Timer timer(SchedulerMeter meter, Duration[] buckets, String... values) {
    return Timer.builder(meter.id())
        .description(meter.description())
        .tags(tags(meter, values))
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  Counter counter(SchedulerMeter meter, String... values) {
    return Counter.builder(meter.id())
        .description(meter.description())
        .tags(tags(meter, values))
        .register(registry);
  }

  DistributionSummary summary(SchedulerMeter meter, String... values) {
    return DistributionSummary.builder(meter.id())
        .description(meter.description())
        .tags(tags(meter, values))
        .serviceLevelObjectives(PARTS)
        .register(registry);
  }

  <T> void gauge(SchedulerMeter meter, T of, ToDoubleFunction<T> value, String... values) {
    Gauge.builder(meter.id(), of, value)
        .description(meter.description())
        .tags(tags(meter, values))
        .strongReference(true)
        .register(registry);
  }

  private Tags tags(SchedulerMeter meter, String... values) {
    List<String> names = meter.tags();
    if (names.size() != values.length) {
      throw new IllegalArgumentException(
          "meter '%s' must have values of %s, but had %d"
              .formatted(meter.id(), names, values.length));
    }
    Tags tags = common;
    for (int i = 0; i < values.length; i++) {
      tags = tags.and(Tag.of(names.get(i), values[i]));
    }
    return tags;
  }

  /** Returns the name of a type as tags have it: {@code job-submitted} of JobSubmitted. */
  static String kindOf(Object value) {
    return value
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }
}
