package io.github.liquidscheduler.scheduler.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster of two GPU models, and quotas that admit some placements only. */
class QuotaPlacerTest {

  private static final JobSpec JOB = JobSpec.builder("mine").gpus(1).build();

  private final ClusterState cluster =
      ClusterState.of(
          ClusterTopology.builder()
              .node(Node.builder("k").gpus(1, GpuModel.of("K80"), Memory.ofGib(12)).build())
              .node(Node.builder("v").gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build())
              .build());

  /** Places every job on node k, whatever its models, and keeps the questions. */
  private record AlwaysOnK80(List<JobSpec> asked) implements Placer {

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      asked.add(job);
      return Optional.of(Entries.on("mine", "k", 0));
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  @Test
  void aModelThatTheQuotasForbidIsReplacedByAnother() {
    Placer notOnK80 = within(Placers.bestFit(), "v");
    Placer notOnV100 = within(Placers.bestFit(), "k");

    assertThat(notOnK80.place(cluster, JOB)).contains(Entries.on("mine", "v", 0));
    assertThat(notOnV100.place(cluster, JOB)).contains(Entries.on("mine", "k", 0));
  }

  @Test
  void aPlacerThatAnswersWithAnExcludedModelIsNotAskedAgain() {
    AlwaysOnK80 disobedient = new AlwaysOnK80(new ArrayList<>());

    assertThat(within(disobedient, "v").place(cluster, JOB)).isEmpty();
    assertThat(disobedient.asked())
        .extracting(JobSpec::gpuModels)
        .containsExactly(List.of(), List.of(GpuModel.of("V100")));
  }

  /** Returns a placer under quotas that admit placements on one node only. */
  private static Placer within(Placer placer, String node) {
    return new QuotaPlacer(
        placer,
        Entries.running("mine", Entries.on("mine", "k", 0)),
        placement -> placement.nodes().stream().allMatch(used -> used.value().equals(node)),
        true,
        true);
  }
}
