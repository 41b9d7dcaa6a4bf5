package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.runtime.SchedulerLoop;
import io.github.liquidscheduler.runtime.WakeUpTimer;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a scheduler and a cluster manager of one mind. Again and again it observes the manager,
 * tells the scheduler all differences as one turn, and commands what the scheduler has decided and
 * the manager does not show yet. What it knows is in a directory of journals, from which the next
 * process goes on; while none runs, jobs run on and nothing starts.
 *
 * <p>It begins by observing until the manager knows what runs on its nodes. A failure to observe,
 * to tell or to command is counted and tried again; what the journal cannot take, or a lease that
 * is lost, stops it. Thread-safe.
 */
public final class Reconciler implements AutoCloseable {

  /** Makes the scheduler of a cluster. */
  @FunctionalInterface
  public interface SchedulerFactory {

    /**
     * Makes a scheduler that is built with {@code startsReported()}.
     *
     * @param cluster the cluster of the journal, or of the manager if there is no journal
     * @param start the state to go on from; empty if there is none
     */
    Scheduler make(ClusterTopology cluster, Optional<SchedulerSnapshot> start);
  }

  /**
   * What has happened since the process began.
   *
   * @param passes the passes that were complete
   * @param events the differences that were told, by kind of event
   * @param commands the commands that were sent, by kind
   * @param refused those of them that the manager refused, by kind
   * @param failures what has failed, by what was tried
   * @param listing how long the manager took for the last listing
   */
  public record Counts(
      long passes,
      Map<String, Long> events,
      Map<String, Long> commands,
      Map<String, Long> refused,
      Map<String, Long> failures,
      Duration listing) {}

  final Builder parts;
  final Supervision supervision;
  private final JournalDirectory journals;
  private final Notes notes;
  private final PassMemory memory;
  private final LookTimes times;
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  private @Nullable Desk desk;
  private boolean isOver;

  private Reconciler(Builder parts) {
    this.parts = parts;
    supervision = new Supervision(parts.stopwatch, parts.operator);
    journals = JournalDirectory.lock(parts.folder);
    notes = openedNotes();
    memory = new PassMemory(notes, parts.clock.instant(), parts.minJobAge, parts.startTimeout);
    times = new LookTimes(parts.stopwatch, parts.timer(), parts.between, () -> execute(this::look));
  }

  private Notes openedNotes() {
    try {
      return Notes.open(parts.folder);
    } catch (RuntimeException e) {
      journals.close();
      throw e;
    }
  }

  /**
   * Returns a builder of a reconciler.
   *
   * @param port the manager; closed with the reconciler
   * @param folder where journals and notes are kept; made if it is not there
   */
  public static Builder builder(
      ClusterPort port, Path folder, InstantSource clock, SchedulerFactory schedulers) {
    return new Builder(port, folder, clock, schedulers);
  }

  /**
   * Completes after the first pass. Fails if it cannot start: the scheduler may decide what the
   * manager cannot carry out, or the journal seems to be of another cluster.
   */
  public CompletionStage<Void> started() {
    return started.minimalCompletionStage();
  }

  /** Completes once it was closed and has stopped; fails with what has stopped it. */
  public CompletionStage<Void> stopped() {
    return stopped.minimalCompletionStage();
  }

  /**
   * Returns the loop, to ask it questions.
   *
   * @throws IllegalStateException before it has {@linkplain #started started}
   */
  public SchedulerLoop loop() {
    @Nullable Desk now = desk();
    if (now == null) {
      throw new IllegalStateException("a reconciler must have started to be asked, but has not");
    }
    return now.loop();
  }

  /**
   * Returns the id in the scheduler of a job as the manager calls it: another one if the job runs
   * again after its end, or the manager has given its id to another job before.
   */
  public JobId ownId(JobId job) {
    return notes.of(job).own();
  }

  /** Returns what has happened since the process began. */
  public Counts counts() {
    return supervision.counts();
  }

  /** Returns what is wrong now, in one line; empty if passes are complete, or it was closed. */
  public Optional<String> ill() {
    if (stopped.isCompletedExceptionally()) {
      return Optional.of("it has stopped: " + stopped.exceptionNow().getMessage());
    }
    return isOver() ? Optional.empty() : Optional.ofNullable(supervision.ill(parts.illAfter));
  }

  /** Looks soon: something may have changed. */
  void hint() {
    times.hint();
  }

  /** Looks more often: a start that was commanded shows any moment. */
  void expect() {
    times.expect();
  }

  private synchronized @Nullable Desk desk() {
    return desk;
  }

  private void execute(Runnable task) {
    try {
      parts.executor().execute(task);
    } catch (RejectedExecutionException e) {
      stop(e);
    }
  }

  private void look() {
    if (!times.begins()) {
      return;
    }
    long begun = parts.stopwatch.getAsLong();
    try {
      Observation seen = parts.port.observe();
      long took = parts.stopwatch.getAsLong() - begun;
      times.listed(took);
      supervision.observed(took);
      memory.shows(seen, begun + took);
      @Nullable Desk now = desk();
      if (now == null && !seen.conditions().containsValue(NodeCondition.SUSPECT)) {
        now = open(seen);
      }
      if (now == null) {
        looked(null);
      } else {
        now.pass(seen).whenCompleteAsync((done, failure) -> looked(failure), parts.executor());
      }
    } catch (IOException | RuntimeException e) {
      supervision.notObserved(e);
      looked(null);
    }
  }

  private @Nullable Desk open(Observation seen) {
    try {
      Desk opened = Desk.open(this, journals, notes, memory, seen);
      synchronized (this) {
        desk = opened;
      }
      opened
          .loop()
          .stopped()
          .whenComplete(
              (last, failure) -> {
                if (failure != null) {
                  stop(failure);
                }
              });
      return opened;
    } catch (RuntimeException e) {
      stop(e);
      return null;
    }
  }

  private void looked(@Nullable Throwable failure) {
    if (failure != null) {
      supervision.failed("a pass", failure);
    }
    times.ends();
  }

  /** Notes that a pass is done. */
  void passed() {
    supervision.passed();
    started.complete(null);
  }

  /** Stops for good. */
  void stop(@Nullable Throwable why) {
    @Nullable Desk last;
    synchronized (this) {
      if (isOver) {
        return;
      }
      isOver = true;
      last = desk;
    }
    times.stop();
    parts.port.close();
    if (last == null) {
      finish(why);
    } else {
      last.loop()
          .shutdown()
          .whenComplete((snapshot, failure) -> finish(why != null ? why : failure));
    }
  }

  private void finish(@Nullable Throwable why) {
    try {
      notes.close();
      journals.close();
    } catch (RuntimeException e) {
      supervision.failed("closing", e);
    }
    if (why == null) {
      started.completeExceptionally(
          new IllegalStateException("it was closed before it had started"));
      stopped.complete(null);
    } else {
      started.completeExceptionally(why);
      stopped.completeExceptionally(why);
    }
  }

  /** Stops; {@link #stopped} completes once it has. */
  @Override
  public void close() {
    stop(null);
  }

  synchronized boolean isOver() {
    return isOver;
  }

  /** Builds a {@link Reconciler}. Not thread-safe. */
  public static final class Builder {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    final ClusterPort port;
    final Path folder;
    final InstantSource clock;
    final SchedulerFactory schedulers;
    LongSupplier stopwatch = System::nanoTime;
    Duration between = Duration.ofSeconds(1);
    Duration minJobAge = Duration.ofMinutes(1);
    Duration startTimeout = Duration.ofMinutes(10);
    Duration illAfter = Duration.ofSeconds(30);
    Consumer<String> operator = LOG::warn;
    boolean isTrusted;
    BooleanSupplier lease = () -> true;
    UnaryOperator<SchedulerLoop.Builder> loop = UnaryOperator.identity();
    private @Nullable Executor executor;
    private @Nullable WakeUpTimer timer;

    private Builder(
        ClusterPort port, Path folder, InstantSource clock, SchedulerFactory schedulers) {
      this.port = Objects.requireNonNull(port, "port");
      this.folder = Objects.requireNonNull(folder, "folder");
      this.clock = Objects.requireNonNull(clock, "clock");
      this.schedulers = Objects.requireNonNull(schedulers, "schedulers");
    }

    /** Sets both where it works and what wakes it; two threads are enough. */
    public Builder threads(ScheduledExecutorService threads) {
      return executor(threads).timer(WakeUpTimer.of(threads));
    }

    /**
     * Sets where it works; must be set. What it is given may block on the manager, and must not run
     * before the call returns.
     */
    public Builder executor(Executor executor) {
      this.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    /** Sets what wakes it when time has passed; must be set. */
    public Builder timer(WakeUpTimer timer) {
      this.timer = Objects.requireNonNull(timer, "timer");
      return this;
    }

    /** Sets the stopwatch of observations, in nanoseconds; {@link System#nanoTime} by default. */
    public Builder stopwatch(LongSupplier nanoseconds) {
      stopwatch = Objects.requireNonNull(nanoseconds, "nanoseconds");
      return this;
    }

    /** Sets how long it rests between looks where nothing calls for one; a second by default. */
    public Builder lookEvery(Duration time) {
      between = requirePositive(time, "the time between looks");
      return this;
    }

    /**
     * Sets how long the manager shows jobs that have ended; one minute by default. A job that is
     * not shown for half of it, and is not known when asked for, has ended.
     */
    public Builder minJobAge(Duration age) {
      minJobAge = requirePositive(age, "the time for which ended jobs are shown");
      return this;
    }

    /** Sets how long a start may take before it counts as failed; ten minutes by default. */
    public Builder startTimeout(Duration timeout) {
      startTimeout = requirePositive(timeout, "the time that a start may take");
      return this;
    }

    /** Sets who is told, in lines, what operators should know; the log by default. */
    public Builder operator(Consumer<String> lines) {
      operator = Objects.requireNonNull(lines, "lines");
      return this;
    }

    /** Sets after what time without a complete pass something is wrong; 30 seconds by default. */
    public Builder illAfter(Duration time) {
      illAfter = requirePositive(time, "the time without a complete pass");
      return this;
    }

    /** Accepts a journal that knows other jobs than the manager shows. */
    public Builder trustCluster() {
      isTrusted = true;
      return this;
    }

    /**
     * Sets what tells, before anything is commanded, whether this is still the only process that
     * may; always by default, since the directory is locked.
     */
    public Builder lease(BooleanSupplier isHeld) {
      lease = Objects.requireNonNull(isHeld, "isHeld");
      return this;
    }

    /** Sets more of the loop: listeners, a planner. The handler, journal and threads are set. */
    public Builder loop(UnaryOperator<SchedulerLoop.Builder> more) {
      loop = Objects.requireNonNull(more, "more");
      return this;
    }

    Executor executor() {
      return requireSet(executor, "executor");
    }

    WakeUpTimer timer() {
      return requireSet(timer, "timer");
    }

    /**
     * Locks the directory and begins; {@link Reconciler#started} tells when the first pass is done.
     *
     * @throws IllegalStateException if no executor or no timer was set, or another process has the
     *     directory
     * @throws java.io.UncheckedIOException if the directory cannot be read or written
     */
    public Reconciler start() {
      executor();
      timer();
      Reconciler reconciler = new Reconciler(this);
      port.onChange(reconciler::hint);
      reconciler.execute(reconciler::look);
      return reconciler;
    }

    private static <T> T requireSet(@Nullable T part, String name) {
      if (part == null) {
        throw new IllegalStateException(
            "a reconciler must have its " + name + " set, but had none");
      }
      return part;
    }

    private static Duration requirePositive(Duration time, String what) {
      if (!time.isPositive()) {
        throw new IllegalArgumentException(what + " must be positive, but was " + time);
      }
      return time;
    }
  }
}
