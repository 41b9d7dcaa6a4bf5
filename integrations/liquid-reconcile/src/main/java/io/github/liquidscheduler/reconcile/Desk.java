package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.runtime.EventJournal;
import io.github.liquidscheduler.runtime.LoopStoppedException;
import io.github.liquidscheduler.runtime.SchedulerLoop;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.RefusedEventException;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The passes around one loop: compares, notes and tells; then compares again, notes and commands.
 * One pass at a time.
 */
final class Desk {
  private static final long EVENTS_PER_SEGMENT = 1000;
  private static final Duration LONGEST_SEGMENT = Duration.ofMinutes(10);
  private static final int SEGMENTS = 3;

  /** How long a start is expected to show any moment; later it has another obstacle. */
  private static final Duration SOON = Duration.ofSeconds(10);

  /** So few jobs that differ may have ended while nobody looked. */
  private static final int FEW = 5;

  private final Reconciler reconciler;
  private final JournalDirectory journals;
  private final Notes notes;
  private final PassMemory memory;
  private final Scheduler scheduler;
  private final SchedulerLoop loop;
  private final Explanations explanations = new Explanations();
  private Instant segmentBegun = Instant.MIN;
  private boolean isFirst = true;

  private Desk(
      Reconciler reconciler,
      JournalDirectory journals,
      Notes notes,
      PassMemory memory,
      Scheduler scheduler) {
    this.reconciler = reconciler;
    this.journals = journals;
    this.notes = notes;
    this.memory = memory;
    this.scheduler = scheduler;
    beginSegment();
    loop =
        reconciler
            .parts
            .loop
            .apply(SchedulerLoop.builder(scheduler, reconciler.parts.clock))
            .executor(reconciler.parts.executor())
            .timer(reconciler.parts.timer())
            .stopwatch(reconciler.parts.stopwatch)
            .journal(EventJournal.of(journals::append, this::commit))
            .handler(this::decided)
            .start();
  }

  /** Recovers the scheduler, or makes one of the cluster that is seen, and begins. */
  static Desk open(
      Reconciler reconciler,
      JournalDirectory journals,
      Notes notes,
      PassMemory memory,
      Observation seen) {
    Optional<JournalDirectory.Recovery<Scheduler>> recovered =
        journals.recover(header -> restored(reconciler, header));
    recovered.ifPresent(found -> found.notes().forEach(reconciler.supervision::say));
    Scheduler scheduler =
        recovered
            .map(JournalDirectory.Recovery::scheduler)
            .orElseGet(() -> reconciler.parts.schedulers.make(seen.cluster(), Optional.empty()));
    Capabilities.require(scheduler.parameters(), reconciler.parts.port.features());
    return new Desk(reconciler, journals, notes, memory, scheduler);
  }

  private static Scheduler restored(Reconciler reconciler, JournalHeader header) {
    return reconciler.parts.schedulers.make(header.cluster(), header.start());
  }

  SchedulerLoop loop() {
    return loop;
  }

  // Of the deciding thread.

  private void commit() {
    journals.force();
    Duration age = Duration.between(segmentBegun, reconciler.parts.clock.instant());
    if (journals.events() >= EVENTS_PER_SEGMENT || age.compareTo(LONGEST_SEGMENT) >= 0) {
      memory.forget(live(), reconciler.parts.stopwatch.getAsLong());
      beginSegment();
    }
  }

  private void beginSegment() {
    journals.rotate(scheduler);
    journals.prune(SEGMENTS);
    segmentBegun = reconciler.parts.clock.instant();
  }

  private Set<JobId> live() {
    Set<JobId> live = new HashSet<>();
    scheduler.waiting().forEach(own -> live.add(notes.byOwnId(own)));
    scheduler.view().runningJobs().forEach(own -> live.add(notes.byOwnId(own)));
    return live;
  }

  /** What was decided is found by the next pass; only what cannot be asked for later is kept. */
  private void decided(Decision decision) {
    if (decision instanceof Decision.Reject reject) {
      memory.refuse(
          notes.byOwnId(reject.job()),
          new Sight.Refusal(Optional.empty(), reject.why().describe()));
    }
    reconciler.hint();
  }

  // Passes.

  CompletionStage<Void> pass(Observation seen) {
    Map<JobId, ObservedJob> answers = new HashMap<>();
    return compare(seen, answers)
        .thenComposeAsync(found -> lookedUp(seen, answers, found), reconciler.parts.executor())
        .thenComposeAsync(found -> tell(seen, found), reconciler.parts.executor())
        .thenCompose(told -> loop.ask(now -> toCommand(seen, answers, now)))
        .thenAcceptAsync(found -> command(found), reconciler.parts.executor());
  }

  private CompletionStage<Differences> compare(Observation seen, Map<JobId, ObservedJob> answers) {
    return loop.ask(now -> Pass.of(sight(seen, answers), now));
  }

  private Sight sight(Observation seen, Map<JobId, ObservedJob> answers) {
    return memory.sight(seen, answers, reconciler.parts.clock.instant());
  }

  private CompletionStage<Differences> lookedUp(
      Observation seen, Map<JobId, ObservedJob> answers, Differences found) {
    List<JobId> unknown = new ArrayList<>();
    for (JobId job : found.missing()) {
      try {
        reconciler
            .parts
            .port
            .lookUp(job)
            .filter(answer -> !notes.of(job).isOfAnother(answer))
            .ifPresentOrElse(answer -> answers.put(job, answer), () -> unknown.add(job));
      } catch (IOException e) {
        reconciler.supervision.failed("looking up a job", e);
      }
    }
    memory.miss(seen, unknown);
    return found.missing().isEmpty()
        ? CompletableFuture.completedFuture(found)
        : compare(seen, answers);
  }

  private CompletionStage<Void> tell(Observation seen, Differences found) {
    CompletionStage<Void> isSame =
        isFirst && !reconciler.parts.isTrusted
            ? loop.ask(now -> live().size())
                .thenAcceptAsync(
                    live -> requireSameCluster(live, found), reconciler.parts.executor())
            : CompletableFuture.completedFuture(null);
    return isSame.thenCompose(
        same -> {
          notes.write(found.notes());
          return tell(seen, found.events());
        });
  }

  /** Of the first pass, before its events are told. */
  private void requireSameCluster(int live, Differences found) {
    int missing = found.missing().size();
    if (missing >= FEW && missing > live / 2) {
      IllegalStateException why =
          new IllegalStateException(
              "a journal must be of the cluster that is seen, but of its %d jobs %d are not there. Trust the cluster if they have ended"
                  .formatted(live, missing));
      reconciler.stop(why);
      throw why;
    }
  }

  private CompletionStage<Void> tell(Observation seen, List<Differences.Told> events) {
    if (events.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return loop.offerAll(now -> events.stream().map(event -> event.apply(now)).toList())
        .handleAsync(
            (decisions, failure) -> toldOrNot(seen, events, failure), reconciler.parts.executor())
        .thenCompose(next -> next);
  }

  /** One event that is refused must not keep back the others for ever. */
  private CompletionStage<Void> toldOrNot(
      Observation seen, List<Differences.Told> events, @Nullable Throwable failure) {
    if (failure == null) {
      Instant now = reconciler.parts.clock.instant();
      reconciler.supervision.told(events.stream().map(event -> event.apply(now)).toList());
      return CompletableFuture.completedFuture(null);
    }
    Throwable why = failure instanceof CompletionException ? causeOf(failure) : failure;
    if (!(why instanceof IllegalArgumentException) || why instanceof LoopStoppedException) {
      return CompletableFuture.failedFuture(why);
    }
    int index = why instanceof RefusedEventException refused ? refused.index() : 0;
    List<Differences.Told> others = new ArrayList<>(events);
    ClusterEvent event = others.remove(index).apply(reconciler.parts.clock.instant());
    Throwable cause = why instanceof RefusedEventException ? causeOf(why) : why;
    reconciler.supervision.failed("telling " + event.getClass().getSimpleName(), cause);
    switch (event) {
      case ClusterEvent.JobSubmitted submitted -> refused(seen, submitted.job(), cause);
      case ClusterEvent.JobUpdated updated -> refused(seen, updated.job(), cause);
      case ClusterEvent.JobFinished finished ->
          others.addFirst(now -> new ClusterEvent.JobCancelled(now, finished.job()));
      default -> {}
    }
    return tell(seen, others);
  }

  private static Throwable causeOf(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return cause == null ? failure : cause;
  }

  private void refused(Observation seen, JobId own, Throwable why) {
    JobId job = notes.byOwnId(own);
    memory.refuse(job, new Sight.Refusal(PassMemory.request(seen, job), "" + why.getMessage()));
  }

  private Differences toCommand(Observation seen, Map<JobId, ObservedJob> answers, Scheduler now) {
    Sight sight = sight(seen, answers);
    Differences found = Pass.of(sight, now);
    boolean starts = found.commands().stream().anyMatch(Command.Start.class::isInstance);
    explanations.due(sight, now, starts).forEach(found::command);
    if (now.view().runningJobs().stream().anyMatch(job -> isToShow(now, job))) {
      reconciler.expect();
    }
    return found;
  }

  private boolean isToShow(Scheduler now, JobId job) {
    return now.status(job).orElseThrow() instanceof JobStatus.Launching start
        && Duration.between(start.since(), reconciler.parts.clock.instant()).compareTo(SOON) < 0;
  }

  private void command(Differences found) {
    isFirst = false;
    reconciler.passed();
    List<Command> due = memory.log().due(found.commands(), reconciler.parts.stopwatch.getAsLong());
    if (due.isEmpty() || reconciler.isOver()) {
      return;
    }
    if (!reconciler.parts.lease.getAsBoolean()) {
      reconciler.stop(new IllegalStateException("the lease was lost, so nothing is commanded"));
      return;
    }
    notes.write(found.commandNotes());
    reconciler.supervision.commanded(due);
    memory.log().send(due, reconciler.parts.stopwatch.getAsLong());
    reconciler
        .parts
        .port
        .carryOut(due)
        .whenCompleteAsync(
            (answers, failure) -> answered(found, due, answers, failure),
            reconciler.parts.executor());
  }

  private void answered(
      Differences found,
      List<Command> due,
      List<Confirmation> answers,
      @Nullable Throwable failure) {
    long now = reconciler.parts.stopwatch.getAsLong();
    if (failure != null) {
      reconciler.supervision.failed("commanding", failure);
      due.forEach(
          command -> {
            memory.log().answer(command, PassMemory.CommandLog.Answer.UNKNOWN, now);
            explanations.lose(command.job());
          });
    } else {
      answers.forEach(answer -> answered(found, answer, now));
    }
    reconciler.hint();
  }

  private void answered(Differences found, Confirmation answer, long now) {
    Command command = answer.command();
    answer
        .refused()
        .ifPresentOrElse(
            why -> {
              reconciler.supervision.refused(command, why);
              memory.log().answer(command, PassMemory.CommandLog.Answer.REFUSED, now);
            },
            () -> {
              memory.log().answer(command, PassMemory.CommandLog.Answer.DONE, now);
              @Nullable UnaryOperator<JobNote> told = found.told().get(command.job());
              if (command instanceof Command.Refuse && told != null) {
                notes.write(List.of(told.apply(notes.of(command.job()))));
              }
            });
  }
}
