package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
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
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.deadline.PromisedShare;
import io.github.liquidscheduler.scheduler.explain.BackOff;
import io.github.liquidscheduler.scheduler.explain.Explainer;
import io.github.liquidscheduler.scheduler.explain.QuotaLimit;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.start.EventBounds;
import io.github.liquidscheduler.scheduler.start.Start;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduler.window.WindowTimes;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler: a {@link SchedulingPolicy} says who goes first, a {@link Placer} says where, and
 * this class keeps the books. It decides anew after every event, and then only about jobs whose
 * chances the event has changed.
 *
 * <p>A job that not even the empty cluster with all its nodes and GPUs could hold is rejected when
 * it is submitted, if that is certain ({@link Placer#isInfeasible}); any other waits. Jobs on a
 * node or GPU that is lost wait again, keeping their place in the order of submission and the
 * service they have attained, and may start elsewhere at once.
 *
 * <p>An event is taken whole or not at all, whatever placers, policies and predictors do.
 *
 * <p>A call while another is under way, from a second thread or from a part that was plugged in,
 * throws {@link java.util.ConcurrentModificationException}; that is best effort, not a promise.
 */
public final class LiquidScheduler implements Scheduler {

  private final OneCallAtATime calls = new OneCallAtATime("a scheduler");
  private final Pipeline pipeline;
  private final EventBounds bounds;
  private SchedulerState state;
  private JobTable table;
  private Feasibility feasibility;
  private List<Stage> stages;

  private LiquidScheduler(Pipeline pipeline, EventBounds bounds, SchedulerState state) {
    this(pipeline, bounds, state, pipeline.feasibility(state));
  }

  private LiquidScheduler(
      Pipeline pipeline, EventBounds bounds, SchedulerState state, Feasibility feasibility) {
    this.pipeline = pipeline;
    this.bounds = bounds;
    this.state = state;
    this.feasibility = feasibility;
    table = state.jobs();
    stages = pipeline.stages(state, feasibility, bounds);
  }

  /** Returns a builder of a scheduler for the cluster. */
  public static Builder builder(ClusterTopology topology) {
    return new Builder(Objects.requireNonNull(topology, "topology"));
  }

  @Override
  public List<Decision> on(ClusterEvent event) {
    return calls.call("on", () -> take(event));
  }

  private List<Decision> take(ClusterEvent event) {
    state.begin();
    Turn turn = new Turn(state, event);
    try {
      for (Stage stage : stages) {
        stage.run(turn);
      }
    } catch (RuntimeException | Error failure) {
      if (!turn.isAccepted()) {
        throw failure;
      }
      use(state.asBefore(pipeline.network()));
      throw new PluginFailedException(event, failure);
    }
    state.settle();
    return turn.decisions();
  }

  private void use(SchedulerState other) {
    state = other;
    table = other.jobs();
    feasibility = pipeline.feasibility(other);
    stages = pipeline.stages(other, feasibility, bounds);
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
    return calls.call(
        "queuePosition",
        () -> {
          @Nullable JobEntry entry = table.find(job);
          return entry == null || entry.isRunning()
              ? OptionalInt.empty()
              : OptionalInt.of(table.waiting().position(entry));
        });
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return calls.call("job", () -> Optional.ofNullable(table.find(job)).map(JobEntry::job));
  }

  @Override
  public Optional<JobStatus> status(JobId job) {
    return calls.call("status", () -> statusOf(job));
  }

  private Optional<JobStatus> statusOf(JobId job) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null) {
      return table.ended().ending(job).map(JobStatus.Ended::new);
    }
    Optional<JobStatus> stopping =
        entry
            .stopping()
            .map(
                held ->
                    new JobStatus.Stopping(
                        entry.since(), Objects.requireNonNull(entry.delayedUntil()), held));
    if (stopping.isPresent()) {
      return stopping;
    }
    Optional<JobStatus> running =
        entry.placement().map(placement -> new JobStatus.Running(entry.since(), placement));
    Optional<JobStatus> resizing =
        entry
            .resizing()
            .map(
                change ->
                    new JobStatus.Resizing(
                        entry.since(), change.running(), entry.placement().orElseThrow()));
    return resizing.isPresent()
        ? resizing
        : running.or(() -> Optional.of(new JobStatus.Waiting(entry.since())));
  }

  @Override
  public Optional<QueueStatus> queue(QueueName queue) {
    return calls.call("queue", () -> table.quotas().status(queue));
  }

  @Override
  public Explanation explain(JobId job) {
    return calls.call("explain", () -> explanationOf(job));
  }

  private Explanation explanationOf(JobId job) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null || entry.isRunning()) {
      boolean isOver = table.ended().ending(job).isPresent();
      throw new IllegalArgumentException(
          "only a waiting job can be explained, but job '%s' is %s"
              .formatted(job, entry != null ? "running" : isOver ? "over" : "not known"));
    }
    Optional<PromisedShare> promised =
        Optional.ofNullable(pipeline.elasticity())
            .flatMap(rules -> PromisedShare.of(entry, table, rules));
    Optional<UnmetConstraint> parked =
        promised
            .map(PromisedShare::unmet)
            .orElseGet(() -> BackOff.of(entry, table.now()))
            .or(() -> window().flatMap(window -> window.unmetConstraint(entry)))
            .or(() -> table.quotas().excess(entry).map(QuotaLimit::of));
    return new Explainer(state, pipeline.placer(table))
        .explain(entry, parked, promised.flatMap(PromisedShare::estimate));
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
    return calls.call(
        "advanceReservations",
        () -> state.backfill().map(plan -> plan.advance().statuses()).orElse(List.of()));
  }

  @Override
  public Optional<Instant> nextWakeUp() {
    return calls.call("nextWakeUp", this::wakeUp);
  }

  private Optional<Instant> wakeUp() {
    Optional<Instant> announced =
        state.backfill().flatMap(plan -> plan.advance().nextChange(table.now()));
    Optional<Instant> draining = earlier(state.failures().nextDeadline(), announced);
    if (table.waiting().isEmpty() && table.delayed().isEmpty() && table.elastic().all().isEmpty()) {
      return draining;
    }
    if (table.changes().isOpen() || table.quotas().areUnfinished()) {
      return Optional.of(table.now());
    }
    Optional<Instant> reserved = state.backfill().flatMap(BackfillPlan::nextWakeUp);
    Optional<Instant> planning = window().flatMap(WindowTimes::nextWakeUp);
    Optional<Instant> prefetch = state.data().flatMap(DataBooks::lookAgain);
    return table.nextReview(
        List.of(draining, reserved, planning, prefetch, Start.nextMoves(table)));
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return one.get().isAfter(other.get()) ? other : one;
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
    return calls.call("copy", this::copied);
  }

  private LiquidScheduler copied() {
    return new LiquidScheduler(pipeline, bounds, state.copy());
  }

  /**
   * Returns a copy of which each event does all there is to do, as several do of this one, to be
   * used within one call.
   */
  private LiquidScheduler unbounded() {
    SchedulerState copy = state.copy();
    Feasibility same = feasibility.lentTo(pipeline.placer(copy.jobs()));
    return new LiquidScheduler(pipeline, EventBounds.NONE, copy, same);
  }

  @Override
  public Forecast whatIf(List<ClusterEvent> events, int more) {
    return calls.call("whatIf", () -> new Foresight(unbounded()).of(events, more));
  }

  @Override
  public Optional<Instant> startIf(JobId job, RunTimeScenario scenario, int more) {
    return calls.call(
        "startIf", () -> new ScenarioAhead(unbounded(), scenario).firstStart(job, more));
  }

  SchedulerState state() {
    return state;
  }

  private Optional<WindowTimes> window() {
    return Optional.ofNullable(pipeline.batch())
        .map(batch -> new WindowTimes(state.window(), batch));
  }

  /** Builds a {@link LiquidScheduler}. Not thread-safe. */
  public static final class Builder {
    private static final int ENDED_REMEMBERED = 1_000_000;

    private final ClusterTopology topology;
    private int mostEnded = ENDED_REMEMBERED;
    // What a pipeline is made of, which reads it.
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

    private Builder(ClusterTopology topology) {
      this.topology = topology;
    }

    /** Sets who goes first; must be set. */
    public Builder policy(SchedulingPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** Sets who finds places; best fit by default. */
    public Builder placer(Placer placer) {
      this.placer = Objects.requireNonNull(placer, "placer");
      return this;
    }

    /** Sets how well links keep what they promise; like those of others by default. */
    public Builder network(NetworkParameters network) {
      this.network = Objects.requireNonNull(network, "network");
      return this;
    }

    /**
     * Sets how long jobs that have failed wait before they are started again, apart from what the
     * {@link io.github.liquidscheduler.scheduling.Retry} of each failure says; {@link
     * RetryBackoff#DEFAULT} by default.
     */
    public Builder retries(RetryBackoff backoff) {
      this.backoff = Objects.requireNonNull(backoff, "backoff");
      return this;
    }

    /**
     * Sets what protects running jobs from policies that pre-empt, and how long pre-empted jobs may
     * take to stop; {@link PreemptionRules#NONE} by default.
     */
    public Builder preemption(PreemptionRules rules) {
      this.preemption = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Sets how jobs share GPUs; they do not by default. What places jobs that do not share is then
     * an option of it, and no {@linkplain #placer placer} may be set. Their progress reports are
     * monitored, and what they teach belongs to the scheduler: a {@linkplain LiquidScheduler#copy()
     * copy} and its original learn each for themselves.
     */
    public Builder colocation(Colocation colocation) {
      this.colocation = Objects.requireNonNull(colocation, "colocation");
      return this;
    }

    /**
     * Turns batch mode on: waiting jobs are gathered, and a plan is requested for all of them
     * together. By default each job is placed as it comes, and no plan is ever requested.
     */
    public Builder batch(BatchWindow window) {
      batch = Objects.requireNonNull(window, "window");
      return this;
    }

    /**
     * Sets how running jobs of several sizes change them; by default a job keeps the size at which
     * it was started. Jobs that may share GPUs always do.
     */
    public Builder elasticity(Elasticity elasticity) {
      this.elasticity = Objects.requireNonNull(elasticity, "elasticity");
      return this;
    }

    /**
     * Sets how fast jobs are on each GPU model; by default they are taken to be as fast on all, and
     * the order of the models that a job allows is the order in which they are tried. With it that
     * list only says which are allowed. Not with deadlines that are promised.
     */
    public Builder performance(Performance performance) {
      this.performance = Objects.requireNonNull(performance, "performance");
      return this;
    }

    /** Sets who predicts how fast jobs are on each GPU model, as {@link Performance#by} does. */
    public Builder performance(PerformancePredictor predictor) {
      return performance(Performance.by(predictor));
    }

    /**
     * Has the first waiting jobs hold reservations, so that others start before them only where
     * they are not in their way. By default nothing is reserved. Everybody may then bypass those
     * who do not fit, whatever the policy says. Only with policies that neither pre-empt nor order
     * queues, in immediate mode, for jobs that neither share GPUs nor change their sizes.
     */
    public Builder backfill(Backfill rules) {
      backfill = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Has data sets {@linkplain Decision.Prefetch brought} to nodes before jobs start there, and
     * counts in placement which node has which, unless jobs share GPUs; by default data sets do not
     * matter, and reports of them are refused.
     */
    public Builder prefetch(Prefetching rules) {
      prefetching = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Sets how many jobs that are over are remembered, so that their ids are refused; the oldest
     * are forgotten first. 1,000,000 by default.
     *
     * @throws IllegalArgumentException if {@code jobs} is negative
     */
    public Builder completedJobHistory(int jobs) {
      if (jobs < 0) {
        throw new IllegalArgumentException(
            "the number of ended jobs to remember must not be negative, but was " + jobs);
      }
      mostEnded = jobs;
      return this;
    }

    /**
     * Sets how many jobs one event starts at most, which bounds how long it takes; no number by
     * default. What is left is decided at once when {@link Scheduler#nextWakeUp} is obeyed, which
     * is then the present: several short events give the decisions of one long one. Not supported
     * yet in batch mode and with elasticity; without effect where queues {@linkplain
     * io.github.liquidscheduler.queue.Reclaiming#lends lend} each other quota.
     *
     * @throws IllegalArgumentException if {@code jobs} is less than 1
     */
    public Builder startsPerEvent(int jobs) {
      bounds = bounds.withStarts(jobs);
      return this;
    }

    /**
     * Sets for how many waiting jobs one event looks at most for jobs of other queues that may
     * leave for them, where queues are in a tree; no number by default. Of thousands of queues
     * dozens may have jobs that others owe room, and an event that changes what is held has all of
     * these looked at again. What is left is decided as with {@link #startsPerEvent}.
     *
     * @throws IllegalArgumentException if {@code jobs} is less than 1
     */
    public Builder searchesPerEvent(int jobs) {
      bounds = bounds.withSearches(jobs);
      return this;
    }

    /**
     * Returns a scheduler without jobs.
     *
     * @throws IllegalStateException if no policy was set, the policy both pre-empts and orders
     *     queues, both a placer and co-location were set, or {@link #startsPerEvent} or {@link
     *     #searchesPerEvent} where they are not supported
     */
    public LiquidScheduler build() {
      return build(state -> {});
    }

    /**
     * Returns a scheduler that goes on where {@code snapshot} was taken. The cluster must be that
     * of the snapshot, with the nodes that were added and without those that were retired before
     * it. It may be larger: the next event, which is due at once, then tries all jobs that wait.
     *
     * @throws IllegalStateException as {@link #build()} does
     * @throws IllegalArgumentException if the snapshot is of another version or was taken under
     *     other parameters of policy, placer, network or batch window, names nodes that the cluster
     *     does not have, or contradicts itself
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
