package io.github.liquidscheduler.placement.fragmentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.LiveCluster;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeastFragmentationPlacerTest {
  private final LiveCluster cluster = LiveCluster.of(twoNodesOfTwoGpus());

  private static ClusterTopology twoNodesOfTwoGpus() {
    ClusterTopology.Builder builder = ClusterTopology.builder();
    for (String name : List.of("a", "b")) {
      builder.node(
          Node.builder(name)
              .cpu(CpuCores.of(16))
              .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
              .build());
    }
    return builder.build();
  }

  @Test
  void aShareGoesWhereItFillsUpWhatOthersCouldNotUse() {
    run("half-1", share(500), "a", 0);
    run("most", share(700), "b", 0);

    assertThat(placed("half-2", share(500))).isEqualTo("a[0]");
    assertThat(placed("rest", share(300))).isEqualTo("b[0]");
  }

  @Test
  void aTaskWithoutGpusLeavesCpuWhereGpusAreFree() {
    run("whole", wholes(2, 2), "a", 0, 1);
    ResourceRequest noGpu = wholes(0, 14);

    assertThat(placed("whole-2", wholes(2, 2))).startsWith("b");
    assertThat(placed("preprocess", noGpu)).isEqualTo("a[]");
  }

  private void run(String job, ResourceRequest request, String node, Integer... gpus) {
    TaskPlacement task =
        new TaskPlacement(new TaskId("worker", 0), NodeId.of(node), List.of(gpus), request);
    cluster.start(job(job, request), new Placement(JobId.of(job), List.of(task)));
  }

  private String placed(String job, ResourceRequest request) {
    Placement placement =
        Placers.leastFragmentation().place(cluster.view(), job(job, request)).orElseThrow();
    TaskPlacement task = placement.tasks().getFirst();
    return task.node() + task.gpus().toString().replace(" ", "");
  }

  private static JobSpec job(String name, ResourceRequest request) {
    return JobSpec.builder(name).role("worker", 1, request).build();
  }

  private static ResourceRequest share(int thousandths) {
    return ResourceRequest.builder().share(GpuShare.ofThousandths(thousandths)).build();
  }

  private static ResourceRequest wholes(int gpus, long cpu) {
    return ResourceRequest.builder().gpus(gpus).cpu(CpuCores.of(cpu)).build();
  }
}
