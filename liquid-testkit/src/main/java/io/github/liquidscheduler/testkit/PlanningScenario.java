package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A small cluster that is partly busy, and jobs to place there, one of them its own. Every second
 * of those that run may move, unless it shares GPUs or a node of it is not up.
 */
record PlanningScenario(PlacementScenario place, List<JobDraft> others) {

  PlanningScenario {
    others = List.copyOf(others);
  }

  static Arbitrary<PlanningScenario> any() {
    return Combinators.combine(PlacementScenario.any(), JobDraft.any().list().ofMaxSize(7))
        .as(PlanningScenario::new)
        .withoutEdgeCases();
  }

  /** Returns the request, to be answered after few steps. */
  PlanRequest request() {
    PlainCluster cluster = place.cluster();
    PlanRequest.Builder request =
        PlanRequest.builder(cluster)
            .number(3)
            .pending(place.job())
            .options(PlanOptions.builder().steps(400).boundRounds(50).build());
    for (int i = 0; i < others.size(); i++) {
      request.pending(others.get(i).named("job-" + i));
    }
    List<JobId> running = cluster.runningJobs();
    for (int i = 0; i < running.size(); i++) {
      JobSpec job = cluster.job(running.get(i)).orElseThrow();
      if (i % 2 == 0) {
        request.movable(job, 0.001 * i);
      } else {
        request.running(job);
      }
    }
    return request.build();
  }
}
