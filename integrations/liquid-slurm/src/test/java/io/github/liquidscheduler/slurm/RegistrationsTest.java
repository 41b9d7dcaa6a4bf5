package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.reconcile.NodeCondition;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegistrationsTest {

  private static final NodeId A = NodeId.of("a");

  private final Registrations registrations = new Registrations();

  private NodeCondition seen(NodeCondition condition, double seconds) {
    long at = Duration.ofMillis((long) (1000 * seconds)).toNanos();
    return registrations.settled(Map.of(A, condition), at).getOrDefault(A, NodeCondition.DOWN);
  }

  @Test
  void aNodeThatHasJustRegisteredIsNotKnownForTwoSeconds() {
    assertThat(seen(NodeCondition.UP, 0)).isEqualTo(NodeCondition.UP);
    assertThat(seen(NodeCondition.DOWN, 1)).isEqualTo(NodeCondition.DOWN);
    assertThat(seen(NodeCondition.UP, 2)).isEqualTo(NodeCondition.SUSPECT);
    assertThat(seen(NodeCondition.UP, 2.9)).isEqualTo(NodeCondition.SUSPECT);
    assertThat(seen(NodeCondition.UP, 3)).isEqualTo(NodeCondition.UP);
    assertThat(seen(NodeCondition.UP, 3.1)).isEqualTo(NodeCondition.UP);
  }
}
