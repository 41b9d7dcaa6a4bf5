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

/** The way to a {@link FakeManager}, which may be slow, fail, and lose what is sent. */
final class FakePort implements ClusterPort {

  /** What goes wrong on the way. */
  static final class Faults {
    /** How long an answer takes, in milliseconds. */
    long latency;

    int observationsToFail;
    int commandsToLose;
    int commandsToDelay;
  }

  /** A job as it was shown, and which of those with its id it is. */
  private record Shown(ObservedJob job, long identity) {}

  private record Sent(
      Map<JobId, Shown> shown,
      long at,
      List<Command> commands,
      CompletableFuture<List<Confirmation>> answer,
      boolean isLost) {}

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
    boolean isLost = faults.commandsToLose > 0;
    long extra = faults.commandsToDelay > 0 ? 3000 : 0;
    faults.commandsToLose -= isLost ? 1 : 0;
    faults.commandsToDelay -= extra > 0 ? 1 : 0;
    underWay.add(
        new Sent(
            Map.copyOf(shown),
            manager.millis() + faults.latency + extra,
            commands,
            answer,
            isLost));
    arrive();
    return answer;
  }

  /** Lets arrive what is due. What was sent by a process that was killed arrives too. */
  void arrive() {
    for (Sent each : List.copyOf(underWay)) {
      if (each.at() <= manager.millis()) {
        underWay.remove(each);
        if (each.isLost() || !manager.isUp()) {
          each.answer().completeExceptionally(new IOException("no answer"));
        } else {
          List<Confirmation> confirmations = new ArrayList<>();
          for (Command command : each.commands()) {
            Shown job = Objects.requireNonNull(each.shown().get(command.job()));
            confirmations.add(
                new Confirmation(command, manager.carryOut(command, job.job(), job.identity())));
          }
          each.answer().complete(confirmations);
        }
      }
    }
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
