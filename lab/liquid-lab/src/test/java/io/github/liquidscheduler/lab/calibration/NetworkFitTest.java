package io.github.liquidscheduler.lab.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NetworkFitTest {
  private static final NetworkParameters TRUE =
      NetworkParameters.builder()
          .linkEfficiency(0.3)
          .fabricEfficiency(0.6)
          .linkLatency(Duration.ofNanos(200_000))
          .fabricLatency(Duration.ofNanos(50_000))
          .pairPenalty(0.4)
          .overlap(2.5)
          .skew(0.05)
          .build();

  private final ClusterTopology topology = topology();

  @Test
  void whatTheModelMadeItselfIsFound() {
    MeasuredCluster made = new MeasuredCluster("made", topology, observations(TRUE, 1));

    NetworkParameters fit = NetworkFit.of(List.of(made)).get("made");

    assertThat(fit).isNotNull();
    assertThat(fit.linkEfficiency()).isCloseTo(0.3, within(0.03));
    assertThat(fit.fabricEfficiency()).isCloseTo(0.6, within(0.06));
    assertThat(fit.pairPenalty()).isCloseTo(0.4, within(0.1));
    assertThat(fit.overlap()).isCloseTo(2.5, within(0.25));
    assertThat(fit.skew()).isCloseTo(0.05, within(0.01));
  }

  @Test
  void fittingAgainGivesTheSame() {
    List<MeasuredCluster> made =
        List.of(new MeasuredCluster("made", topology, observations(TRUE, 1)));

    Map<String, NetworkParameters> fit = NetworkFit.of(made);

    assertThat(NetworkFit.of(made)).isEqualTo(fit);
  }

  @Test
  void whatAnApplicationSendsMoreThanItSaysIsFound() {
    MeasuredCluster chatty = new MeasuredCluster("made", topology, observations(TRUE, 1.5));

    ApplicationFit fit = ApplicationFit.of(TRUE, chatty);

    assertThat(fit.volume()).isCloseTo(1.5, within(0.02));
    assertThat(fit.skew()).isCloseTo(0.05, within(0.01));
  }

  @Test
  void withoutObservationsThereIsNoFit() {
    assertThatThrownBy(
            () -> NetworkFit.of(List.of(new MeasuredCluster("none", topology, List.of()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a fit needs at least one observation of cluster 'none'");
  }

  @Test
  void errorsAreQuantilesOfAbsoluteRelativeErrors() {
    PredictionError error =
        PredictionError.of(List.of(Math.log(1.1), Math.log(0.8), Math.log(1.0)));

    assertThat(error.count()).isEqualTo(3);
    assertThat(error.median()).isCloseTo(0.1, within(1e-12));
    assertThat(error.mean()).isCloseTo(0.1, within(1e-12));
    assertThat(error.percentile90()).isCloseTo(0.18, within(1e-12));
    assertThat(error).hasToString("10.0 / 10.0 / 18.0 %");
  }

  /** Iterations of three sizes of application on ten placements, as the model itself sees them. */
  private List<MeasuredRun> observations(NetworkParameters truth, double volume) {
    NetworkModel model = NetworkModel.of(topology, truth);
    List<MeasuredRun> observations = new ArrayList<>();
    for (long megabytes : new long[] {5, 100, 400}) {
      for (int milliseconds : new int[] {20, 200, 800}) {
        Traffic traffic = traffic("m" + megabytes, megabytes, milliseconds);
        for (String placement :
            List.of("2", "3", "4", "11", "22", "111", "222", "1111", "44", "4444")) {
          TaskCounts counts = counts(placement);
          double seconds = model.iterationSeconds(traffic.times(volume), counts);
          observations.add(new MeasuredRun("m" + megabytes, placement, traffic, counts, seconds));
        }
      }
    }
    return observations;
  }

  private TaskCounts counts(String placement) {
    TaskCounts counts = new TaskCounts(topology.nodes().size(), 1);
    for (int node = 0; node < placement.length(); node++) {
      counts.add(node, 0, placement.charAt(node) - '0');
    }
    return counts;
  }

  private static Traffic traffic(String id, long megabytes, int milliseconds) {
    JobSpec job =
        JobSpec.builder(id)
            .role("worker", 1, ResourceRequest.ofGpus(1))
            .communication(new Communication.AllReduce(megabytes * 1_000_000))
            .build();
    return Traffic.of(job, Duration.ofMillis(milliseconds));
  }

  private static ClusterTopology topology() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 4; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(4, GpuModel.of("T4"), Memory.ofGib(16))
              .nvlink(Bandwidth.ofGigabytesPerSecond(10))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(50)))
              .build());
    }
    return cluster.build();
  }
}
