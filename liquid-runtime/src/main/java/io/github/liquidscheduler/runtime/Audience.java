package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The decision handler and the listeners. What they throw reaches neither the loop nor others. */
final class Audience {
  private static final Logger LOG = LoggerFactory.getLogger(Audience.class);
  private final DecisionHandler handler;
  private final List<SchedulerListener> listeners;
  private final FailureReport failures;

  Audience(DecisionHandler handler, List<SchedulerListener> listeners, FailureReport failures) {
    this.handler = handler;
    this.listeners = List.copyOf(listeners);
    this.failures = failures;
  }

  void handle(Decision decision) {
    try {
      handler.handle(decision);
    } catch (RuntimeException failure) {
      String kind = decision.getClass().getSimpleName();
      LOG.warn(
          "A {} decision failed, but counts as carried out until an event corrects it",
          kind,
          failure);
      report(failure);
      tellAll(listener -> listener.handlerFailed(decision, failure));
    }
  }

  void decided(ClusterEvent event, List<Decision> decisions, TurnTimes times, Scheduler scheduler) {
    tellAll(listener -> listener.decided(event, decisions, times, scheduler));
  }

  void refused(ClusterEvent event, RuntimeException why) {
    tellAll(listener -> listener.refused(event, why));
  }

  void superseded(int events) {
    if (events > 0) {
      tellAll(listener -> listener.superseded(events));
    }
  }

  private void tellAll(Consumer<SchedulerListener> news) {
    for (SchedulerListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException failure) {
        report(failure);
      }
    }
  }

  void report(Throwable failure) {
    failures.accept(failure);
  }
}
