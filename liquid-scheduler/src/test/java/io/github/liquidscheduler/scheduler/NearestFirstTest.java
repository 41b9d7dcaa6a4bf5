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
import org.junit.jupiter.api.Test;

/**
 * Four nodes of two GPUs, of which a lab is guaranteed four. Its vision team runs on one GPU each
 * of three nodes, beside guests who are on all four.
 */
class NearestFirstTest {

  private final Session session = Session.of(Policies.bestEffortFifo(), 2, 2, 2, 2);

  @Test
  void guestsOweALabTheRestOnceItsOwnPartHasLeft() {
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                QueueSpec.named("lab")
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withWeight(0)),
                QueueSpec.named("vision").in("lab"),
                QueueSpec.named("speech").in("lab"),
                QueueSpec.named("guests"))));
    for (int node = 0; node < 4; node++) {
      submit("guests", "g" + node, node);
    }
    for (int node = 0; node < 3; node++) {
      submit("vision", "v" + node, node);
    }

    assertThat(session.submit(aJob("s", 2).queue("speech").excludeNodes(List.of("n3"))))
        .containsExactly("preempt v2", "preempt g2", "start s");
  }

  private void submit(String queue, String job, int node) {
    List<String> others =
        List.of("n0", "n1", "n2", "n3").stream().filter(name -> !name.equals("n" + node)).toList();
    assertThat(session.submit(aJob(job, 1).queue(queue).excludeNodes(others)))
        .containsExactly("start " + job);
  }

  private static JobSpec.Builder aJob(String id, int gpus) {
    return JobSpec.builder(id).role("worker", 1, ResourceRequest.ofGpus(gpus));
  }
}
