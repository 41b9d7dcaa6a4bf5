package io.github.liquidscheduler.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.SimilarityEvaluation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GavelTest {
  private static final String DATA = "shared/data/gavel/simulation_throughputs.json";

  @Test
  void collaborativeFilteringCompletesGavelsTable() throws IOException {
    List<Measurement> measurements = GavelMeasurements.read(data());
    assertThat(measurements).hasSize(1881);

    SimilarityEvaluation.Row row = new SimilarityEvaluation(measurements, 1).observedShare(0.4);

    assertThat(row.network()).isLessThan(0.050).isLessThan(row.bias()).isLessThan(row.mean());
  }

  private static Path data() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve(DATA))) {
      folder = folder.getParent();
    }
    assumeTrue(folder != null, "needs ../" + DATA);
    return folder.resolve(DATA);
  }
}
