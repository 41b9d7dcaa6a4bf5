package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which task runs next on which GPU of a pool, for jobs that train in rounds: a
 * deterministic state machine, events in, decisions out, like {@link
 * io.github.liquidscheduler.scheduling.Scheduler}.
 *
 * <p>A round has as many tasks as the job says, on one GPU each, and ends when all have
 * synchronized. They may start at different times, on GPUs of different models, and one after
 * another on the same GPU (relaxed scale-fixed synchronisation; Hare, HPDC'22). A GPU takes its
 * next task when one has computed, while that one still synchronizes. Tasks are not pre-empted, but
 * other jobs may run between two tasks of a job.
 *
 * <p>A {@linkplain RoundPolicy policy} chooses, or a plan fixes the order on each GPU ({@link
 * RoundEvent.PlanProposed}). A task runs again if it fails or if its GPU is lost before it has
 * synchronized; no task is done twice.
 *
 * <p>Not thread-safe.
 */
public final class RoundScheduler {

  private final RoundPolicy policy;
  private final Map<GpuModel, Double> relativeSpeeds;
  private final RoundState state;

  private RoundScheduler(RoundPolicy policy, Map<GpuModel, Double> relativeSpeeds) {
    this.policy = policy;
    this.relativeSpeeds = relativeSpeeds;
    state = new RoundState(policy, relativeSpeeds);
  }

  /** Returns a builder of a scheduler by a policy. */
  public static Builder builder(RoundPolicy policy) {
    return new Builder(Objects.requireNonNull(policy, "policy"));
  }

  /**
   * Applies an event and returns the resulting decisions, in execution order.
   *
   * @throws io.github.liquidscheduler.scheduling.StaleEventException if it is about a job or a run
   *     that is over; the state is unchanged, and the event may be ignored
   * @throws IllegalArgumentException if it is earlier than the one before it, or contradicts the
   *     state: a job or GPU that is there already, a GPU or run that is not there; the state is
   *     unchanged
   */
  public List<RoundDecision> on(RoundEvent event) {
    return on(List.of(event));
  }

  /**
   * Applies what happened at one instant, and decides once. Each event must be possible in the
   * state before them all; what an earlier one has ended is left out.
   *
   * @throws io.github.liquidscheduler.scheduling.StaleEventException as {@link #on(RoundEvent)}
   *     does
   * @throws IllegalArgumentException as {@link #on(RoundEvent)} does, if there is no event, or they
   *     are of several instants
   */
  public List<RoundDecision> on(List<RoundEvent> events) {
    RoundEventChecks.require(events, state);
    state.advance(events.getFirst().at());
    List<RoundDecision> decisions = new ArrayList<>();
    RoundIntake intake = new RoundIntake(state, decisions);
    events.forEach(intake::take);
    intake.giveBackDue();
    new RoundDispatch(state, policy, decisions).run();
    return decisions;
  }

  /** Refuses events that cannot be, as {@link #on(List)} does. */
  void require(List<RoundEvent> events) {
    RoundEventChecks.require(events, state);
  }

  /** Returns true if a job is there, with the same rounds. */
  boolean hasRounds(JobSpec job) {
    @Nullable JobRounds there = state.find(job.id());
    return there != null
        && there.spec().synchronization().equals(job.synchronization())
        && there.spec().roles().equals(job.roles());
  }

  boolean has(GpuId gpu) {
    return state.fleet().find(gpu) != null;
  }

  /** Returns when a GPU has to be given back; none if it is not asked back, or not there. */
  @Nullable Instant until(GpuId gpu) {
    @Nullable PoolGpu there = state.fleet().find(gpu);
    return there == null ? null : there.until;
  }

  /** Returns how far a job has come; empty if it is over, or was never submitted. */
  public Optional<RoundProgress> progress(JobId job) {
    return Optional.ofNullable(state.find(job)).map(JobRounds::progress);
  }

  /** Returns the jobs that are not over, in the order in which they were submitted. */
  public List<JobId> jobs() {
    return state.jobs().stream().map(JobRounds::id).toList();
  }

  /** Returns the GPUs of the pool, also those asked back, in the order in which they came. */
  public List<GpuId> gpus() {
    return state.fleet().all().stream().map(PoolGpu::id).toList();
  }

  /**
   * Returns when a GPU has to be given back even if nothing happens until then, if any has: a
   * {@link RoundEvent.TimePassed} at that time has what runs on it stopped.
   */
  public Optional<Instant> nextWakeUp() {
    return Optional.ofNullable(state.fleet().nextDeadline());
  }

  /** Returns what decides, by name: the {@code policy} and what it was made of. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("policy", policy.name());
    policy.parameters().forEach((name, value) -> parameters.put("policy." + name, value));
    relativeSpeeds.forEach(
        (model, speed) -> parameters.put("speed." + model, Double.toString(speed)));
    return parameters;
  }

  /** Returns the whole state as a value, to restore a scheduler from. */
  public SchedulerSnapshot snapshot() {
    return new RoundSnapshots(parameters()).save(state);
  }

  /** Returns a scheduler of the same state that goes its own way from here; O(jobs + GPUs). */
  public RoundScheduler copy() {
    return restored(policy, relativeSpeeds, snapshot());
  }

  private static RoundScheduler restored(
      RoundPolicy policy, Map<GpuModel, Double> relativeSpeeds, SchedulerSnapshot snapshot) {
    RoundScheduler scheduler = new RoundScheduler(policy, relativeSpeeds);
    new RoundSnapshots(scheduler.parameters()).load(snapshot, scheduler.state);
    return scheduler;
  }

  /** Builds a {@link RoundScheduler}. Not thread-safe. */
  public static final class Builder {

    private final RoundPolicy policy;
    private final Map<GpuModel, Double> relativeSpeeds = new TreeMap<>();

    private Builder(RoundPolicy policy) {
      this.policy = policy;
    }

    /**
     * Sets how fast a GPU model is, beside a GPU of speed 1; 1 by default. Used for models on which
     * a job's tasks are neither expected nor seen.
     *
     * @throws IllegalArgumentException if it is not positive and finite
     */
    public Builder relativeSpeed(GpuModel model, double speed) {
      if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a speed must be positive and finite, but was %s, for GPU model '%s'"
                .formatted(speed, model));
      }
      relativeSpeeds.put(model, speed);
      return this;
    }

    /** Returns a scheduler without GPUs and jobs. */
    public RoundScheduler build() {
      return new RoundScheduler(policy, speeds());
    }

    /**
     * Returns a scheduler that goes on where {@code snapshot} was taken.
     *
     * @throws IllegalArgumentException if it is of another version, was taken under other
     *     parameters, or contradicts itself
     */
    public RoundScheduler restore(SchedulerSnapshot snapshot) {
      return restored(policy, speeds(), snapshot);
    }

    private Map<GpuModel, Double> speeds() {
      return Collections.unmodifiableMap(new TreeMap<>(relativeSpeeds));
    }
  }
}
