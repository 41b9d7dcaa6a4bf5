package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterOverlayTest {

  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");
  private static final JobId C = JobId.of("c");

  private final ClusterState cluster =
      ClusterState.of(ClusterTopology.builder().node(node("n0")).node(node("n1")).build());
  private final ClusterOverlay overlay = new ClusterOverlay(cluster);

  @Test
  void aTentativeJobHoldsWhatItWouldAndTheClusterDoesNotChange() {
    add("a", "n0", 0);

    assertThat(overlay.jobs()).containsExactly(A);
    assertThat(overlay.placement(A)).contains(on("a", "n0", 0));
    assertThat(overlay.placement(B)).isEmpty();
    assertThat(overlay.state().freeGpus()).isEqualTo(3);
    assertThat(cluster.freeGpus()).isEqualTo(4);
  }

  @Test
  void ofTentativePlacementsThatContradictEachOtherTheFirstCounts() {
    add("a", "n0", 0);
    add("b", "n0", 0);

    assertThat(overlay.jobs()).containsExactly(A, B);
    assertThat(overlay.state().runningJobs()).containsExactly(A);
  }

  @Test
  void theLaterCountsOnceTheFirstIsWithdrawn() {
    add("a", "n0", 0);
    add("b", "n0", 0);
    assertThat(overlay.state().runningJobs()).containsExactly(A);

    overlay.withdraw(A);

    assertThat(overlay.state().runningJobs()).containsExactly(B);
  }

  @Test
  void aTentativeJobCountsOnceAJobInItsWayHasStopped() {
    start("c", "n0", 0);
    add("a", "n0", 0);
    assertThat(overlay.state().runningJobs()).containsExactly(C);

    cluster.release(C);
    overlay.stopped(C);

    assertThat(overlay.state().runningJobs()).containsExactly(A);
  }

  @Test
  void whatIsWithdrawnHoldsNothing() {
    add("a", "n0", 0);
    assertThat(overlay.state().freeGpus()).isEqualTo(3);

    overlay.withdraw(A);
    overlay.withdraw(B);

    assertThat(overlay.jobs()).isEmpty();
    assertThat(overlay.state().freeGpus()).isEqualTo(4);
  }

  @Test
  void aJobThatStartsWhereItWouldIsNoLongerTentative() {
    add("a", "n0", 0);
    assertThat(overlay.state().runningJobs()).containsExactly(A);

    start("a", "n0", 0);

    assertThat(overlay.jobs()).isEmpty();
    assertThat(overlay.state().placement(A)).contains(on("a", "n0", 0));
  }

  @Test
  void aJobThatStartsDisplacesTheTentativeOnesInItsWayAlone() {
    add("a", "n0", 0);
    add("b", "n0", 1);
    assertThat(overlay.state().runningJobs()).containsExactly(A, B);

    start("c", "n0", 0);

    assertThat(overlay.state().runningJobs()).containsExactlyInAnyOrder(B, C);
    assertThat(overlay.jobs()).containsExactly(A, B);
  }

  @Test
  void aJobThatStartsBesideTentativeOnesLeavesThemAlone() {
    add("a", "n0", 0);
    add("b", "n0", 0);
    assertThat(overlay.state().runningJobs()).containsExactly(A);

    start("c", "n0", 1);

    assertThat(overlay.state().runningJobs()).containsExactly(A, C);
    assertThat(overlay.state().freeGpus()).isEqualTo(2);
  }

  @Test
  void aJobThatStopsFreesWhatItHeld() {
    start("c", "n0", 0);
    assertThat(overlay.state().freeGpus()).isEqualTo(3);

    cluster.release(C);
    overlay.stopped(C);

    assertThat(overlay.state().freeGpus()).isEqualTo(4);
  }

  @Test
  void whatStartsAndStopsBeforeAnybodyAsksIsSeenToo() {
    start("a", "n0", 0);
    start("c", "n0", 1);
    cluster.release(C);
    overlay.stopped(C);

    assertThat(overlay.state().runningJobs()).containsExactly(A);
  }

  @Test
  void whatAJobGivesUpOnADrainingNodeIsFreeForNobodyAndItStays() {
    cluster.apply(pair(), onBoth("n0", "n1"));
    cluster.setHealth(NodeId.of("n0"), NodeHealth.DRAINING);
    add("b", "n1", 1);
    assertThat(overlay.state().runningJobs()).containsExactly(C, B);

    Placement kept = new Placement(C, onBoth("n0", "n1").tasks().subList(0, 1));
    cluster.resize(pair(), kept);
    overlay.resized(pair(), kept);

    assertThat(overlay.state().placement(C)).contains(kept);
    assertThat(overlay.state().runningJobs()).containsExactlyInAnyOrder(B, C);
    assertThat(overlay.state().freeGpus()).isEqualTo(1);
  }

  @Test
  void aJobThatGetsLargerDisplacesTheTentativeOnesInItsWayAlone() {
    Placement small = new Placement(C, onBoth("n0", "n1").tasks().subList(0, 1));
    cluster.apply(pair().atSize(1), small);
    add("a", "n1", 0);
    add("b", "n1", 1);
    assertThat(overlay.state().runningJobs()).containsExactly(C, A, B);

    cluster.resize(pair(), onBoth("n0", "n1"));
    overlay.resized(pair(), onBoth("n0", "n1"));

    assertThat(overlay.state().runningJobs()).containsExactlyInAnyOrder(B, C);
    assertThat(overlay.jobs()).containsExactly(A, B);
  }

  @Test
  void aJobThatShrinksLetsATentativeOneFit() {
    cluster.apply(pair(), onBoth("n0", "n1"));
    add("a", "n1", 0);
    assertThat(overlay.state().runningJobs()).containsExactly(C);
    Placement small = new Placement(C, onBoth("n0", "n1").tasks().subList(0, 1));

    cluster.resize(pair(), small);
    overlay.resized(pair(), small);

    assertThat(overlay.state().runningJobs()).containsExactlyInAnyOrder(C, A);
  }

  @Test
  void afterAllIsForgottenTheClusterIsSeenAsItIs() {
    add("a", "n0", 0);
    assertThat(overlay.state().freeGpus()).isEqualTo(3);

    overlay.clear();

    assertThat(overlay.jobs()).isEmpty();
    assertThat(overlay.state().freeGpus()).isEqualTo(4);
  }

  private void add(String job, String node, Integer... gpus) {
    overlay.add(spec(job, gpus.length), on(job, node, gpus));
  }

  /** Starts a job on the cluster itself, and tells the overlay. */
  private void start(String job, String node, Integer... gpus) {
    cluster.apply(spec(job, gpus.length), on(job, node, gpus));
    overlay.started(spec(job, gpus.length), on(job, node, gpus));
  }

  /** Returns job c, which has one task of one GPU or two. */
  private static JobSpec pair() {
    return JobSpec.builder("c").gpus(2).parallelism(Parallelism.between(1, 2, 2)).build();
  }

  private static Placement onBoth(String first, String second) {
    return new Placement(C, List.of(task(0, first), task(1, second)));
  }

  private static TaskPlacement task(int number, String node) {
    return new TaskPlacement(
        new TaskId("worker", number), NodeId.of(node), List.of(0), ResourceRequest.ofGpus(1));
  }

  private static JobSpec spec(String job, int gpus) {
    return JobSpec.builder(job).role("worker", 1, ResourceRequest.ofGpus(gpus)).build();
  }

  private static Placement on(String job, String node, Integer... gpus) {
    return new Placement(
        JobId.of(job),
        List.of(
            new TaskPlacement(
                new TaskId("worker", 0),
                NodeId.of(node),
                List.of(gpus),
                ResourceRequest.ofGpus(gpus.length))));
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
