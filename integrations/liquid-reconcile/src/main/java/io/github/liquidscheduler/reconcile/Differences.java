package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What a pass has found. The events of one turn are in the order in which they are told, whatever
 * the order in which they were found: ends first, so that nothing starts on what the next event
 * takes away. A note comes with the event that follows from it. Not thread-safe.
 */
final class Differences {

  /** What an event is about, in the order in which they are told. */
  enum Kind {
    END,
    NODE,
    ADOPTION,
    UPDATE,
    SUBMISSION
  }

  /** Makes an event of the time at which it is told. */
  interface Told extends Function<Instant, ClusterEvent> {}

  private final Map<Kind, List<Told>> events = new EnumMap<>(Kind.class);
  private final List<Command> commands = new ArrayList<>();
  private final Map<JobId, JobNote> before = new LinkedHashMap<>();
  private final Map<JobId, JobNote> beforeCommands = new LinkedHashMap<>();
  private final Map<JobId, UnaryOperator<JobNote>> told = new HashMap<>();
  private final List<JobId> missing = new ArrayList<>();

  void tell(Kind kind, Told event) {
    events.computeIfAbsent(kind, none -> new ArrayList<>()).add(event);
  }

  void command(Command command) {
    commands.add(command);
  }

  /** Commands to tell a user; that he was told is noted once it is confirmed. */
  void refuse(Command.Refuse refusal, UnaryOperator<JobNote> note) {
    commands.add(refusal);
    told.put(refusal.job(), note);
  }

  /** Keeps a note that has to be durable before the events are told. */
  void note(JobNote note) {
    before.put(note.job(), note);
  }

  /** Changes a note, which has to be durable before the commands are sent. */
  void noteCommand(JobNote note, UnaryOperator<JobNote> change) {
    beforeCommands.put(note.job(), change.apply(beforeCommands.getOrDefault(note.job(), note)));
  }

  void miss(JobId job) {
    missing.add(job);
  }

  List<Told> events() {
    return events.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the events as they are told at a time. */
  List<ClusterEvent> eventsAt(Instant time) {
    return events().stream().map(event -> event.apply(time)).toList();
  }

  List<Command> commands() {
    return commands;
  }

  Collection<JobNote> notes() {
    return before.values();
  }

  Collection<JobNote> commandNotes() {
    return beforeCommands.values();
  }

  /** Returns how notes change once users were told, by job. */
  Map<JobId, UnaryOperator<JobNote>> told() {
    return told;
  }

  /** Returns the jobs that the scheduler has and the manager does not show. */
  List<JobId> missing() {
    return missing;
  }
}
