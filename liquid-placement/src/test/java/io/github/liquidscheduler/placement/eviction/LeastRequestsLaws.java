package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LeastRequestsLaws {

  @Property
  void theNextThatIsHeldIsTheFirstOfThoseLeft(
      @ForAll @Size(max = 60) List<@IntRange(max = 255) Integer> steps,
      @ForAll @Size(max = 3) List<@IntRange(max = 255) Integer> capacities) {
    LeastRequests requests = new LeastRequests();
    List<NodeAmounts> model = new ArrayList<>();
    for (int step : steps) {
      if (step % 3 == 0 && !model.isEmpty()) {
        requests.remove(step % model.size());
        model.remove(step % model.size());
      } else {
        requests.add(step % (model.size() + 1), amounts(step));
        model.add(step % (model.size() + 1), amounts(step));
      }
    }
    NodeAmounts[] held =
        capacities.stream().map(LeastRequestsLaws::amounts).toArray(NodeAmounts[]::new);

    for (int from = 0; from <= model.size(); from++) {
      int next = from;
      while (next < model.size() && !isHeld(model.get(next), held)) {
        next++;
      }
      assertThat(requests.nextHeld(from, held)).isEqualTo(next);
    }
  }

  private static boolean isHeld(NodeAmounts least, NodeAmounts[] capacities) {
    return List.of(capacities).stream().anyMatch(capacity -> capacity.hold(least));
  }

  /** Returns amounts from 0 to 3 of each resource. */
  private static NodeAmounts amounts(int choice) {
    return new NodeAmounts(choice & 3, choice >> 2 & 3, choice >> 4 & 3, choice >> 6 & 3);
  }
}
