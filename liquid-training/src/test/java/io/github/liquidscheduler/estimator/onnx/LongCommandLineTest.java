package io.github.liquidscheduler.estimator.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The runtime reads the command line of its process when it starts. */
@Tag("other-jvm")
class LongCommandLineTest {

  @Test
  void aModelLoadsHoweverLongTheCommandLineIs() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dpadding=" + "x".repeat(100_000),
                "-cp",
                System.getProperty("java.class.path"),
                LongCommandLineTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String answer = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(other.waitFor()).isZero();
    assertThat(answer).isEqualTo("DEFAULT");
  }

  /** Prints from what the shipped model answers about workloads that it does not know. */
  public static void main(String[] arguments) {
    System.out.print(
        NeuralSimilarity.shipped()
            .retainedSpeed(Workload.UNKNOWN, Workload.UNKNOWN, GpuModel.of("V100"))
            .provenance());
  }
}
