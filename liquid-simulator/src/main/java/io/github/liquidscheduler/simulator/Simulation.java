package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.conditions.RequestModel;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.elastic.Stragglers;
import io.github.liquidscheduler.simulator.failure.FailureScript;
import io.github.liquidscheduler.simulator.failure.RandomFailures;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a trace against a scheduler in virtual time. The scheduler gets the events it would get in
 * production and nothing else; how fast jobs run is decided by a {@link GroundTruth}. The same
 * trace, scheduler and options give the same result, on every machine.
 *
 * <p>The start of the trace is {@link Instant#EPOCH}, unless {@link Builder#start} says. At one
 * instant jobs end first, in the order of the trace; then nodes and GPUs fail or return, in the
 * order of the script; then jobs are submitted, in the order of the trace; then jobs report their
 * progress; then plans come; what comes from a {@linkplain Builder#storage storage} does last. That
 * time has passed is reported when the scheduler asked for it and nothing else happens by then.
 *
 * <p>All decisions are carried out at once. When the simulation ends, and with {@link
 * Builder#strict} after every event, it is checked that nothing was over-committed, by books kept
 * apart from the scheduler's, and that every job is accounted for.
 */
public final class Simulation {
  // Read by the run, which is in this package.

  final TraceSource trace;
  final Scheduler scheduler;
  final Instant start;
  final GroundTruth speed;
  final Overheads overheads;
  final Duration checkpointInterval;
  final FailureScript failures;
  final @Nullable RandomFailures randomFailures;
  final @Nullable Duration until;
  final @Nullable Duration reportInterval;
  final boolean strict;
  final List<SimulationListener> listeners;
  final DurationKnowledge durationKnowledge;
  final @Nullable Function<TraceJob, JobSpec> submittedAs;
  final @Nullable PlanningLoop planning;
  final Function<TraceJob, Sharing> sharing;
  final RequestModel requestModel;
  final @Nullable ResizeConditions elastic;
  final @Nullable Stragglers stragglers;
  final @Nullable QueueTree queues;
  final @Nullable Bandwidth storage;

  private Simulation(Builder builder) {
    trace = builder.trace;
    scheduler = builder.scheduler;
    start = builder.start;
    speed = builder.speed;
    overheads = builder.overheads;
    checkpointInterval = builder.checkpointInterval;
    failures = builder.failures;
    randomFailures = builder.randomFailures;
    until = builder.until;
    reportInterval = builder.reportInterval;
    strict = builder.strict;
    listeners = List.copyOf(builder.listeners);
    durationKnowledge = builder.durationKnowledge;
    submittedAs = builder.submittedAs;
    planning = builder.planning;
    sharing = builder.sharing;
    requestModel = builder.requestModel;
    elastic = builder.elastic;
    stragglers = builder.stragglers;
    queues = builder.queues;
    storage = builder.storage;
  }

  /**
   * Returns a builder of a simulation in which jobs run as the trace says, the scheduler knows
   * their durations, and nothing fails or costs time.
   *
   * @param scheduler the scheduler, which must not have seen any event yet
   */
  public static Builder builder(TraceSource trace, Scheduler scheduler) {
    return new Builder(trace, scheduler);
  }

  /**
   * Runs the simulation to its end: when every job has ended, or nothing more can happen, or the
   * time of {@link Builder#until} has come. Can be called once.
   *
   * @throws IllegalStateException if the scheduler has seen events already, or breaks a promise:
   *     over-commits, starts a partial gang, loses a job or decides about an unknown one
   * @throws IllegalArgumentException if the trace does not tell what {@link GroundTruth} needs, or
   *     goes on for more than 292 years
   */
  public SimulationResult run() {
    JobFate[] fates = new JobFate[trace.size()];
    RunSummary summary = run((fate, position) -> fates[position] = fate);
    return new SimulationResult(
        List.of(fates), summary.usage(), summary.counts(), summary.decisionsDigest());
  }

  /**
   * Runs the simulation as {@link #run()} does, without holding what became of each job:
   * {@linkplain SimulationListener#ended listeners} are told. So memory grows with the jobs in the
   * system, and by 16 bytes with each that finishes, if the trace is not held either.
   */
  public RunSummary summarize() {
    return run((fate, position) -> {});
  }

  private RunSummary run(ObjIntConsumer<JobFate> sink) {
    if (!scheduler.snapshot().now().equals(Instant.MIN)) {
      throw new IllegalStateException(
          "a simulation needs a scheduler that has seen no event, but this one has");
    }
    return new SimulationRun(
            this,
            (fate, position) -> {
              sink.accept(fate, position);
              listeners.forEach(listener -> listener.ended(fate));
            })
        .run();
  }

  /** Builds a {@link Simulation}. Not thread-safe. */
  public static final class Builder {

    private static final Sharing EXCLUSIVE = new Sharing.Exclusive();

    private final TraceSource trace;
    private final Scheduler scheduler;
    private GroundTruth speed = GroundTruth.asRecorded();
    private Overheads overheads = Overheads.NONE;
    private Duration checkpointInterval = Duration.ZERO;
    private FailureScript failures = FailureScript.NONE;
    private @Nullable RandomFailures randomFailures;
    private @Nullable Duration until;
    private Instant start = Instant.EPOCH;
    private @Nullable Duration reportInterval;
    private boolean strict;
    private final List<SimulationListener> listeners = new ArrayList<>();
    private DurationKnowledge durationKnowledge = DurationKnowledge.exact();
    private @Nullable Function<TraceJob, JobSpec> submittedAs;
    private @Nullable PlanningLoop planning;
    private Function<TraceJob, Sharing> sharing = job -> EXCLUSIVE;
    private RequestModel requestModel = RequestModel.AS_DESCRIBED;
    private @Nullable ResizeConditions elastic;
    private @Nullable Stragglers stragglers;
    private @Nullable QueueTree queues;
    private @Nullable Bandwidth storage;

    private Builder(TraceSource trace, Scheduler scheduler) {
      this.trace = Objects.requireNonNull(trace, "trace");
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    }

    /** Sets the ground truth of speed; {@link GroundTruth#asRecorded()} by default. */
    public Builder speed(GroundTruth speed) {
      this.speed = Objects.requireNonNull(speed, "speed");
      return this;
    }

    /** Sets what the scheduler knows of durations; {@link DurationKnowledge#exact()} by default. */
    public Builder durationKnowledge(DurationKnowledge durationKnowledge) {
      this.durationKnowledge = Objects.requireNonNull(durationKnowledge, "durationKnowledge");
      return this;
    }

    /**
     * Sets the description of jobs to the scheduler; by default workers of one GPU each, in the
     * queue of the job's virtual cluster, with the trace's model as workload and the known duration
     * as expected work. The id must be the trace's.
     */
    public Builder submittedAs(Function<TraceJob, JobSpec> submittedAs) {
      this.submittedAs = Objects.requireNonNull(submittedAs, "submittedAs");
      return this;
    }

    /**
     * Sets the planner of a scheduler in batch mode; none by default, so that its jobs are placed
     * as in immediate mode after the plan timeout.
     */
    public Builder planning(PlanningLoop planning) {
      this.planning = Objects.requireNonNull(planning, "planning");
      return this;
    }

    /** Sets the jobs that may share GPUs; none by default. Excludes {@link #submittedAs}. */
    public Builder sharing(Function<TraceJob, Sharing> sharing) {
      this.sharing = Objects.requireNonNull(sharing, "sharing");
      return this;
    }

    /**
     * Sets the requests of jobs and their true usage; by default jobs request what they are
     * described with and never run out of memory.
     */
    public Builder requestModel(RequestModel requestModel) {
      this.requestModel = Objects.requireNonNull(requestModel, "requestModel");
      return this;
    }

    /**
     * Lets the scheduler change the sizes of jobs while they run; by default each has one size.
     * Sets the {@linkplain #speed ground truth} too. Jobs share no GPUs and have enough memory. Not
     * with {@link #submittedAs}.
     */
    public Builder elastic(ResizeConditions conditions) {
      elastic = Objects.requireNonNull(conditions, "conditions");
      return speed(conditions.speed());
    }

    /** Lets workers of elastic jobs be slow for a while; by default none is. */
    public Builder stragglers(Stragglers stragglers) {
      this.stragglers = Objects.requireNonNull(stragglers, "stragglers");
      return this;
    }

    /**
     * Lets queues in a tree share the cluster, from the start of the trace on; by default there is
     * no tree. A job is in the queue of its virtual cluster, or in {@link QueueName#DEFAULT}.
     */
    public Builder queues(QueueTree queues) {
      this.queues = Objects.requireNonNull(queues, "queues");
      return this;
    }

    /**
     * Lets jobs read their {@linkplain TraceJob#datasets() data sets} from a storage at each start,
     * after the {@linkplain #overheads overheads}: what is not on the disks of their nodes comes
     * over a path that all share, and jobs do not train before. Copies stay on the {@linkplain
     * io.github.liquidscheduler.cluster.Node#disk() disks}. A scheduler that prefetches is told of
     * them, and what it decides to bring is brought. By default jobs read nothing. Not with {@link
     * #elastic}.
     *
     * @param path what all nodes together get from the storage
     * @throws IllegalArgumentException if that is nothing
     */
    public Builder storage(Bandwidth path) {
      if (path.bytesPerSecond() < 1) {
        throw new IllegalArgumentException(
            "the path from a storage must have a bandwidth, but had " + path);
      }
      storage = path;
      return this;
    }

    /** Sets the overheads of starting and resuming; none by default. */
    public Builder overheads(Overheads overheads) {
      this.overheads = Objects.requireNonNull(overheads, "overheads");
      return this;
    }

    /**
     * Sets the checkpoint interval, counted from the start of the work, positive. A job on a
     * failing node or GPU repeats its work since the last checkpoint. By default no work is
     * repeated; a pre-empted job never repeats any.
     *
     * @throws IllegalArgumentException if {@code interval} is not more than zero
     */
    public Builder checkpointEvery(Duration interval) {
      checkpointInterval = requirePositive("the interval of checkpoints", interval);
      return this;
    }

    /** Sets the failures; none by default. */
    public Builder failures(FailureScript failures) {
      this.failures = Objects.requireNonNull(failures, "failures");
      return this;
    }

    /** Lets nodes fail at random, beside the script. What is lost already does not fail again. */
    public Builder randomFailures(RandomFailures randomFailures) {
      this.randomFailures = Objects.requireNonNull(randomFailures, "randomFailures");
      return this;
    }

    /**
     * Sets the instant at which the trace starts, such as {@link TraceSource#start()}; {@link
     * Instant#EPOCH} by default.
     */
    public Builder start(Instant start) {
      this.start = Objects.requireNonNull(start, "start");
      return this;
    }

    /**
     * Ends the simulation after what happens at this time, counted from the start of the trace.
     *
     * @throws IllegalArgumentException if {@code until} is not more than zero
     */
    public Builder until(Duration until) {
      this.until = requirePositive("the end of a simulation", until);
      return this;
    }

    /**
     * Lets jobs with known iterations report their progress in this interval, restarted whenever
     * they begin to work or their co-runners change; by default no job reports.
     *
     * @throws IllegalArgumentException if {@code interval} is not more than zero
     */
    public Builder reportEvery(Duration interval) {
      reportInterval = requirePositive("the interval of reports", interval);
      return this;
    }

    /** Checks all invariants after every event: O(GPUs and jobs) each time. */
    public Builder strict() {
      strict = true;
      return this;
    }

    /** Adds a listener. */
    public Builder listener(SimulationListener listener) {
      listeners.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /**
     * Returns the simulation.
     *
     * @throws IllegalStateException if there are stragglers, but jobs are not elastic; or jobs are,
     *     and read from a storage
     */
    public Simulation build() {
      if (stragglers != null && elastic == null) {
        throw new IllegalStateException(
            "stragglers need elastic jobs: call elastic(…), whose times are those of replacement");
      }
      if (storage != null && elastic != null) {
        throw new IllegalStateException(
            "elastic jobs read from no storage: call either elastic(…) or storage(…)");
      }
      return new Simulation(this);
    }

    private static Duration requirePositive(String what, Duration time) {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException(what + " must be more than zero, but was " + time);
      }
      return time;
    }
  }
}
