package io.github.liquidscheduler.lab.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeasurementsTest {

  @TempDir Path folder;

  private static MeasuredCluster pollux() {
    return Measurements.pollux(SharedData.file("pollux/traces"));
  }

  private static MeasuredCluster muri() {
    return Measurements.muri(SharedData.file("muri/simulator/trace-data"));
  }

  @Test
  void polluxMeasuredSixApplicationsOn107PlacementsOfMoreThanOneGpu() {
    MeasuredCluster pollux = pollux();

    assertThat(pollux.applications())
        .containsExactly("bert", "cifar10", "deepspeech2", "imagenet", "ncf", "yolov3");
    assertThat(pollux.observations()).hasSize(5485);
    assertThat(pollux.observations()).extracting(MeasuredRun::placement).contains("4444", "12");
  }

  @Test
  void muriProfiledEightModelsOnFiveSizesOfMoreThanOneGpu() {
    assertThat(muri().applications()).hasSize(8);
    assertThat(muri().observations()).hasSize(40);
  }

  /** The network never saw these two, and they were measured on two placements of 107. */
  @ParameterizedTest
  @ValueSource(strings = {"yolov3", "deepspeech2"})
  void iterationsOfUnseenApplicationsAreOffByAtMostTenPercent(String application) {
    List<String> tested = List.of("yolov3", "deepspeech2");
    MeasuredCluster pollux = pollux();
    NetworkParameters network =
        NetworkFit.of(List.of(pollux.where(one -> !tested.contains(one.application())), muri()))
            .get("pollux");
    MeasuredCluster own = pollux.only(List.of(application));
    List<String> profiled = List.of("2", "11");

    assertThat(network).isNotNull();
    ApplicationFit fit =
        ApplicationFit.of(network, own.where(one -> profiled.contains(one.placement())));
    PredictionError error =
        PredictionError.of(
            fit.logarithmsOfError(network, own.where(one -> !profiled.contains(one.placement()))));

    assertThat(error.median()).isLessThanOrEqualTo(0.10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          placement,local_bsz;1,8             | 1: the header must have the column 'step_time', but was 'placement,local_bsz'
          placement,local_bsz,step_time;1,x,1 | 2: column 'local_bsz' must be a whole number from 1 to 1000000, but was 'x'
          placement,local_bsz,step_time;1,8,0 | 2: column 'step_time' must be a number above 0, but was '0'
          placement,local_bsz,step_time;1,8,y | 2: column 'step_time' must be a number above 0, but was 'y'
          placement,local_bsz,step_time;1,8,1;5,8,1 | 3: column 'placement' must be a digit from 1 to 4 for each of 1 to 4 nodes, but was '5'
          placement,local_bsz,step_time;1,8   | 2: a line must have 3 columns, but had 2
          """)
  void whatIsWrongIsNamedWithItsPlace(String text, String complaint) throws IOException {
    Path file = Files.createDirectories(folder.resolve("bert")).resolve("placements.csv");
    Files.writeString(file, text.replace(';', '\n'));

    assertThatThrownBy(() -> Measurements.pollux(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ":" + complaint);
  }
}
