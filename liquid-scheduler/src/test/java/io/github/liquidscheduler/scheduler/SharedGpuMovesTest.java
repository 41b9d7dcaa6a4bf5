package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import java.util.List;
import org.assertj.core.data.Index;
import org.junit.jupiter.api.Test;

/** Jobs move for others where they share GPUs. */
class SharedGpuMovesTest {

  private final Session session =
      new Session(
          LiquidScheduler.builder(Session.cluster(1, 1))
              .policy(Policies.bestEffortFifo())
              .preemption(PreemptionRules.NONE.moving(2))
              .colocation(Colocation.builder(new AnyCoRunner()).build())
              .build());

  @Test
  void aJobMovesBesideAnotherForOneThatNeedsAWholeGpu() {
    session.submit(sharing("first"));
    session.submit(sharing("second"));
    assertThat(session.nodesOf("second")).isNotEqualTo(session.nodesOf("first"));

    assertThat(session.at(5).submit(aJob("whole", 1)))
        .hasSize(2)
        .contains("start whole", Index.atIndex(1));
    assertThat(session.nodesOf("second")).isEqualTo(session.nodesOf("first"));
  }

  @Test
  void aJobThatSharesItsGpuMayBeTheOneForWhichAnotherMoves() {
    session.submit(aJob("whole", 1));
    String at = session.nodesOf("whole").getFirst();

    assertThat(session.at(5).submit(sharing("small").excludeNodes(other(at))))
        .containsExactly("migrate whole", "start small");
    assertThat(session.nodesOf("small")).containsExactly(at);
  }

  private static List<String> other(String node) {
    return List.of(node.equals("n0") ? "n1" : "n0");
  }

  private static JobSpec.Builder sharing(String id) {
    return aJob(id, 1).sharing(new Sharing.Guaranteed(0.4));
  }
}
