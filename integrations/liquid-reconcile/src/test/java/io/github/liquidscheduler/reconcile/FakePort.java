package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The way to a {@link FakeManager}, which may be slow, fail, lose what is sent, and deliver it
 * after it has said that it could not. A job is left alone from a command about it until it was
 * asked for after the answer: whatever is commanded or told of it before breaks a law.
 */
final class FakePort implements ClusterPort {

  /** What goes wrong on the way. */
  static final class Faults {
    /** How long an answer takes, in milliseconds. */
    long latency;

    int observationsToFail;
    int commandsToLose;
    int commandsToDelay;

    /** How long those take that are delayed, in milliseconds. */
    long delay = 3000;

    /** How many have no answer and arrive after that. */
    int commandsToMiss;

    /** How long after the answer those arrive, in milliseconds. */
    long missedBy;
  }

  /** Within what time arrives what a process has sent that is dead, in milliseconds. */
  private static final long ARRIVES = 5_000;

  /** A job as it was shown, and which of those with its id it is. */
  private record Shown(ObservedJob job, long identity) {}

  /**
   * Commands on their way.
   *
   * @param sentAt when they were sent
   * @param at when they arrive
   * @param missedAt when it is said that they have no answer, whatever becomes of them
   */
  private record Sent(
      Map<JobId, Shown> shown,
      long sentAt,
      long at,
      long missedAt,
      List<Command> commands,
      CompletableFuture<List<Confirmation>> answer,
      boolean isLost) {

    boolean isOpen() {
      return !answer.isDone();
    }

    Sent arrivingUntil(long last) {
      return new Sent(shown, sentAt, Math.min(at, last), missedAt, commands, answer, isLost);
    }
  }

  private final FakeManager manager;
  private final VirtualTime time;
  private final Faults faults;
  private final List<Sent> underWay = new ArrayList<>();

  /** Whether no other process has taken over. */
  boolean hasLease = true;

  /** What may follow from the last observation: one turn, and one burst of commands. */
  private boolean mayTell;

  private boolean mayCommand;
  private int shownEpoch;
  private final Map<JobId, Shown> shown = new HashMap<>();

  /** When the last command about each job had its answer; {@link Long#MAX_VALUE} until then. */
  private final Map<JobId, Long> answered = new HashMap<>();

  private long begun;

  FakePort(FakeManager manager, VirtualTime time, Faults faults) {
    this.manager = manager;
    this.time = time;
    this.faults = faults;
  }

  @Override
  public Observation observe() throws IOException {
    time.step();
    mayTell = false;
    mayCommand = false;
    if (faults.observationsToFail > 0) {
      faults.observationsToFail--;
      throw new IOException("no answer");
    }
    if (!manager.isUp()) {
      throw new IOException("the manager is away");
    }
    begun = manager.millis();
    Observation seen = manager.observe();
    shownEpoch = manager.epoch();
    shown.clear();
    seen.jobs().forEach(this::show);
    mayTell = true;
    mayCommand = true;
    // What is shown may have changed when it arrives.
    pass(faults.latency);
    return seen;
  }

  /**
   * Hears of a turn. All that one look has found is one turn, and what has failed changes nothing.
   */
  void told(ClusterEvent turn) {
    if (!mayTell) {
      manager.breaks("a turn does not follow from what was shown last: " + turn);
    }
    mayTell = false;
  }

  /** Hears that something was told of a job that was shown. */
  void toldOf(JobId job, long identity, ClusterEvent event) {
    boolean isShown = shown.containsKey(job) && shown.get(job).identity() == identity;
    if (isShown && isTooYoung(job)) {
      manager.breaks("it was told while a command about the job was on its way: " + event);
    }
  }

  /** Returns true if what was shown last may not show what was commanded about a job. */
  private boolean isTooYoung(JobId job) {
    return answered.getOrDefault(job, -1L) >= begun;
  }

  private void show(ObservedJob job) {
    shown.put(job.id(), new Shown(job, manager.identity(job.id())));
  }

  private void pass(long millis) {
    for (long left = millis; left > 0; left -= 100) {
      manager.tick(100);
      arrive();
    }
  }

  @Override
  public Optional<ObservedJob> lookUp(JobId job) throws IOException {
    time.step();
    if (!manager.isUp()) {
      throw new IOException("the manager is away");
    }
    Optional<ObservedJob> found = manager.lookUp(job);
    found.ifPresent(this::show);
    return found;
  }

  @Override
  public CompletionStage<List<Confirmation>> carryOut(List<Command> commands) {
    time.step();
    CompletableFuture<List<Confirmation>> answer = new CompletableFuture<>();
    if (!hasLease) {
      manager.breaks("somebody without a lease commands " + commands);
    }
    if (!mayCommand) {
      manager.breaks("commands do not follow from what was shown last: " + commands);
    }
    mayCommand = false;
    manager.hears(commands, shownEpoch);
    for (Command command : commands) {
      boolean isThere =
          underWay.stream().anyMatch(each -> each.isOpen() && each.commands().contains(command));
      if (isEffect(command) && isThere) {
        manager.breaks("%s was sent while the same was on its way".formatted(command));
      }
    }
    commands.stream().filter(FakePort::isEffect).forEach(this::mustFollowFromWhatWasShown);
    boolean isLost = faults.commandsToLose > 0;
    boolean isMissed = !isLost && faults.commandsToMiss > 0;
    long extra = faults.commandsToDelay > 0 ? faults.delay : 0;
    faults.commandsToLose -= isLost ? 1 : 0;
    faults.commandsToMiss -= isMissed ? 1 : 0;
    faults.commandsToDelay -= extra > 0 ? 1 : 0;
    long now = manager.millis();
    long at = now + faults.latency + extra;
    long missedAt = isMissed ? at : Long.MAX_VALUE;
    underWay.add(
        new Sent(
            Map.copyOf(shown),
            now,
            isMissed ? at + faults.missedBy : at,
            missedAt,
            commands,
            answer,
            isLost));
    arrive();
    return answer;
  }

  private static boolean isEffect(Command command) {
    return !(command instanceof Command.Explain) && !(command instanceof Command.Refuse);
  }

  private void mustFollowFromWhatWasShown(Command command) {
    JobId job = command.job();
    if (isTooYoung(job)) {
      manager.breaks("%s was sent while another was on its way".formatted(command));
    }
    if (command instanceof Command.Start && !isStartable(shown.get(job))) {
      manager.breaks("%s was sent, but it is shown as %s".formatted(command, shown.get(job)));
    }
    answered.put(job, Long.MAX_VALUE);
  }

  private static boolean isStartable(@Nullable Shown job) {
    return job != null && job.job().state() instanceof ObservedState.Held;
  }

  /** What a process has sent that is dead arrives soon or never. */
  void orphan() {
    underWay.replaceAll(each -> each.arrivingUntil(manager.millis() + ARRIVES));
  }

  /** Lets arrive what is due. What was sent by a process that was killed arrives too. */
  void arrive() {
    for (Sent each : List.copyOf(underWay)) {
      boolean isDue = each.at() <= manager.millis();
      boolean isKnown = isDue && !each.isLost() && manager.isUp();
      List<Confirmation> confirmations = new ArrayList<>();
      if (isDue) {
        underWay.remove(each);
      }
      if (isKnown) {
        for (Command command : each.commands()) {
          Shown job = Objects.requireNonNull(each.shown().get(command.job()));
          confirmations.add(
              new Confirmation(
                  command, manager.carryOut(command, job.job(), job.identity(), each.sentAt())));
        }
      }
      if (isDue || each.missedAt() <= manager.millis()) {
        answer(each, isKnown ? Optional.of(confirmations) : Optional.empty());
      }
    }
  }

  private void answer(Sent sent, Optional<List<Confirmation>> confirmations) {
    if (!sent.isOpen()) {
      return;
    }
    for (Command command : sent.commands()) {
      if (isEffect(command)) {
        answered.put(command.job(), manager.millis());
      }
    }
    confirmations.ifPresentOrElse(
        sent.answer()::complete,
        () -> sent.answer().completeExceptionally(new IOException("no answer")));
  }

  @Override
  public void onChange(Runnable look) {}

  @Override
  public Set<Feature> features() {
    return EnumSet.of(Feature.GRACE);
  }

  @Override
  public void close() {}
}
