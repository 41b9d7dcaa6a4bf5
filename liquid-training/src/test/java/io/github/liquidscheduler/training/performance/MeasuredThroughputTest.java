package io.github.liquidscheduler.training.performance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.performance.ThroughputFit;
import io.github.liquidscheduler.estimator.performance.ThroughputPoint;
import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Iteration times that Pollux's authors measured on T4 GPUs, against models fitted to them. */
@Tag("public-data")
class MeasuredThroughputTest {

  @ParameterizedTest
  @CsvSource({
    "bert, 0.043, 0.40",
    "cifar10, 0.044, 0.45",
    "deepspeech2, 0.059, 0.32",
    "imagenet, 0.051, 0.42",
    "ncf, 0.065, 0.56",
    "yolov3, 0.057, 0.39"
  })
  void aModelFittedToMeasuredTimesTellsThem(String application, double median, double worst)
      throws IOException {
    List<ThroughputPoint> points = points(application);

    double[] errors = errors(ThroughputFit.of(points), points);

    assertThat(errors[errors.length / 2]).isLessThan(median);
    assertThat(errors[errors.length - 1]).isLessThan(worst);
  }

  /** The errors as shares of what was measured, the least first. */
  private static double[] errors(ThroughputModel model, List<ThroughputPoint> points) {
    double[] errors =
        points.stream()
            .mapToDouble(
                point ->
                    Math.abs(
                        model.iterationSeconds(point.replicas(), point.localBatch())
                                / point.seconds()
                            - 1))
            .sorted()
            .toArray();
    return errors;
  }

  private static List<ThroughputPoint> points(String application) throws IOException {
    Path file = SharedData.file("pollux/traces/" + application + "/placements.csv");
    return Files.readAllLines(file).stream().skip(1).map(MeasuredThroughputTest::point).toList();
  }

  /** A line says how many GPUs on each node, one digit for each, the local batch and the time. */
  private static ThroughputPoint point(String line) {
    List<String> cells = Arrays.asList(line.split(",", -1));
    String placement = cells.get(0);
    int gpus = placement.chars().map(Character::getNumericValue).sum();
    return new ThroughputPoint(
        new Replicas(gpus, placement.length()),
        Double.parseDouble(cells.get(1)),
        Double.parseDouble(cells.get(2)));
  }
}
