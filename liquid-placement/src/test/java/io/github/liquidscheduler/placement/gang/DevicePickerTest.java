package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DevicePickerTest {

  /**
   * Each GPU is written as its NVLink group and NUMA node, with a minus before it if it is lost.
   */
  @ParameterizedTest(name = "{0}: {1} tasks of {2} GPUs get {3}, {4}")
  @CsvSource({
    "00 00 00 00 01 01 01 01,   1, 4, 0 1 2 3,         one NUMA node of one NVLink group",
    "00 00 -00 00 01 01 01 01,  1, 4, 4 5 6 7,         the NUMA node that holds them",
    "00 00 -00 00 01 01 01 01,  1, 3, 0 1 3,           the NUMA node with the fewest free",
    "00 00 -00 00 01 01 01 01,  4, 1, 4 5 6 7,         tasks of a job stay in one NUMA node",
    "00 00 -00 00 01 01 01 01,  1, 5, 0 1 3 4 5,       two NUMA nodes if need be",
    "00 00 10 10 21 21 31 31,   1, 4, 0 1 2 3,         NUMA decides where no NVLink group is"
        + " enough",
    "00 -00 10 10 21 21 31 31,  2, 2, 4 5 6 7,         two pairs below one NUMA node",
    "00 01 10 11,               1, 2, 0 1,             an NVLink group before a NUMA node",
    "00 00 00 10 10 10 10,      1, 6, 0 1 3 4 5 6,     the largest NVLink group first",
    "00 00 00 10 10 10,         2, 2, 0 1 3 4,         each task in an NVLink group",
    "00 -00 00 00,              1, 3, 0 2 3,           all that is free",
    "00 00 00 00 01 01 -01 01,  1, 3, 4 5 7,           a later NUMA node with fewer free",
    "00 10 00 10,               2, 2, 0 2 1 3,         an NVLink group each of one NUMA node",
    "00 00 01 12 12,            4, 1, 2 0 1 3,         single tasks where fewest are",
  })
  void tasksGetGpusThatAreNearEachOther(
      String gpus, int tasks, int each, String picked, String why) {
    ClusterState state = state(gpus);
    int[] devices =
        new DevicePicker(state.index()).pick(state.index().pools().get(0), 0, tasks, each);

    assertThat(devices).as(why).containsExactly(numbers(picked));
  }

  private static int[] numbers(String text) {
    return Arrays.stream(text.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private static ClusterState state(String gpus) {
    Node.Builder node = Node.builder("n");
    String[] devices = gpus.split(" ", -1);
    for (String device : devices) {
      String places = device.replace("-", "");
      node.gpu(
          new Gpu(
              GpuModel.of("V100"),
              Memory.ofGib(16),
              places.charAt(0) - '0',
              places.charAt(1) - '0'));
    }
    ClusterState state = ClusterState.of(ClusterTopology.builder().node(node.build()).build());
    for (int i = 0; i < devices.length; i++) {
      if (devices[i].startsWith("-")) {
        state.fail(new GpuId(NodeId.of("n"), i));
      }
    }
    return state;
  }
}
