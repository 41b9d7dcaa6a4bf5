package io.github.liquidscheduler.estimator.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.estimator.task.regression.ResourceModel;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** A shipped model in which one byte was changed answers, or is refused in one line. */
class DamagedModelsLaws {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Workload WORKLOAD = Workload.builder("resnet50").batchSize(64).build();

  @Property(tries = 200)
  void ofInterference(
      @ForAll @DoubleRange(max = 1, maxIncluded = false) double part,
      @ForAll @IntRange(min = 1, max = 255) int change) {
    byte[] model = damaged(CompositePredictor.class, "interference.onnx", part, change);

    answersOrRefuses(model, DamagedModelsLaws::askInterference);
  }

  private static void askInterference(byte[] model) {
    ColocationProfile profile = ColocationProfile.of(WORKLOAD);
    ColocationQuery query = new ColocationQuery(V100, profile, List.of(profile));
    try (CompositePredictor predictor =
        CompositePredictor.builder().model(model, "damaged.onnx").build()) {
      assertThat(predictor.retainedSpeed(query).value()).isBetween(0.02, 1.05);
    }
  }

  @Property(tries = 100)
  void ofSimilarity(
      @ForAll @DoubleRange(max = 1, maxIncluded = false) double part,
      @ForAll @IntRange(min = 1, max = 255) int change) {
    byte[] model = damaged(NeuralSimilarity.class, "similarity.onnx", part, change);

    answersOrRefuses(
        model,
        bytes ->
            assertThat(
                    NeuralSimilarity.of(bytes, "damaged.onnx")
                        .retainedSpeed(WORKLOAD, WORKLOAD, V100)
                        .value())
                .isBetween(0.02, 1.05));
  }

  @Property(tries = 200)
  void ofResources(
      @ForAll @DoubleRange(max = 1, maxIncluded = false) double part,
      @ForAll @IntRange(min = 1, max = 255) int change) {
    byte[] model = damaged(ResourceModel.class, "resources.onnx", part, change);
    JobSpec job = JobSpec.builder("a").gpus(1).workload(WORKLOAD).build();

    answersOrRefuses(
        model,
        bytes -> {
          try (LearnedResourceEstimator estimator =
              LearnedResourceEstimator.of(bytes, "damaged.onnx")) {
            assertThat(estimator.estimate(job, job.roles().getFirst(), V100)).isNotNull();
          }
        });
  }

  private static void answersOrRefuses(byte[] model, Consumer<byte[]> ask) {
    try {
      ask.accept(model);
    } catch (IllegalArgumentException refusal) {
      assertThat(refusal.getMessage()).contains("damaged.onnx").doesNotContainPattern("\\R");
    }
  }

  private static byte[] damaged(Class<?> owner, String resource, double part, int change) {
    try (InputStream stream = owner.getResourceAsStream(resource)) {
      byte[] bytes = stream.readAllBytes();
      bytes[(int) (part * bytes.length)] ^= (byte) change;
      return bytes;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
