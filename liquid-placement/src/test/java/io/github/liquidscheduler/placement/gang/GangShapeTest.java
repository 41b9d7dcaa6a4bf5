package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs on a cluster with V100s of 16 GiB, A100s of 80 and 40 GiB and a node without GPUs. */
class GangShapeTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");
  private static final TopologyConstraint SLICES = TopologyConstraint.NONE.andSlices(2, "node");
  private static final TopologyConstraint SPREAD = TopologyConstraint.NONE.andSpread(2, "node");

  private final CapacityIndex index =
      ClusterState.of(
              ClusterTopology.builder()
                  .node(Node.builder("v").gpus(4, V100, Memory.ofGib(16)).build())
                  .node(Node.builder("large").gpus(4, A100, Memory.ofGib(80)).build())
                  .node(Node.builder("small").gpus(4, A100, Memory.ofGib(40)).build())
                  .node(Node.builder("cpu").label("kind", "cpu").build())
                  .build())
          .index();

  @ParameterizedTest
  @CsvSource({"1,2,s w w", "3,2,s w s w s", "2,2,s w s w", "2,5,s w w w s w w", "3,1,s w s s"})
  void serversAndWorkersStandInTurn(int servers, int workers, String turns) {
    assertThat(
            shape(serversAndWorkers(servers, 1, workers, 1)).interleaved().stream()
                .map(task -> task.role().name().substring(0, 1))
                .collect(Collectors.joining(" ")))
        .isEqualTo(turns);
  }

  @Test
  void onlyJobsWithServersHaveTurns() {
    GangShape gang = shape(job().gpus(2));

    assertThat(gang.isInterleaved()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(gang::interleaved)
        .withMessage("job 'job' has no parameter servers");
  }

  @Test
  void serversAndWorkersAreInterleavedIfAllTakeWholeGpus() {
    assertThat(shape(serversAndWorkers(1, 1, 2, 1)).isInterleaved()).isTrue();
    assertThat(shape(serversAndWorkers(1, 0, 2, 1)).isInterleaved()).isFalse();
    assertThat(shape(serversAndWorkers(1, 1, 2, 1).topology(SLICES)).isInterleaved()).isFalse();
    assertThat(
            shape(serversAndWorkers(1, 1, 2, 1).role("chief", 1, request(1, 0, 0))).isInterleaved())
        .isFalse();
  }

  @Test
  void fourTasksWithServersMayStandApart() {
    assertThat(shape(serversAndWorkers(1, 1, 3, 1)).mayStandApart()).isTrue();
    assertThat(shape(serversAndWorkers(1, 1, 2, 1)).mayStandApart()).isFalse();
    assertThat(shape(job().gpus(8)).mayStandApart()).isFalse();
  }

  @Test
  void theTasksOfAllRolesAreAddedUp() {
    GangShape gang =
        shape(
            job()
                .role("worker", 3, request(2, 4, 8))
                .role("small", 2, share(300))
                .role("server", 2, request(0, 1, 16)));

    assertThat(gang.wholeGpus()).isEqualTo(6);
    assertThat(gang.cpu()).isEqualTo(14_000);
    assertThat(gang.memory()).isEqualTo(Memory.ofGib(56).bytes());
  }

  @Test
  void theHardestRolesComeFirst() {
    GangShape gang =
        shape(
            job()
                .role("cores", 1, request(0, 9, 0))
                .role("part", 1, share(300))
                .role("fewer", 1, request(1, 1, 0))
                .role("one", 1, request(1, 2, 0))
                .role("two", 1, request(2, 0, 0)));

    assertThat(gang.tasks())
        .extracting(task -> task.role().name())
        .containsExactly("two", "one", "fewer", "part", "cores");
  }

  @ParameterizedTest
  @CsvSource({"3", "12"})
  void rolesAreFoundByTheirPositionInTheJob(int roles) {
    JobSpec.Builder job = job();
    IntStream.range(0, roles).forEach(i -> job.role("role" + i, 1, request(0, 1 + i, 0)));
    GangShape gang = shape(job);

    assertThat(gang.tasks().getFirst().role().name()).isEqualTo("role" + (roles - 1));
    assertThat(gang.tasks()).extracting(gang::roleOf).doesNotHaveDuplicates().contains(0);
    assertThat(Arrays.stream(gang.byRole()).map(TaskShape::cpu))
        .containsExactlyElementsOf(
            IntStream.range(0, roles).mapToObj(i -> 1000L + 1000L * i).toList());
  }

  @Test
  void rolesAreMixedIfTheyDifferOrAreCountedInDomains() {
    assertThat(shape(equalRoles()).hasMixedRoles()).isFalse();
    assertThat(shape(equalRoles().topology(SLICES)).hasMixedRoles()).isTrue();
    assertThat(shape(equalRoles().topology(SPREAD)).hasMixedRoles()).isTrue();
    assertThat(shape(equalRoles().role("c", 1, request(1, 2, 0))).hasMixedRoles()).isTrue();
    assertThat(shape(job().gpus(2).topology(SPREAD)).hasMixedRoles()).isFalse();
  }

  @Test
  void rolesDifferInAnythingThatTheyRequest() {
    ResourceRequest.Builder one = ResourceRequest.builder().gpus(1);
    GpuShare half = GpuShare.ofPercent(50);

    assertThat(isMixed(one, ResourceRequest.builder().gpus(1))).isFalse();
    assertThat(isMixed(one, ResourceRequest.builder().gpus(2))).isTrue();
    assertThat(isMixed(one, ResourceRequest.builder().share(half))).isTrue();
    assertThat(isMixed(one, ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(1)))).isTrue();
    assertThat(isMixed(one, ResourceRequest.builder().gpus(1).cpu(CpuCores.of(1)))).isTrue();
    assertThat(isMixed(one, ResourceRequest.builder().gpus(1).memory(Memory.ofGib(1)))).isTrue();
  }

  private boolean isMixed(ResourceRequest.Builder first, ResourceRequest.Builder second) {
    return shape(job().role("a", 1, first.build()).role("b", 1, second.build())).hasMixedRoles();
  }

  @Test
  void aSingleTaskOnPartOfAGpuIsOneShare() {
    assertThat(shape(job().role("a", 1, share(300))).isOneShare()).isTrue();
    assertThat(shape(job().role("a", 2, share(300))).isOneShare()).isFalse();
    assertThat(shape(job().role("a", 1, request(1, 0, 0))).isOneShare()).isFalse();
    assertThat(shape(job().role("a", 1, share(300)).role("b", 1, share(300))).isOneShare())
        .isFalse();
  }

  @Test
  void tasksMayMoveUnlessTheyShareGpusOrAreCountedInDomains() {
    assertThat(shape(equalRoles()).mayMoveTasks()).isTrue();
    assertThat(shape(equalRoles().role("c", 1, share(300))).mayMoveTasks()).isFalse();
    assertThat(shape(equalRoles().topology(SLICES)).mayMoveTasks()).isFalse();
    assertThat(shape(equalRoles().topology(SPREAD)).mayMoveTasks()).isFalse();
  }

  @Test
  void modelsAreTriedAsPreferredAndSmallGpusBeforeLargeOnes() {
    assertThat(choices(job().gpus(1).gpuModels(List.of(A100, V100))))
        .containsExactly("A100 40 GiB", "A100 80 GiB", "A100 80 GiB + A100 40 GiB", "V100 16 GiB");
  }

  @Test
  void aJobThatNamesNoModelMayMixAllOfThem() {
    assertThat(choices(job().gpus(1)))
        .containsExactly(
            "V100 16 GiB", "A100 40 GiB", "A100 80 GiB", "V100 16 GiB + A100 80 GiB + A100 40 GiB");
  }

  @Test
  void aJobWithoutGpusMayUseAllNodes() {
    GangShape gang = shape(job().role("a", 1, request(0, 1, 0)));

    assertThat(gang.choices(index.pools())).containsExactly(index.pools());
  }

  @Test
  void theNextSlotIsThatOfTheNextNodeAllowed() {
    GpuPool a100 = index.pools().get(1);
    GpuPool withoutGpus =
        index.pools().stream().filter(pool -> pool.model().isEmpty()).findFirst().orElseThrow();
    GangShape labelled = shape(job().gpus(1).nodeLabel("kind", "cpu"));
    GangShape anywhere = shape(job().gpus(1));

    assertThat(labelled.firstAllowed(a100, 0)).isEqualTo(a100.size());
    assertThat(labelled.firstAllowed(withoutGpus, 0)).isZero();
    assertThat(labelled.firstAllowed(withoutGpus, 1)).isEqualTo(1);
    assertThat(anywhere.firstAllowed(a100, 0)).isZero();
    assertThat(labelled.allowsAllNodes()).isFalse();
    assertThat(labelled.allowsAnyNode()).isTrue();
    assertThat(anywhere.allowsAllNodes()).isTrue();
    assertThat(shape(job().gpus(1).nodeLabel("kind", "none")).allowsAnyNode()).isFalse();
  }

  private List<String> choices(JobSpec.Builder job) {
    return shape(job).choices(index.pools()).stream()
        .map(pools -> pools.stream().map(GangShapeTest::name).collect(Collectors.joining(" + ")))
        .toList();
  }

  private static String name(GpuPool pool) {
    return pool.model().map(GpuModel::name).orElse("none") + " " + pool.memory();
  }

  private GangShape shape(JobSpec.Builder job) {
    return new GangShape(job.build(), index);
  }

  private static JobSpec.Builder job() {
    return JobSpec.builder("job");
  }

  private static JobSpec.Builder equalRoles() {
    return job().role("a", 2, request(1, 1, 0)).role("b", 3, request(1, 1, 0));
  }

  private static JobSpec.Builder serversAndWorkers(
      int servers, int gpusOfServer, int workers, int gpusOfWorker) {
    return job()
        .role("worker", workers, request(gpusOfWorker, 1, 0))
        .role("server", servers, request(gpusOfServer, 1, 0))
        .communication(new Communication.ParameterServer("server", "worker", 1_000_000));
  }

  private static ResourceRequest request(int gpus, int cores, int gib) {
    return ResourceRequest.builder()
        .gpus(gpus)
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(gib))
        .build();
  }

  private static ResourceRequest share(int thousandths) {
    return ResourceRequest.builder().share(new GpuShare(thousandths)).build();
  }
}
