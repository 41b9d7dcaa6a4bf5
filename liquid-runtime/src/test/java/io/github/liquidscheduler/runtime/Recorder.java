package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.util.ArrayList;
import java.util.List;

/** A journal, a handler and a listener that remember what they hear, in one order. */
final class Recorder implements EventJournal, DecisionHandler, SchedulerListener {

  record Entry(ClusterEvent event, List<Decision> decisions) {}

  final List<String> heard = new ArrayList<>();
  final List<Entry> journal = new ArrayList<>();
  final List<Decision> handled = new ArrayList<>();
  final List<TurnTimes> times = new ArrayList<>();
  final List<RuntimeException> handlerFailures = new ArrayList<>();
  int superseded;

  @Override
  public void append(ClusterEvent event, List<Decision> decisions) {
    heard.add("append " + event.getClass().getSimpleName());
    journal.add(new Entry(event, decisions));
  }

  @Override
  public void commit() {
    heard.add("commit");
  }

  @Override
  public void handle(Decision decision) {
    heard.add("handle " + decision.getClass().getSimpleName());
    handled.add(decision);
  }

  @Override
  public void decided(
      ClusterEvent event, List<Decision> decisions, TurnTimes turn, Scheduler scheduler) {
    heard.add("decided " + event.getClass().getSimpleName());
    times.add(turn);
  }

  @Override
  public void refused(ClusterEvent event, RuntimeException why) {
    heard.add("refused " + event.getClass().getSimpleName());
  }

  @Override
  public void superseded(int events) {
    superseded += events;
  }

  @Override
  public void handlerFailed(Decision decision, RuntimeException failure) {
    handlerFailures.add(failure);
  }

  List<ClusterEvent> events() {
    return journal.stream().map(Entry::event).toList();
  }
}
