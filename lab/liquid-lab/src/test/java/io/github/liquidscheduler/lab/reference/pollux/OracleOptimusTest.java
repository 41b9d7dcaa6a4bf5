package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OracleOptimusTest {

  private final OracleOptimus optimus = new OracleOptimus(new GoodputCluster(1, 4));

  @Test
  void equalJobsGetAsMuch() {
    List<GoodputProgress> jobs = TestJobs.waiting(2);

    assertThat(sizes(optimus.allocate(jobs, 60))).containsExactly(2, 2);
  }

  @Test
  void eachJobHasAGpuBeforeOneHasTwo() {
    assertThat(sizes(optimus.allocate(TestJobs.waiting(6), 60))).containsExactly(1, 1, 1, 1);
  }

  @Test
  void aJobWhoseSizeStaysKeepsItsPlace() {
    List<GoodputProgress> jobs = TestJobs.waiting(4);
    Map<GoodputProgress, NodeAllocation> before = optimus.allocate(jobs, 60);

    assertThat(optimus.allocate(jobs, 120)).isEqualTo(before);
  }

  private static List<Integer> sizes(Map<GoodputProgress, NodeAllocation> placed) {
    return placed.values().stream().map(NodeAllocation::gpus).toList();
  }
}
