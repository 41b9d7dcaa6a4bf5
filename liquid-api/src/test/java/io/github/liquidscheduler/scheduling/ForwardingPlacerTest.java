package io.github.liquidscheduler.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A forwarding placer leaves no question to the defaults of the interface. */
class ForwardingPlacerTest {

  /** Answers every question in another way than the defaults do. */
  private static final class Contrary implements Placer {
    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      return Optional.empty();
    }

    @Override
    public boolean allows(ClusterView view, JobSpec job, Placement place) {
      return false;
    }

    @Override
    public boolean isCapacityBound() {
      return true;
    }

    @Override
    public boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
      return false;
    }

    @Override
    public boolean isInfeasible(ClusterView idle, JobSpec job) {
      return false;
    }

    @Override
    public Map<String, String> parameters() {
      return Map.of("limit", "3");
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  private record Around(Placer placer) implements ForwardingPlacer {}

  @Test
  void everyQuestionOfAPlacerIsPassedOn() throws ReflectiveOperationException {
    for (Method question : Placer.class.getMethods()) {
      assertThat(
              ForwardingPlacer.class.getDeclaredMethod(
                  question.getName(), question.getParameterTypes()))
          .as(question.getName())
          .isNotNull();
    }
    assertThat(Arrays.stream(Placer.class.getMethods()).map(Method::getName))
        .contains("place", "allows", "mayUse");
    assertThat(new Around(new Contrary()).isCapacityBound()).isTrue();
  }

  @Test
  void itsParametersTellOfBoth() {
    assertThat(new Around(new Contrary()).parameters())
        .containsExactly(Map.entry("type", Around.class.getName()), Map.entry("placer.limit", "3"));
  }
}
