package io.github.liquidscheduler.micrometer;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.StaleEventException;
import io.github.liquidscheduler.scheduling.TurnTimes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Tells a registry what a scheduler does. Add it to a loop as its listener, or call it from a loop
 * of your own. The meters are listed in {@code docs/operating.md}; no backend is bound.
 *
 * <p>Counters and timers change with every turn. Who waits for what, and which GPUs are free, is
 * looked at once in a while, by the times of the events and on the thread that decides; scraping
 * reads what was found then, from any thread.
 */
public final class SchedulerMetrics implements SchedulerListener {
  private final Meters meters;
  private final WaitingSurvey survey;
  private final GpuCensus census;
  private final JobTimes times;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final Duration between;
  private Instant nextLook = Instant.MIN;

  private SchedulerMetrics(Builder builder) {
    meters = new Meters(builder.registry, builder.tags);
    between = builder.between;
    survey = new WaitingSurvey(builder.explained, meters);
    census = new GpuCensus(meters);
    times =
        new JobTimes(
            wait -> meters.waits(SchedulerMeter.JOB_WAIT).record(wait),
            launch -> meters.launches(SchedulerMeter.JOB_LAUNCH).record(launch),
            (expected, run) -> predicted("duration", seconds(expected), seconds(run)));
    meters.gauge(SchedulerMeter.JOBS, waiting, AtomicInteger::get, "waiting");
    meters.gauge(SchedulerMeter.JOBS, held, AtomicInteger::get, "held");
    meters.gauge(SchedulerMeter.JOBS, running, AtomicInteger::get, "running");
  }

  /** Returns metrics that look at the cluster every 5 seconds and explain ten waiting jobs. */
  public static SchedulerMetrics of(MeterRegistry registry) {
    return builder(registry).build();
  }

  /** Returns a builder of metrics in a registry. */
  public static Builder builder(MeterRegistry registry) {
    return new Builder(Objects.requireNonNull(registry, "registry"));
  }

  /** Adds the number of events that wait for their turn, such as {@code loop::queued}. */
  public void queue(IntSupplier queued) {
    Objects.requireNonNull(queued, "queued");
    meters.gauge(SchedulerMeter.EVENTS_QUEUED, queued, IntSupplier::getAsInt);
  }

  /**
   * Adds a prediction whose truth is known now, such as the device memory of a job that has ended.
   * How long jobs run is added by itself, as predictor {@code duration}. Nothing is added if the
   * measured value is 0.
   *
   * @param predictor a name of a few: it becomes a tag
   * @param predicted what was predicted
   * @param measured what it was, in the same unit
   * @throws IllegalArgumentException if a value is not finite
   */
  public void predicted(String predictor, double predicted, double measured) {
    Objects.requireNonNull(predictor, "predictor");
    if (!Double.isFinite(predicted) || !Double.isFinite(measured)) {
      throw new IllegalArgumentException(
          "predicted and measured values must be finite, but were %s and %s, of predictor '%s'"
              .formatted(predicted, measured, predictor));
    }
    if (measured != 0) {
      meters
          .summary(SchedulerMeter.PREDICTOR_ERROR, predictor)
          .record(Math.abs(predicted - measured) / Math.abs(measured));
    }
  }

  @Override
  public void decided(
      ClusterEvent event, List<Decision> decisions, TurnTimes turn, Scheduler scheduler) {
    String kind = Meters.kindOf(event);
    meters.turns(SchedulerMeter.TURN_LATENCY, kind).record(turn.total());
    meters.turns(SchedulerMeter.TURN_DECIDING, kind).record(turn.deciding());
    decisions.forEach(this::count);
    if (event instanceof ClusterEvent.PlanProposed proposed) {
      meters.summary(SchedulerMeter.PLAN_GAP).record(proposed.plan().certificate().gap());
    }
    times.hear(event, decisions, scheduler);
    event.events().forEach(census::hear);
    look(event.at(), scheduler);
  }

  private void count(Decision decision) {
    meters.counter(SchedulerMeter.DECISIONS, Meters.kindOf(decision)).increment();
    if (decision instanceof Decision.Preempt || decision instanceof Decision.Migrate) {
      meters.counter(SchedulerMeter.PREEMPTIONS, Meters.kindOf(decision.why())).increment();
    }
  }

  private void look(Instant now, Scheduler scheduler) {
    if (now.isBefore(nextLook)) {
      return;
    }
    nextLook = now.plus(between);
    List<JobId> queue = scheduler.waiting();
    int heldNow =
        Math.toIntExact(queue.stream().map(scheduler::held).filter(Optional::isPresent).count());
    held.set(heldNow);
    waiting.set(queue.size() - heldNow);
    running.set(scheduler.view().runningJobs().size());
    census.count(scheduler.view());
    survey.goOn(scheduler);
  }

  @Override
  public void refused(ClusterEvent event, RuntimeException why) {
    String cause =
        why instanceof StaleEventException || why.getCause() instanceof StaleEventException
            ? "stale"
            : why instanceof PluginFailedException ? "plugin" : "invalid";
    meters.counter(SchedulerMeter.EVENTS_REFUSED, Meters.kindOf(event), cause).increment();
  }

  @Override
  public void superseded(int events) {
    meters.counter(SchedulerMeter.EVENTS_SUPERSEDED).increment(events);
  }

  @Override
  public void handlerFailed(Decision decision, RuntimeException failure) {
    meters.counter(SchedulerMeter.HANDLER_FAILURES, Meters.kindOf(decision)).increment();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** Builds {@link SchedulerMetrics}. Not thread-safe. */
  public static final class Builder {
    private final MeterRegistry registry;
    private Tags tags = Tags.empty();
    private Duration between = Duration.ofSeconds(5);
    private int explained = 10;

    private Builder(MeterRegistry registry) {
      this.registry = registry;
    }

    /** Adds a tag to every meter, such as the cluster of several. */
    public Builder tag(String name, String value) {
      tags = tags.and(name, value);
      return this;
    }

    /**
     * Sets how often the cluster is looked at, by the times of events; every 5 seconds by default.
     * Each look asks one waiting job more what it waits for.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public Builder lookEvery(Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException(
            "the time between looks at the cluster must not be negative, but was " + time);
      }
      between = time;
      return this;
    }

    /**
     * Sets how many of the first waiting jobs are explained; ten by default.
     *
     * @throws IllegalArgumentException if {@code jobs} is negative
     */
    public Builder explained(int jobs) {
      if (jobs < 0) {
        throw new IllegalArgumentException(
            "the jobs to explain must not be negative, but were " + jobs);
      }
      explained = jobs;
      return this;
    }

    /** Returns the metrics, and registers those gauges that do not need anything else. */
    public SchedulerMetrics build() {
      return new SchedulerMetrics(this);
    }
  }
}
