package io.github.liquidscheduler.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementClassTest {

  private static final ResourceRequest FOUR_GPUS = ResourceRequest.ofGpus(4);
  private static final ResourceRequest HALF =
      ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();

  private static JobSpec.Builder job(String id) {
    return JobSpec.builder(id).role("worker", 2, FOUR_GPUS);
  }

  @Test
  void identityAndOrderDoNotAffectTheClass() {
    PlacementClass one = new PlacementClass(job("a").priority(1).build());
    PlacementClass other = new PlacementClass(job("b").priority(2).build());

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo("a");
  }

  static List<UnaryOperator<JobSpec.Builder>> whatAPlacerLooksAt() {
    return List.of(
        job -> job.queue("research"),
        job -> job.role("chief", 1, FOUR_GPUS),
        job -> job.workload(Workload.builder("resnet50").build()),
        job -> job.parallelism(Parallelism.between(1, 2, 4)),
        job -> job.topology(TopologyConstraint.required("node")),
        job -> job.sharing(new Sharing.Opportunistic()),
        job -> job.nodeLabel("disk", "ssd"),
        job -> job.excludeNodes(List.of("n0")),
        job -> job.preemptible(false));
  }

  @ParameterizedTest
  @MethodSource("whatAPlacerLooksAt")
  void everyPropertyThatAPlacerReadsAffectsTheClass(UnaryOperator<JobSpec.Builder> difference) {
    PlacementClass plain = new PlacementClass(job("a").build());

    assertThat(new PlacementClass(difference.apply(job("a")).build())).isNotEqualTo(plain);
  }

  @Test
  void anExclusiveGangNeedsTheGpusOfAllItsTasks() {
    PlacementClass gang = new PlacementClass(job("a").role("chief", 1, FOUR_GPUS).build());

    assertThat(gang.leastGpus()).isEqualTo(12);
    assertThat(gang.tasks()).hasSize(2);
    assertThat(gang.tasks().getLast().role().name()).isEqualTo("chief");
  }

  @Test
  void elasticSharingAndRelaxedJobsNeedNoWholeGpus() {
    assertThat(leastGpus(job("a").role("half", 1, HALF))).isEqualTo(8);
    assertThat(leastGpus(job("a").sharing(new Sharing.Opportunistic()))).isZero();
    assertThat(leastGpus(job("a").parallelism(Parallelism.between(1, 2, 4)))).isZero();
    assertThat(leastGpus(job("a").synchronization(new Synchronization.RelaxedRounds(1, 9))))
        .isZero();
  }

  @Test
  void sharingJobsHaveACoRunnerKind() {
    JobSpec shares = JobSpec.builder("a").gpus(1).sharing(new Sharing.Opportunistic()).build();

    assertThat(new PlacementClass(shares).sharesAs()).isEqualTo(CoRunnerKind.of(shares));
    assertThat(new PlacementClass(job("a").build()).sharesAs()).isNull();
  }

  private static int leastGpus(JobSpec.Builder job) {
    return new PlacementClass(job.build()).leastGpus();
  }
}
