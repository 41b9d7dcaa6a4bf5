package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.estimator.duration.DurationEstimator;
import io.github.liquidscheduler.estimator.request.RequestEstimator;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;

/** Predicts the requests that the user of a job omits. */
public final class LeaveOutWhatAJobNeeds {

  private LeaveOutWhatAJobNeeds() {}

  /** Prints the predicted requests. */
  public static void main(String[] arguments) {
    System.out.println(fill().roles());
  }

  /** Returns a job of which only the workload was known, with predicted requests. */
  static JobSpec fill() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(
                Node.builder("node-0")
                    .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
                    .cpu(CpuCores.of(96))
                    .memory(Memory.ofGib(1024))
                    .build())
            .build();
    // @start region="estimate"
    try (LearnedResourceEstimator resources = LearnedResourceEstimator.shipped()) {
      RequestEstimator filler = RequestEstimator.of(cluster, resources, new DurationEstimator());
      Workload workload = Workload.builder("ResNet-50").batchSize(64).build();
      JobSpec job = JobSpec.builder("train-7").gpus(1).workload(workload).build();
      return filler.fill(job); // now requests device memory, cores and host memory
    }
    // @end
  }
}
