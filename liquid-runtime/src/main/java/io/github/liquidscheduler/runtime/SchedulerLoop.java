package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns events into decisions as they come. Anybody reports events from any thread; they are taken
 * one at a time, in the order in which they came, on the embedder's executor, and get their times
 * from the embedder's clock. An event is in the journal before anybody hears what was decided about
 * it. When the scheduler wants to be woken, it is.
 *
 * <p>A decision that waits for others to leave is handed out once they have left, also by a loop
 * around a scheduler that was restored. If it is taken back before, nobody hears of it.
 *
 * <p>From here on the scheduler belongs to the loop: nobody else may call it. {@link #ask} answers
 * questions.
 *
 * <p>A journal that fails stops the loop, and so does a scheduler that breaks its contract: what is
 * in memory may then differ from the journal. Start again from the journal. What handlers,
 * listeners and planners throw is reported and changes nothing.
 *
 * <p>Several reports of one job's progress that wait at the same time are taken as one, the last.
 * Thread-safe; no method blocks.
 */
public final class SchedulerLoop {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);
  private final Turns turns;
  private final Audience audience;
  private final InstantSource clock;
  private final LongSupplier stopwatch;
  private final Executor executor;
  private final Alarm alarm;
  private final Rhythm rhythm;
  private final Inbox inbox = new Inbox();
  private final Queue<Consumer<@Nullable RuntimeException>> questions =
      new ConcurrentLinkedQueue<>();
  private final CompletableFuture<SchedulerSnapshot> stopped = new CompletableFuture<>();

  /** The calls since all was done; the caller that makes it 1 starts the work. */
  private final AtomicInteger calls = new AtomicInteger();

  /** Why no event is accepted any more. */
  private volatile @Nullable LoopStoppedException refusal;

  private volatile boolean isOver;

  /** The time of all that was gathered last. */
  private Instant latest;

  /** When events are taken next, if that is known. */
  private @Nullable Instant opening;

  private SchedulerLoop(Builder builder) {
    DecisionHandler handler = builder.handlerFor(this);
    audience = new Audience(handler, builder.listeners, builder.failures);
    StartTimeouts starts = new StartTimeouts(builder.scheduler, builder.startTimeout);
    turns = new Turns(builder.scheduler, builder.journal, audience, builder.stopwatch, starts);
    clock = builder.clock;
    stopwatch = builder.stopwatch;
    executor = Objects.requireNonNull(builder.executor);
    alarm = new Alarm(Objects.requireNonNull(builder.timer), this::call);
    latest = builder.scheduler.snapshot().now();
    rhythm = new Rhythm(now(), builder.heartbeat);
  }

  /** Returns a builder of a loop around a scheduler, whose events get their times from a clock. */
  public static Builder builder(Scheduler scheduler, InstantSource clock) {
    return new Builder(
        Objects.requireNonNull(scheduler, "scheduler"), Objects.requireNonNull(clock, "clock"));
  }

  /**
   * Reports an event. Returns the decisions, once they were journaled, and handed out but for those
   * that wait for others to leave: empty also for progress that later progress has superseded. It
   * fails as {@link Scheduler#on} does if the scheduler refuses the event, and with {@link
   * LoopStoppedException} if the loop stops before. What depends on it runs on the deciding thread,
   * so should go on elsewhere if it is long.
   *
   * @param event makes the event of the time at which it is taken
   */
  public CompletionStage<List<Decision>> offer(Function<Instant, ? extends ClusterEvent> event) {
    Offer offer = new Offer(event, stopwatch.getAsLong());
    @Nullable LoopStoppedException closed = refusal;
    if (closed != null) {
      offer.answer().completeExceptionally(closed);
      return offer.answer();
    }
    inbox.add(offer);
    call();
    if (isOver) {
      inbox.refuseArrivals(Objects.requireNonNull(refusal));
    }
    return offer.answer();
  }

  /**
   * Reports events that are taken together, as {@link Scheduler#on(List)} says: the differences
   * that a look at the whole cluster has found.
   *
   * @param events makes the events of the time at which they are taken
   */
  public CompletionStage<List<Decision>> offerAll(
      Function<Instant, ? extends List<? extends ClusterEvent>> events) {
    Objects.requireNonNull(events, "events");
    return offer(now -> ClusterEvent.together(events.apply(now)));
  }

  /**
   * Asks the scheduler something between two turns, on the deciding thread: who waits and why, or
   * for a snapshot to begin the next journal with. The scheduler that is asked takes no events, and
   * must not be kept.
   */
  public <T extends @Nullable Object> CompletionStage<T> ask(
      Function<? super Scheduler, ? extends T> question) {
    Objects.requireNonNull(question, "question");
    CompletableFuture<T> answer = new CompletableFuture<>();
    questions.add(closed -> answer(question, closed, answer));
    call();
    if (isOver) {
      answerQuestions(refusal);
    }
    return answer;
  }

  private <T extends @Nullable Object> void answer(
      Function<? super Scheduler, ? extends T> question,
      @Nullable RuntimeException closed,
      CompletableFuture<T> answer) {
    if (closed != null) {
      answer.completeExceptionally(closed);
      return;
    }
    try {
      answer.complete(question.apply(turns.shown()));
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  /** Returns the number of events that were reported and not taken yet. */
  public int queued() {
    return inbox.size();
  }

  /** Accepts no more events, takes those reported, and stops as {@link #stopped()} tells. */
  public CompletionStage<SchedulerSnapshot> shutdown() {
    if (refusal == null) {
      refusal = new LoopStoppedException("the loop was shut down, so it takes no events", null);
    }
    call();
    return stopped();
  }

  /**
   * Returns the last state once the loop was shut down and has stopped. Fails with what has stopped
   * it if it could not go on: supervise that.
   */
  public CompletionStage<SchedulerSnapshot> stopped() {
    return stopped.minimalCompletionStage();
  }

  private void call() {
    if (calls.getAndIncrement() == 0) {
      execute();
    }
  }

  private void execute() {
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException e) {
      halt(e);
    }
  }

  private void run() {
    int answered = calls.get();
    boolean isMore = false;
    try {
      isMore = !isOver && work();
    } catch (RuntimeException | Error e) {
      halt(e);
    }
    if (isOver) {
      answerQuestions(refusal);
      inbox.refuseAll(Objects.requireNonNull(refusal));
    }
    if (isMore || calls.addAndGet(-answered) > 0) {
      execute();
    }
  }

  private boolean work() {
    answerQuestions(null);
    boolean isClosing = refusal != null;
    if (!inbox.hasGathered()) {
      Instant now = now();
      if (!isClosing && !isOpen(now)) {
        return false;
      }
      opening = null;
      audience.superseded(inbox.gather(now));
    }
    turns.takeBurst(inbox, latest, !isClosing);
    if (isClosing && !inbox.hasGathered() && !inbox.hasArrivals()) {
      finish();
      return false;
    }
    return true;
  }

  /** Whether events may be taken now and something is to be done; else sets the alarm. */
  private boolean isOpen(Instant now) {
    Instant wanted =
        inbox.hasArrivals() ? now : turns.nextWakeUp().filter(now::isBefore).orElse(now);
    if (!inbox.hasArrivals() && turns.nextWakeUp().isEmpty()) {
      alarm.clear();
      return false;
    }
    Instant next = rhythm.atOrAfter(wanted);
    opening = opening == null || next.isBefore(opening) ? next : opening;
    if (opening.isAfter(now)) {
      alarm.set(opening, now);
      return false;
    }
    alarm.clear();
    return true;
  }

  /** Clocks may step back; events may not. */
  private Instant now() {
    Instant now = clock.instant();
    latest = now.isAfter(latest) ? now : latest;
    return latest;
  }

  private void answerQuestions(@Nullable RuntimeException closed) {
    for (var next = questions.poll(); next != null; next = questions.poll()) {
      next.accept(closed);
    }
  }

  private void finish() {
    alarm.clear();
    SchedulerSnapshot last = turns.shown().snapshot();
    isOver = true;
    stopped.complete(last);
  }

  private void halt(Throwable cause) {
    LoopStoppedException why =
        new LoopStoppedException(
            "the loop cannot go on: %s. Start again from the journal".formatted(cause), cause);
    LOG.error("The scheduler loop stopped. Start again from the journal", cause);
    refusal = why;
    isOver = true;
    turns.refuseBurst(why);
    inbox.refuseAll(why);
    answerQuestions(why);
    stopped.completeExceptionally(why);
    audience.report(why);
  }

  /** Builds a {@link SchedulerLoop}. Not thread-safe. */
  public static final class Builder {
    private final Scheduler scheduler;
    private final InstantSource clock;
    private final List<SchedulerListener> listeners = new ArrayList<>();
    private @Nullable Executor executor;
    private @Nullable WakeUpTimer timer;
    private @Nullable DecisionHandler handler;
    private @Nullable BatchPlanner planner;
    private @Nullable Executor planning;
    private @Nullable Duration heartbeat;
    private @Nullable Duration startTimeout;
    private EventJournal journal = EventJournal.NONE;
    private LongSupplier stopwatch = System::nanoTime;
    private FailureReport failures = FailureReport.TO_THE_THREAD;

    private Builder(Scheduler scheduler, InstantSource clock) {
      this.scheduler = scheduler;
      this.clock = clock;
    }

    /** Sets who acts on decisions; must be set. */
    public Builder handler(DecisionHandler handler) {
      this.handler = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /** Sets both where decisions are taken and what wakes the loop. */
    public Builder threads(ScheduledExecutorService threads) {
      return executor(threads).timer(WakeUpTimer.of(threads));
    }

    /**
     * Sets where decisions are taken; must be set. It may have many threads: the loop uses one at a
     * time. It must not run what it is given before it returns.
     */
    public Builder executor(Executor executor) {
      this.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    /** Sets what wakes the loop when time has passed; must be set. */
    public Builder timer(WakeUpTimer timer) {
      this.timer = Objects.requireNonNull(timer, "timer");
      return this;
    }

    /** Sets where events go before anybody acts on them; nowhere by default. */
    public Builder journal(EventJournal journal) {
      this.journal = Objects.requireNonNull(journal, "journal");
      return this;
    }

    /** Adds somebody who hears of every turn. */
    public Builder listener(SchedulerListener listener) {
      listeners.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /**
     * Sets who makes the plans that the scheduler requests, and where. {@link
     * Decision.RequestPlan}s then do not reach the handler, and plans come back as events.
     */
    public Builder planner(BatchPlanner planner, Executor threads) {
      this.planner = Objects.requireNonNull(planner, "planner");
      this.planning = Objects.requireNonNull(threads, "threads");
      return this;
    }

    /**
     * Has events taken at the beats of a clock only, as Liquid's agents report every 5 seconds (Gu
     * et al., TPDS 2022, section 5.3). By default they are taken as they come.
     *
     * @throws IllegalArgumentException if the time between beats is not positive
     */
    public Builder heartbeat(Duration beat) {
      if (!beat.isPositive()) {
        throw new IllegalArgumentException(
            "the time between heartbeats must be positive, but was " + beat);
      }
      heartbeat = beat;
      return this;
    }

    /**
     * Sets how long a {@linkplain io.github.liquidscheduler.scheduling.JobStatus.Launching
     * launching} job may take to be reported as started; for ever by default. Then the loop itself
     * reports that it was {@linkplain io.github.liquidscheduler.scheduling.Failure#NOT_STARTED not
     * started}: it waits again, and avoids the nodes where it was to start. Listeners hear of that
     * event; see to it that the start does not happen later.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Builder startTimeout(Duration timeout) {
      startTimeout = StartTimeouts.requirePositive(timeout);
      return this;
    }

    /** Sets what measures turns in nanoseconds; {@link System#nanoTime} by default. */
    public Builder stopwatch(LongSupplier nanoseconds) {
      stopwatch = Objects.requireNonNull(nanoseconds, "nanoseconds");
      return this;
    }

    /**
     * Sets who is told what handlers, listeners and planners have thrown, and what has stopped the
     * loop; the thread's uncaught exception handler by default, and if the consumer throws itself.
     */
    public Builder failures(Consumer<Throwable> failures) {
      this.failures = new FailureReport(Objects.requireNonNull(failures, "failures"));
      return this;
    }

    /**
     * Starts the loop.
     *
     * @throws IllegalStateException if no handler, no executor or no timer was set
     */
    public SchedulerLoop start() {
      requireSet(handler, "handler");
      requireSet(executor, "executor");
      requireSet(timer, "timer");
      SchedulerLoop loop = new SchedulerLoop(this);
      loop.call();
      return loop;
    }

    private DecisionHandler handlerFor(SchedulerLoop loop) {
      DecisionHandler acting = Objects.requireNonNull(handler);
      if (planner == null || planning == null) {
        return acting;
      }
      return new PlannerElsewhere(planner, planning, failures).beside(acting, loop::offer);
    }

    private static void requireSet(@Nullable Object part, String name) {
      if (part == null) {
        throw new IllegalStateException("a loop must have its " + name + " set, but had none");
      }
    }
  }
}
