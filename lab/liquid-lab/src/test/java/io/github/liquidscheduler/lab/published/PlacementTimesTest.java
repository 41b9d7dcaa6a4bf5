package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTimesTest {

  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(Node.builder("n").gpus(1, GpuModel.of("K80"), Memory.ofGib(11)).build())
          .build();

  private final PlacementTimes times = PlacementTimes.published(7);

  @ParameterizedTest
  @CsvSource({"pww,1", "pw:w,1.5039", "p:w:w,1.5882", "p:ww,2.3333"})
  void thePublishedPlacementsTakeTheirPublishedTime(String shape, double ratio) {
    assertThat(1 / rate(shape)).isCloseTo(ratio, within(1e-4));
  }

  @Test
  void otherPlacementsLieBetween() {
    assertThat(1 / rate("pwww:w")).isBetween(1 / rate("pww"), 1 / rate("pw:w"));
    assertThat(1 / rate("pw:www")).isBetween(1 / rate("pw:w"), 1 / rate("p:www"));
    assertThat(1 / rate("p:ww:w")).isBetween(1 / rate("p:w:w"), 1 / rate("p:ww"));
    assertThat(rate("pw:pw:w:w")).isGreaterThan(rate("p:p:w:w:w:w"));
  }

  @Test
  void aRunTakesUpToFivePercentLessThanPublishedHoweverItIsPlaced() {
    double seconds = times.work(job("a", 12, 250)).toMillis() / 1000.0;

    assertThat(seconds).isBetween(0.95 * 510, 0.99 * 510);
    assertThat(times.work(job("a", 24, 250)).toMillis() / 1000.0)
        .isCloseTo(2 * seconds, within(0.01));
    assertThat(PlacementTimes.published(7).work(job("a", 12, 250)))
        .isEqualTo(times.work(job("a", 12, 250)));
  }

  @Test
  void whatIsNotPublishedIsRefusedByName() {
    TraceJob unknown =
        TraceJob.builder("x").model("bert (batch size 8)").iterations(1).gpus(3).build();

    assertThatThrownBy(() -> times.work(unknown))
        .hasMessageContaining("vgg16")
        .hasMessageContaining("bert");
    assertThatThrownBy(() -> times.work(TraceJob.builder("y").model("vgg16").build()))
        .hasMessageContaining("batch size");
    assertThatThrownBy(() -> rate("w:w")).hasMessageContaining("roles").hasMessageContaining("'a'");
  }

  private double rate(String shape) {
    return times.rate(job("a", 12, 250), placement(shape), CLUSTER);
  }

  private static TraceJob job(String id, int batchSize, int iterations) {
    return TraceJob.builder(id)
        .model("vgg16 (batch size " + batchSize + ")")
        .iterations(iterations)
        .gpus(3)
        .build();
  }

  private static Placement placement(String shape) {
    List<TaskPlacement> tasks = new ArrayList<>();
    int node = 0;
    for (String part : List.of(shape.split(":"))) {
      for (int i = 0; i < part.length(); i++) {
        String role = part.charAt(i) == 'p' ? "ps" : "worker";
        tasks.add(
            new TaskPlacement(
                new TaskId(role, tasks.size()),
                NodeId.of("n" + node),
                List.of(i),
                ResourceRequest.ofGpus(1)));
      }
      node++;
    }
    return new Placement(JobId.of("a"), tasks);
  }
}
