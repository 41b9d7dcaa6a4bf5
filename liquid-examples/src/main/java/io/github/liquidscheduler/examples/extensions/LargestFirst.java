package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.LiveCluster;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A batch planner: the job with the most GPUs is placed first, each by best fit. */
public final class LargestFirst implements BatchPlanner {

  @Override
  public BatchPlan plan(PlanRequest request) {
    LiveCluster cluster = LiveCluster.copyOf(request.view());
    List<Placement> starts = new ArrayList<>();
    List<JobId> postponed = new ArrayList<>();
    request.pending().stream()
        .sorted(Comparator.comparingInt(JobSpec::gpus).reversed())
        .forEach(
            job ->
                Placers.bestFit()
                    .place(cluster.view(), job)
                    .ifPresentOrElse(
                        placement -> {
                          cluster.start(job, placement);
                          starts.add(placement);
                        },
                        () -> postponed.add(job.id())));
    PlanCertificate nothingProved = new PlanCertificate(0, 0, 0, 0, List.of());
    return new BatchPlan(request.number(), starts, List.of(), postponed, nothingProved);
  }
}
