package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NearestFirstTest {

  private final Session session = Session.of(Policies.bestEffortFifo(), 2, 2);

  /**
   * Four nodes of two GPUs, of which a lab is guaranteed four. Its vision team runs on one GPU each
   * of three nodes, beside guests on all four.
   */
  @Test
  void otherRootsOweTheRestOnceASiblingHasLost() {
    Session four = Session.of(Policies.bestEffortFifo(), 2, 2, 2, 2);
    queues(four, lab(4), part("vision", 0), part("speech", 0), QueueSpec.named("guests"));
    for (int node = 0; node < 4; node++) {
      submit(four, "guests", "g" + node, node);
    }
    for (int node = 0; node < 3; node++) {
      submit(four, "vision", "v" + node, node);
    }

    assertThat(four.submit(aJob("s", 2).queue("speech").excludeNodes(List.of("n3"))))
        .containsExactly("preempt v2", "preempt g2", "start s");
  }

  /**
   * Of two nodes the second has no capacity for the job, since a guest that may stay runs there.
   */
  @Test
  void aSiblingLosesOnOtherNodesIfThatMakesOtherRootsOweTheRest() {
    fill(2);
    session.submit(aJob("g2", 1).queue("guests"));

    assertThat(session.submit(aJob("s", 2).queue("speech")))
        .containsExactly("preempt v1", "preempt v0", "preempt g0", "start s", "start g2");
  }

  /** The same, but that the job may not run on the second. */
  @Test
  void aSiblingLosesOnNodesWhereTheJobCannotRun() {
    fill(2);
    session.submit(aJob("g2", 1).queue("guests"));

    assertThat(session.submit(aJob("s", 2).queue("speech").excludeNodes(List.of("n1"))))
        .containsExactly("preempt v1", "preempt v0", "preempt g0", "start s", "start g2");
  }

  /** The same, but that the lab may hold the job if one of its own leaves. */
  @Test
  void noNeedlessVictimLeavesOtherNodes() {
    fill(3);

    assertThat(session.submit(aJob("s", 2).queue("speech")))
        .containsExactly("preempt v0", "preempt g0", "start s");
  }

  /** Runs guests on both nodes beside the vision team; the one on the second may stay. */
  private void fill(int guaranteedToLab) {
    queues(
        session,
        lab(guaranteedToLab),
        part("vision", 0),
        part("speech", 2),
        guaranteed("guests", 1));
    submit(session, "guests", "g0", 0);
    submit(session, "vision", "v0", 0);
    submit(session, "vision", "v1", 1);
    submit(session, "guests", aJob("g1", 1).preemptible(false), 1);
  }

  private static void queues(Session session, QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues)));
  }

  private static QueueSpec lab(int guaranteed) {
    QueueQuota quota = QueueQuota.guaranteed(guaranteed).withWeight(0);
    return QueueSpec.named("lab").with(QuotaResource.GPUS, quota);
  }

  private static QueueSpec part(String name, int guaranteed) {
    return guaranteed(name, guaranteed).in("lab");
  }

  private static QueueSpec guaranteed(String name, int gpus) {
    return QueueSpec.named(name).withGpus(gpus);
  }

  private static void submit(Session session, String queue, String job, int node) {
    submit(session, queue, aJob(job, 1), node);
  }

  private static void submit(Session session, String queue, JobSpec.Builder job, int node) {
    List<String> others =
        Stream.of("n0", "n1", "n2", "n3").filter(name -> !name.equals("n" + node)).toList();
    assertThat(session.submit(job.queue(queue).excludeNodes(others))).hasSize(1);
  }

  private static JobSpec.Builder aJob(String id, int gpus) {
    return JobSpec.builder(id).role("worker", 1, ResourceRequest.ofGpus(gpus));
  }
}
