package io.github.liquidscheduler.estimator.task.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ResourceModelTest {
  private static final FeatureSchema SCHEMA = FeatureSchema.with(List.of("family=resnet50"));

  @Test
  void aModelThatKeepsTheRulesIsLoaded() {
    try (ResourceModel model = load(SCHEMA.features(), 2, metadata -> metadata)) {
      assertThat(model.targets()).containsExactly(ResourceTarget.GPU_MEMORY);
      assertThat(model.calibration(ResourceTarget.GPU_MEMORY, true).high()).isEqualTo(0.5);
    }
  }

  @Test
  void aModelOfAnotherTargetIsRefused() {
    byte[] bytes =
        onnx(
            2,
            2,
            ModelMetadata.of(
                "speed", "1", List.of(Feature.plain("a", "1"), Feature.plain("b", "1"))));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceModel.of(ModelFile.of(bytes, "speed.onnx")))
        .withMessageContaining("speed.onnx")
        .withMessageContaining("swapped");
  }

  @Test
  void aModelWithAFeatureThatNobodyFillsIsRefused() {
    List<Feature> odd = FeatureSchema.with(List.of("moon_phase")).features();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> load(odd, 2, metadata -> metadata))
        .withMessageContaining("moon_phase");
  }

  @Test
  void aModelWithoutTheUsualFeaturesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> load(List.of(Feature.plain("a", "1")), 2, metadata -> metadata))
        .withMessageContaining("must begin with");
  }

  @Test
  void aModelWithTooFewAnswersIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> load(SCHEMA.features(), 1, metadata -> metadata))
        .withMessageContaining("two numbers");
  }

  @Test
  void aModelWithoutCalibrationIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                load(
                    SCHEMA.features(),
                    2,
                    metadata -> metadata.withNote("calibration.gpu_memory_bytes.unseen", "1;2")))
        .withMessageContaining("low;high;request;error");
  }

  @Test
  void aModelOfATargetThatIsNotKnownIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> load(SCHEMA.features(), 2, metadata -> metadata.withNote("targets", "happiness")))
        .withMessageContaining("happiness");
  }

  @Test
  void aFamilyInTrainingHasAColumnAndOthersLeaveItEmpty() {
    int column = SCHEMA.indexOf("family=resnet50");

    assertThat(SCHEMA.row(task("ResNet-50"))[column]).isEqualTo(1);
    assertThat(SCHEMA.row(task("vgg16"))[column]).isZero();
  }

  private static TaskProfile task(String family) {
    return TaskProfile.builder(Workload.builder(family).build()).build();
  }

  private static ResourceModel load(
      List<Feature> features, int outputs, UnaryOperator<ModelMetadata> change) {
    ModelMetadata metadata =
        ModelMetadata.of(ResourceModel.TARGET, ResourceModel.UNIT, features)
            .withNote("targets", "gpu_memory_bytes")
            .withNote("calibration.gpu_memory_bytes.known", "-0.5;0.5;0.6;0.2")
            .withNote("calibration.gpu_memory_bytes.unseen", "-1;1;1.2;0.4");
    byte[] bytes = onnx(features.size(), outputs, change.apply(metadata));
    return ResourceModel.of(ModelFile.of(bytes, "resources.onnx"));
  }

  private static byte[] onnx(int width, int outputs, ModelMetadata metadata) {
    OnnxGraph graph = new OnnxGraph(width);
    return graph.toBytes(
        graph.dense(graph.input(), new float[width * outputs], new float[outputs]), metadata);
  }
}
