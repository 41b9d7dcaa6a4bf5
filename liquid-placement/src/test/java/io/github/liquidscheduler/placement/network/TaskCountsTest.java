package io.github.liquidscheduler.placement.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TaskCountsTest {

  @Property(tries = 500)
  void countsAreThoseOfAPlainMap(
      @ForAll @Size(max = 60) List<@IntRange(max = 19) Integer> added,
      @ForAll @Size(max = 60) List<@IntRange(max = 19) Integer> removed) {
    TaskCounts counts = new TaskCounts(20, 2);
    Map<Integer, Integer> plain = new TreeMap<>();
    for (int node : added) {
      counts.add(node, node % 2, 1);
      plain.merge(node, 1, Integer::sum);
    }
    for (int node : removed) {
      if (plain.containsKey(node)) {
        counts.remove(node, node % 2, 1);
        plain.computeIfPresent(node, (key, count) -> count == 1 ? null : count - 1);
      }
    }

    Map<Integer, Integer> shown = new TreeMap<>();
    for (int slot = 0; slot < counts.size(); slot++) {
      shown.put(counts.node(slot), counts.tasks(slot, counts.node(slot) % 2));
    }
    assertThat(shown).isEqualTo(plain);
  }

  @Test
  void clearedCountsAreZero() {
    TaskCounts counts = new TaskCounts(4, 1);
    counts.add(3, 0, 2);
    counts.clear();
    counts.add(3, 0, 1);

    assertThat(counts).hasToString("{3=[1]}");
  }

  @Test
  void aPlacementIsCountedByNodeAndRole() {
    ClusterTopology racks = Samples.twoRacks();
    JobSpec job = Samples.serverJob("j", 1, 2, 1);
    Placement placement =
        new Placement(
            job.id(),
            List.of(
                task("ps", 0, "r0n1", 0),
                task("worker", 0, "r0n1", 1),
                task("worker", 1, "r1n0", 0)));

    assertThat(TaskCounts.of(racks, job, placement)).hasToString("{1=[1, 1], 4=[0, 1]}");
  }

  private static TaskPlacement task(String role, int index, String node, int gpu) {
    return new TaskPlacement(
        new TaskId(role, index), new NodeId(node), List.of(gpu), ResourceRequest.ofGpus(1));
  }

  @Test
  void whatIsNotThereCannotBeTakenAway() {
    TaskCounts counts = new TaskCounts(4, 1);
    counts.add(3, 0, 2);

    assertThatThrownBy(() -> counts.remove(3, 0, 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("node at 3 does not have 3 tasks of role 0 to take away");
  }

  @Test
  void countsOfNothingAreRefused() {
    assertThatThrownBy(() -> new TaskCounts(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("counts need at least 1 node and 1 role, but had 0 and 1");
  }
}
