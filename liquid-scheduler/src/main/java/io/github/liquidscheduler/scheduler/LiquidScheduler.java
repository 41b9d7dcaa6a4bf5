package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.scheduler.admit.Feasibility;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.start.EventBounds;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one turn per event. The stages of Pipeline run in order over one mutable state and
 *   record their decisions in a Turn; queries read the same state.
 * Invariants: after an event the state is either fully updated or, if a stage threw after the
 *   event was accepted, rolled back in place to the mark before it (FailingPartsLaws). A look
 *   ahead plays its turns between a mark and a rollback (WhatIfLaws). Copies and restored
 *   schedulers decide like the original (RecoveryLaws).
 * Cost: an event costs its stages, whatIf and startIf the events they play, and both as much again
 *   as they have changed where they are rolled back; copy O(nodes + jobs). Measured by EventBench
 *   and QueueBench.
 * Rejected: a copy for each look ahead or event, which costs O(nodes + jobs).
 */
/**
 * The scheduler: a {@link SchedulingPolicy} orders jobs, a {@link Placer} places them, and this
 * class keeps the state. Each event reconsiders only the jobs whose chances it has changed.
 *
 * <p>A job that cannot fit even the idle cluster with all nodes and GPUs healthy is rejected on
 * submission if that is certain ({@link Placer#isInfeasible}); any other job waits. Jobs on a lost
 * node or GPU wait again with their submission order and attained service, and may restart
 * elsewhere in the same event.
 *
 * <p>An event is applied entirely or not at all, also if a placer, policy or predictor throws.
 *
 * <p>Not thread-safe: a call during another call, from a second thread or from a plug-in, throws
 * {@link java.util.ConcurrentModificationException} on a best-effort basis.
 */
public final class LiquidScheduler implements Scheduler {

  private final OneCallAtATime calls = new OneCallAtATime("a scheduler");
  private final Pipeline pipeline;
  private final EventBounds bounds;
  private final SchedulerState state;
  private final JobTable table;
  private final Questions questions;
  private final Feasibility feasibility;
  private List<Stage> stages;
  private @Nullable Throwable broken;

  private LiquidScheduler(Pipeline pipeline, EventBounds bounds, SchedulerState state) {
    this.pipeline = pipeline;
    this.bounds = bounds;
    this.state = state;
    feasibility = pipeline.feasibility(state);
    table = state.jobs();
    questions = new Questions(pipeline, state);
    stages = pipeline.stages(state, feasibility, bounds);
  }

  /** Returns a builder of a scheduler for the cluster. */
  public static Builder builder(ClusterTopology topology) {
    return new Builder(Objects.requireNonNull(topology, "topology"));
  }

  @Override
  public List<Decision> on(ClusterEvent event) {
    return calls.call("on", () -> take(Objects.requireNonNull(event, "event")));
  }

  private List<Decision> take(ClusterEvent event) {
    requireSound();
    bounds.requireNear(table.now(), event);
    return play(event, stages);
  }

  private List<Decision> play(ClusterEvent event, List<Stage> turnStages) {
    state.mark();
    Turn turn = new Turn(state, event);
    try {
      turnStages.forEach(stage -> stage.run(turn));
      turn.settle();
    } catch (RuntimeException | Error failure) {
      if (turn.hasBegun() || !turn.isRefusedBy(failure)) {
        rollBack();
        // Stages keep caches, which a turn that fails half-way may leave wrong.
        stages = pipeline.stages(state, feasibility, bounds);
      } else {
        state.commit();
      }
      throw turn.failure(failure);
    }
    state.commit();
    return turn.decisions();
  }

  private void rollBack() {
    try {
      if (state.rollBack()) {
        feasibility.followTopology();
      }
    } catch (RuntimeException | Error failure) {
      broken = failure;
      throw failure;
    }
  }

  private void requireSound() {
    if (broken != null) {
      throw new IllegalStateException(
          "a scheduler that could not return to its last state must be restored from a snapshot",
          broken);
    }
  }

  @Override
  public ClusterView view() {
    return table.cluster();
  }

  @Override
  public List<JobId> waiting() {
    return calls.call("waiting", () -> table.allWaiting().stream().map(JobEntry::id).toList());
  }

  /** Returns the name of the policy. */
  public String policy() {
    return table.policy().name();
  }

  @Override
  public OptionalInt queuePosition(JobId job) {
    return calls.call("queuePosition", () -> questions.queuePosition(job));
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return calls.call("job", () -> Optional.ofNullable(table.find(job)).map(JobEntry::job));
  }

  @Override
  public Optional<JobStatus> status(JobId job) {
    return calls.call("status", () -> questions.status(job));
  }

  @Override
  public Optional<String> held(JobId job) {
    return calls.call("held", () -> questions.held(job));
  }

  @Override
  public Optional<QueueStatus> queue(QueueName queue) {
    return calls.call("queue", () -> table.leavingQuota().status(queue));
  }

  @Override
  public Explanation explain(JobId job) {
    return calls.call("explain", () -> questions.explain(job));
  }

  @Override
  public Map<JobId, Instant> reservedStarts() {
    return calls.call(
        "reservedStarts", () -> state.backfill().map(BackfillPlan::starts).orElse(Map.of()));
  }

  @Override
  public Optional<Instant> reservedStart(JobId job) {
    return calls.call("reservedStart", () -> state.backfill().flatMap(plan -> plan.start(job)));
  }

  @Override
  public List<ReservationStatus> advanceReservations() {
    return calls.call("advanceReservations", questions::advanceReservations);
  }

  @Override
  public Optional<Instant> nextWakeUp() {
    return calls.call("nextWakeUp", questions::nextWakeUp);
  }

  @Override
  public Map<String, String> parameters() {
    return pipeline.parameters();
  }

  @Override
  public SchedulerSnapshot snapshot() {
    return calls.call("snapshot", state::save);
  }

  @Override
  public Scheduler copy() {
    requireSound();
    return calls.call("copy", () -> new LiquidScheduler(pipeline, bounds, pipeline.copy(state)));
  }

  @Override
  public Forecast whatIf(List<ClusterEvent> events, int more) {
    return calls.call("whatIf", () -> lookAhead(turns -> turns.forecast(events, more)));
  }

  @Override
  public Optional<Instant> startIf(JobId job, RunTimeScenario scenario, int more) {
    return calls.call("startIf", () -> lookAhead(turns -> turns.firstStart(job, scenario, more)));
  }

  /** Answers a question for which turns are played, and rolls them back. */
  private <T> T lookAhead(Function<TurnsAhead, T> question) {
    requireSound();
    List<Stage> unbounded = pipeline.stages(state, feasibility, EventBounds.NONE);
    state.mark();
    try {
      return question.apply(
          new TurnsAhead(table, event -> play(event, unbounded), questions::nextWakeUp));
    } finally {
      rollBack();
    }
  }

  SchedulerState state() {
    return state;
  }

  /** Builds a {@link LiquidScheduler}. Not thread-safe. */
  public static final class Builder {
    private final ClusterTopology topology;
    private int mostEnded = 1_000_000;
    // Read by Pipeline.
    @Nullable Placer placer;
    @Nullable SchedulingPolicy policy;
    NetworkParameters network = NetworkParameters.DEFAULT;
    RetryBackoff backoff = RetryBackoff.DEFAULT;
    PreemptionRules preemption = PreemptionRules.NONE;
    EventBounds bounds = EventBounds.NONE;
    @Nullable Backfill backfill;
    @Nullable Colocation colocation;
    @Nullable BatchWindow batch;
    @Nullable Elasticity elasticity;
    @Nullable Performance performance;
    @Nullable Prefetching prefetching;
    boolean startsReported;

    private Builder(ClusterTopology topology) {
      this.topology = topology;
    }

    /** Sets the scheduling policy. Required. */
    public Builder policy(SchedulingPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** Sets the placement algorithm; best fit by default. Excludes {@link #colocation}. */
    public Builder placer(Placer placer) {
      this.placer = Objects.requireNonNull(placer, "placer");
      return this;
    }

    /**
     * Sets the efficiency and latency of network links; {@link NetworkParameters#DEFAULT} by
     * default.
     */
    public Builder network(NetworkParameters network) {
      this.network = Objects.requireNonNull(network, "network");
      return this;
    }

    /**
     * Sets the delay before a failed job is started again, in addition to the {@link
     * io.github.liquidscheduler.scheduling.Retry} of each failure; {@link RetryBackoff#DEFAULT} by
     * default.
     */
    public Builder retries(RetryBackoff backoff) {
      this.backoff = Objects.requireNonNull(backoff, "backoff");
      return this;
    }

    /**
     * Sets the protection of running jobs from pre-emption, their grace period to stop, and their
     * moves for other jobs; {@link PreemptionRules#NONE} by default.
     */
    public Builder preemption(PreemptionRules rules) {
      this.preemption = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Enables GPU sharing; off by default. Excludes {@link #placer}: the placer of exclusive jobs
     * is an option of {@code colocation}. Progress reports are monitored, and each {@linkplain
     * LiquidScheduler#copy() copy} learns from its own only.
     */
    public Builder colocation(Colocation colocation) {
      this.colocation = Objects.requireNonNull(colocation, "colocation");
      return this;
    }

    /**
     * Enables batch mode: waiting jobs are gathered and one plan is requested for all of them. Off
     * by default: each job is placed as it arrives, and no plan is requested.
     */
    public Builder batch(BatchWindow window) {
      batch = Objects.requireNonNull(window, "window");
      return this;
    }

    /**
     * Enables size changes of running elastic jobs; by default a job keeps the size at which it
     * started. Jobs that may share GPUs always keep theirs.
     */
    public Builder elasticity(Elasticity elasticity) {
      this.elasticity = Objects.requireNonNull(elasticity, "elasticity");
      return this;
    }

    /**
     * Sets the speeds of jobs by GPU model; by default all models are equally fast and a job's
     * model list is an order of preference. With speeds that list only restricts the models.
     */
    public Builder performance(Performance performance) {
      this.performance = Objects.requireNonNull(performance, "performance");
      return this;
    }

    /** Sets the predictor of speeds by GPU model, as {@link Performance#by} does. */
    public Builder performance(PerformancePredictor predictor) {
      return performance(Performance.by(predictor));
    }

    /**
     * Enables backfill: the first waiting jobs hold reservations, and jobs behind them start only
     * where they delay none of these. Off by default. Any job may then bypass one that does not
     * fit, whatever the policy says. A reservation holds against the jobs behind its holder in the
     * order of policy and queues, and not against those before it. Not supported yet together with
     * batch mode.
     */
    public Builder backfill(Backfill rules) {
      backfill = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Enables prefetching: data sets are {@linkplain Decision.Prefetch copied} to nodes before jobs
     * start there, and placement prefers nodes that hold them, unless jobs share GPUs. Off by
     * default: reports of data sets are rejected.
     */
    public Builder prefetch(Prefetching rules) {
      prefetching = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Has starts reported: a job whose start was decided is {@linkplain JobStatus.Launching
     * launching} until {@link ClusterEvent.JobStarted} tells that it has begun. Its run time, its
     * attained service and its protection count from then; until then it neither moves nor changes
     * its size. By default a started job runs at once.
     */
    public Builder startsReported() {
      startsReported = true;
      return this;
    }

    /**
     * Sets the number of ended jobs whose ids stay taken, at least 0; 1,000,000 by default. The
     * oldest are forgotten first.
     *
     * @throws IllegalArgumentException if {@code jobs} is negative
     */
    public Builder completedJobHistory(int jobs) {
      mostEnded = EndedJobs.requireCount(jobs);
      return this;
    }

    /**
     * Sets the maximum number of job starts per event, at least 1; unlimited by default. The rest
     * is decided at {@link Scheduler#nextWakeUp}, which is then the present: several bounded events
     * decide like one unbounded. Running jobs grow, move to faster GPUs and trade in the event in
     * which the last waiting job was tried. Plans are carried out in parts.
     *
     * @throws IllegalArgumentException if {@code jobs} is less than 1
     */
    public Builder startsPerEvent(int jobs) {
      bounds = bounds.withStarts(jobs);
      return this;
    }

    /**
     * Sets the maximum number of waiting jobs per event for which victims are searched, with or
     * without queues, at least 1; unlimited by default. Among thousands of queues dozens may be
     * owed quota, and each change in usage would search for all of them again. The rest is decided
     * as with {@link #startsPerEvent}.
     *
     * @throws IllegalArgumentException if {@code jobs} is less than 1
     */
    public Builder searchesPerEvent(int jobs) {
      bounds = bounds.withSearches(jobs);
      return this;
    }

    /**
     * Sets how much later than the event before it an event may come, unlimited by default: one
     * event of a broken clock is refused then, instead of all events after it. Where nothing
     * happens for longer, send {@link ClusterEvent.TimePassed} in steps.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Builder largestTimeStep(Duration step) {
      bounds = bounds.withStep(Objects.requireNonNull(step, "step"));
      return this;
    }

    /**
     * Returns a scheduler without jobs.
     *
     * @throws IllegalStateException if no policy was set, or options exclude each other, as a
     *     placer and co-location do; the message names them
     */
    public LiquidScheduler build() {
      return build(state -> {});
    }

    /**
     * Returns a scheduler that continues from {@code snapshot}. The cluster must equal that of the
     * snapshot, nodes added since included and retired ones excluded. It may be larger: the next
     * event, due at once, then tries all waiting jobs.
     *
     * @throws IllegalStateException as {@link #build()} does
     * @throws IllegalArgumentException if the snapshot has another version, was taken with other
     *     parameters of policy, placer, network or batch window, names unknown nodes, or
     *     contradicts itself
     */
    public LiquidScheduler restore(SchedulerSnapshot snapshot) {
      return build(state -> state.load(snapshot));
    }

    private LiquidScheduler build(Consumer<SchedulerState> load) {
      Pipeline pipeline = new Pipeline(this);
      SchedulerState state = pipeline.emptyState(topology, mostEnded);
      load.accept(state);
      return new LiquidScheduler(pipeline, bounds, state);
    }
  }
}
