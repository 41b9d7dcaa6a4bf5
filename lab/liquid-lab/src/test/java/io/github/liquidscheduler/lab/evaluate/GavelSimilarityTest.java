package io.github.liquidscheduler.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("public-data")
class GavelSimilarityTest {

  @Test
  void collaborativeFilteringCompletesGavelsTable() throws IOException {
    List<Measurement> measurements =
        GavelMeasurements.read(SharedData.file("gavel/simulation_throughputs.json"));
    assertThat(measurements).hasSize(1881);

    SimilarityEvaluation.Row row = new SimilarityEvaluation(measurements, 1).observedShare(0.4);

    assertThat(row.network()).isLessThan(0.050).isLessThan(row.bias()).isLessThan(row.mean());
  }
}
