package io.github.liquidscheduler.training.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlyGavelMeasurementsTest {
  @TempDir Path folder;

  @Test
  void bothDirectionsOfAPairAreReadOnEachGpuModel() throws IOException {
    List<Measurement> read =
        read(
            """
            K80,,,
            ,,ResNet-50,VAE
            ResNet-50,64,"32, 16","48, 1000"
            VAE,2000,,"0, 0"
            ,,,
            V100,,,
            ,,VAE
            VAE,4000,"5000, 3000"
            """);
    assertThat(read).hasSize(4);
    assertThat(read).extracting(Measurement::retainedSpeed).containsExactly(0.5, 0.75, 0.5, 1.0);
    Measurement victim = read.get(1);
    assertThat(victim.gpu()).isEqualTo(GpuModel.of("K80"));
    assertThat(victim.victimClass().family()).isEqualTo("resnet50tensorflow");
    assertThat(victim.victim().isolatedRate()).isCloseTo(1, within(1e-12));
    assertThat(victim.coRunner().isolatedRate()).isCloseTo(20, within(1e-12));
    assertThat(read.getLast().gpu()).isEqualTo(GpuModel.of("V100"));
  }

  @Test
  void whatIsMalformedIsRefusedWithItsLine() {
    assertRefused("K80,,\n,,Doom\nDoom,1,\"1, 1\"\n", "no model 'Doom' is known, in line 3");
    assertRefused("K80,,\n,,VAE\nVAE,1,\"1\"\n", "a pair must be two numbers, but was '1'");
    assertRefused("K80,,\n,,VAE\nVAE,fast,\"1, 1\"\n", "must be a number, but was 'fast'");
    assertRefused("K80,,\n", "a block must have a title and the names of models");
  }

  private void assertRefused(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(text))
        .withMessageContaining(reason)
        .withMessageContaining("early.csv");
  }

  private List<Measurement> read(String text) throws IOException {
    return EarlyGavelMeasurements.read(Files.writeString(folder.resolve("early.csv"), text));
  }
}
