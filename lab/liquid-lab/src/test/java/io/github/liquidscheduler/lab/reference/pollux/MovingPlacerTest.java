package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.reference.pollux.NodeAllocation.Part;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MovingPlacerTest {

  private static final GoodputCluster TWO_NODES = new GoodputCluster(2, 4);

  private final List<GoodputProgress> jobs = TestJobs.waiting(3);

  @Test
  void aLargerJobHasWholeNodes() {
    assertThat(place(8, 0, 0)).containsExactly(Map.entry(jobs.get(0), at(4, 4)));
  }

  @Test
  void aJobWhoseSizeStaysKeepsItsPlace() {
    jobs.get(0).reallocate(new NodeAllocation(List.of(new Part(1, 2))));

    assertThat(place(2, 4, 0)).containsEntry(jobs.get(0), jobs.get(0).allocation());
  }

  @Test
  void smallerJobsMoveOutOfTheWay() {
    jobs.get(0).reallocate(new NodeAllocation(List.of(new Part(0, 1))));
    jobs.get(1).reallocate(new NodeAllocation(List.of(new Part(1, 1))));

    Map<GoodputProgress, NodeAllocation> placed = place(1, 1, 4);

    assertThat(placed).hasSize(3);
    assertThat(placed.get(jobs.get(2))).isEqualTo(new NodeAllocation(List.of(new Part(0, 4))));
    assertThat(placed.get(jobs.get(0))).isEqualTo(new NodeAllocation(List.of(new Part(1, 1))));
  }

  @Test
  void whatFindsNoRoomWaits() {
    assertThat(place(8, 1, 0)).containsOnlyKeys(jobs.get(0));
  }

  private Map<GoodputProgress, NodeAllocation> place(int... sizes) {
    Map<GoodputProgress, Integer> wanted = new LinkedHashMap<>();
    for (int i = 0; i < sizes.length; i++) {
      wanted.put(jobs.get(i), sizes[i]);
    }
    return MovingPlacer.place(TWO_NODES, wanted);
  }

  private static NodeAllocation at(int first, int second) {
    return new NodeAllocation(List.of(new Part(0, first), new Part(1, second)));
  }
}
