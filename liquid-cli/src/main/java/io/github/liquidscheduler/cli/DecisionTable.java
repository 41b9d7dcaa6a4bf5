package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.PlacementText;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The decisions about each job of a file, one row a job, then about other jobs. */
final class DecisionTable {

  private static final String WAITS = "waits";

  private final Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
  private final Map<JobId, String> outcomes = new LinkedHashMap<>();
  private final List<Decision.Reject> rejections = new ArrayList<>();

  /** Adds a job, and what was decided when it was submitted. */
  void add(JobSpec submitted, List<Decision> decisions) {
    jobs.put(submitted.id(), submitted);
    outcomes.put(submitted.id(), WAITS);
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Start start ->
            outcomes.put(start.job(), "starts on " + PlacementText.of(start.placement()));
        case Decision.Migrate migrate ->
            outcomes.put(migrate.job(), "starts on " + PlacementText.of(migrate.placement()));
        case Decision.Resize resize ->
            outcomes.put(resize.job(), "starts on " + PlacementText.of(resize.placement()));
        case Decision.Preempt preempt ->
            outcomes.put(preempt.job(), jobs.containsKey(preempt.job()) ? WAITS : "is pre-empted");
        case Decision.Reject reject -> {
          outcomes.put(reject.job(), "can never run");
          rejections.add(reject);
        }
        case Decision.Profile profile -> {
          // It stays where it is.
        }
        case Decision.Prefetch prefetch -> {
          // Its job waits.
        }
        case Decision.CancelPrefetch cancel -> {
          // No job changes.
        }
        case Decision.RequestPlan request -> {
          // No plan is made; the jobs wait.
        }
      }
    }
  }

  /** Returns the jobs that can never run, and why. */
  List<Decision.Reject> rejections() {
    return rejections;
  }

  void print(PrintWriter out) {
    Table table = Table.of("job | GPUs | decision").endingInText();
    jobs.forEach(
        (id, job) ->
            table.row(
                List.of(
                    id.value(), Integer.toString(job.gpus()), outcomes.getOrDefault(id, WAITS))));
    outcomes.forEach(
        (id, outcome) -> {
          if (!jobs.containsKey(id)) {
            table.row(List.of(id.value(), "", outcome));
          }
        });
    table.print(out);
  }
}
