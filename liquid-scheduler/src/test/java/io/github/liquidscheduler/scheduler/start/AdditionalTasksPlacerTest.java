package io.github.liquidscheduler.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A job has the first GPU of a node of four, and its other tasks are placed beside that. */
class AdditionalTasksPlacerTest {

  private final ClusterState cluster =
      ClusterState.of(
          ClusterTopology.builder()
              .node(Node.builder("n0").gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build())
              .build());
  private final JobSpec job =
      JobSpec.builder("mine").gpus(3).parallelism(Parallelism.between(1, 3, 3)).build();
  private final Placement has = Entries.on("mine", "n0", 0);
  private final Placer beside = new AdditionalTasksPlacer(Placers.bestFit(), job, has);

  @Test
  void additionalTasksAreNumberedAfterRunningOnes() {
    JobSpec more = JobSpec.builder("mine").gpus(2).build();
    cluster.apply(JobSpec.builder("mine").gpus(1).build(), has);

    Placement place = beside.place(cluster, more).orElseThrow();

    assertThat(place.tasks()).extracting(task -> task.task().index()).containsExactly(1, 2);
    assertThat(place.tasks()).extracting(TaskPlacement::gpus).doesNotContain(List.of(0));
  }

  @Test
  void additionalTasksAreOnGpusOfTheAllowedModels() {
    JobSpec.Builder more = JobSpec.builder("mine").gpus(2);
    cluster.apply(JobSpec.builder("mine").gpus(1).build(), has);

    assertThat(beside.place(cluster, more.gpuModels(models("A100", "V100")).build())).isPresent();
    assertThat(beside.place(cluster, more.gpuModels(models("A100")).build())).isEmpty();
  }

  private static List<GpuModel> models(String... models) {
    return Stream.of(models).map(GpuModel::of).toList();
  }

  @Test
  void otherJobsAreDelegated() {
    JobSpec one = JobSpec.builder("other").gpus(1).build();
    JobSpec five = JobSpec.builder("other").gpus(5).build();

    assertThat(beside.place(cluster, one)).isEqualTo(Placers.bestFit().place(cluster, one));
    assertThat(beside.unmetConstraints(cluster, five))
        .isNotEmpty()
        .isEqualTo(Placers.bestFit().unmetConstraints(cluster, five));
  }
}
