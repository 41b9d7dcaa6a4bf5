package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The hypothetical course of events: those that were asked about, then the ends that are expected,
 * each with what the scheduler would decide.
 *
 * @param steps what would happen, in order
 * @param isCutShort whether more was expected to happen than the number that was asked for
 */
public record Forecast(List<Step> steps, boolean isCutShort) {

  /** Copies the list. */
  public Forecast {
    steps = List.copyOf(steps);
  }

  /**
   * An event, and what would be decided.
   *
   * @param decisions the decisions, in order
   */
  public record Step(ClusterEvent event, List<Decision> decisions) {
    /** Checks and copies the parts. */
    public Step {
      Objects.requireNonNull(event, "event");
      decisions = List.copyOf(decisions);
    }
  }

  /** Returns the instant of a job's first start; empty if it would not within this forecast. */
  public Optional<Instant> firstStart(JobId job) {
    return steps.stream()
        .filter(step -> step.decisions().stream().anyMatch(decision -> starts(decision, job)))
        .map(step -> step.event().at())
        .findFirst();
  }

  private static boolean starts(Decision decision, JobId job) {
    return decision instanceof Decision.Start start && start.job().equals(job);
  }
}
