package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Records the journals of {@link RecordedDecisionsTest} anew, over the old ones. That is for the
 * day on which decisions are to change, and never to make a test pass. It runs only on purpose:
 *
 * <pre>{@code
 * mvn -pl liquid-simulator -am test -Dtest=RecordedJournals \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dliquid.record=true
 * }</pre>
 */
class RecordedJournals {

  private static final PlanOptions SEARCH =
      PlanOptions.builder().steps(2000).boundRounds(0).build();

  /** A journal, what was decided, and how often what. */
  record Recorded(JournalFile journal, List<String> decisions, Map<String, Integer> counts) {

    /** Returns the counts in the order of their names. */
    String countsText() {
      return counts.entrySet().stream()
          .map(count -> count.getKey() + ":" + count.getValue())
          .collect(Collectors.joining(" "));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "liquid.record", matches = "true")
  void record() {
    Map<String, String> digests = new TreeMap<>();
    Map<String, String> counts = new TreeMap<>();
    for (Recording recording : Recording.values()) {
      Recorded recorded = record(recording);
      recorded.journal().write(recording);
      JournalFile.writeLines(recording.id() + ".decisions.gz", recorded.decisions());
      digests.put(recording.id(), DecisionText.digest(recorded.decisions()));
      counts.put(recording.id(), recorded.countsText());
    }
    JournalFile.writeTable("digests.properties", digests);
    JournalFile.writeTable("counts.properties", counts);
  }

  /** Draws a journal, deciding on the way. */
  static Recorded record(Recording recording) {
    Script script = Script.of(recording);
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      LiquidScheduler scheduler = recording.scheduler(script.cluster(), predictor);
      BatchPlanner planner = script.planner().apply(predictor);
      DecisionText text = new DecisionText(scheduler);
      long seed = recording.id().hashCode();
      Happenings happenings =
          new Happenings(scheduler, new Random(seed), script.kinds(), script.jobs(seed));
      List<ClusterEvent> events = new ArrayList<>();
      for (int i = 0; i < script.events(); i++) {
        ClusterEvent event = happenings.next();
        events.add(event);
        for (Decision decision : text.on(event)) {
          if (decision instanceof Decision.RequestPlan request) {
            happenings.await(planner.plan(withoutRunningJobs(request.request())));
          }
        }
      }
      return new Recorded(new JournalFile(script.cluster(), events), text.lines(), text.counts());
    }
  }

  /**
   * Returns the question as it was when the plans were recorded: of running jobs it said nothing.
   */
  private static PlanRequest withoutRunningJobs(PlanRequest request) {
    return PlanRequest.builder(request.view())
        .number(request.number())
        .pending(request.pending())
        .deferrable(request.deferrable())
        .options(SEARCH)
        .build();
  }
}
