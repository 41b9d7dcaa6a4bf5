package io.github.liquidscheduler.simulator.slowdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowdownTableTest {

  private static final String HEADER = "gpu,family,batch,co_family,co_batch,retained_speed\n";

  private static final GpuModel V100 = GpuModel.of("V100");

  @TempDir Path folder;

  private SlowdownTable read(String text) throws IOException {
    return SlowdownTable.read(Files.writeString(folder.resolve("pairs.csv"), text));
  }

  private static Workload workload(String family, int batch) {
    return Workload.builder(family).batchSize(batch).build();
  }

  @Test
  void sixColumnsAreEnough() throws IOException {
    SlowdownTable table = read(HEADER + "V100,a,1,b,2,.8\nV100,b,2,a,1,.6\nV100,a,1,a,1,1.05\n");

    assertThat(table.size()).isEqualTo(3);
    assertThat(table.gpus()).containsExactly("V100");
    assertThat(table.retained(V100, workload("a", 1), workload("b", 2))).hasValue(.8);
    assertThat(table.retained(V100, workload("b", 2), workload("a", 1))).hasValue(.6);
    assertThat(table.retained(V100, workload("b", 2), workload("b", 2))).isEmpty();
    assertThat(table.profile(workload("a", 1), V100).isolatedRate()).isNaN();
  }

  @Test
  void gpuModelsAndFamiliesAreToldApartWithoutCase() throws IOException {
    SlowdownTable table = read(HEADER + "v100,Net-1,1,net1,1,.5\n");

    assertThat(table.retained(V100, workload("NET 1", 1), workload("net1", 1))).hasValue(.5);
    assertThat(table.isMeasuredOn(V100)).isTrue();
    assertThat(table.isMeasuredOn(GpuModel.of("K80"))).isFalse();
  }

  @Test
  void theColumnsOfTheProfilerTellWhatJobsDoAlone() throws IOException {
    SlowdownTable table =
        read(
            """
            gpu,family,batch,precision,isolated_rate,utilization,memory_bandwidth_utilization,\
            memory_bytes,co_family,co_batch,co_precision,co_isolated_rate,co_utilization,\
            co_memory_bandwidth_utilization,co_memory_bytes,retained_speed
            A100,mlp,128,fp32,120.5,.4,.1,1e9,mlp,128,fp32,120.5,.4,.1,1e9,0.9
            """);
    Workload mlp = Workload.builder("mlp").batchSize(128).precision("fp32").build();

    assertThat(table.profile(mlp, GpuModel.of("A100")))
        .isEqualTo(new ColocationProfile(mlp, 120.5, .4, .1, 1e9));
  }

  @Test
  void whatOneSideLeavesOutMatchesWhateverTheOtherHas() throws IOException {
    SlowdownTable table =
        read(
            """
            gpu,family,batch,precision,co_family,co_batch,co_precision,retained_speed
            V100,a,1,fp16,a,1,fp16,.5
            V100,a,1,fp32,a,1,fp32,.5
            V100,b,1,,b,1,,.5
            """);

    assertThat(table.matching(workload("a", 1))).hasSize(2);
    assertThat(table.matching(Workload.builder("a").precision("fp16").build())).hasSize(1);
    assertThat(table.matching(Workload.builder("b").precision("fp16").build())).hasSize(1);
    assertThat(table.matching(workload("a", 2))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "V100,a,1,a,1,0        | :2: column 'retained_speed' must be a number above 0 and at most"
            + " 1.05, but was '0'",
        "V100,a,1,a,1,1.06     | :2: column 'retained_speed' must be a number above 0 and at most"
            + " 1.05, but was '1.06'",
        "V100,a,1,a,1,NaN      | :2: column 'retained_speed' must be a number above 0 and at most"
            + " 1.05, but was 'NaN'",
        "V100,a,one,a,1,.5     | :2: column 'batch' must be a whole number from 1 to 999999999,"
            + " but was 'one'",
        ",a,1,a,1,.5           | :2: column 'gpu' must not be blank, but was ''",
        "V100,a,1,a,1          | :2: a line must have 6 columns, but had 5",
        "V100,A,1,b,1,.5       | :2: both directions of a pair must be there, but only 'A (batch"
            + " size 1)' beside 'b (batch size 1)' on V100 is"
      })
  void aLineThatIsWrongIsNamedWithItsRule(String line, String message) {
    assertThatThrownBy(() -> read(HEADER + line + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(folder.resolve("pairs.csv") + message);
  }

  @Test
  void aDirectionThatComesTwiceIsRefused() {
    assertThatThrownBy(() -> read(HEADER + "V100,a,1,a,1,.5\nv100,A,1,a,1,.6\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            ":3: a direction of a pair must come once, but 'A (batch size 1)' beside 'a (batch"
                + " size 1)' on v100 came in line 2 already");
  }

  @Test
  void columnsThatAreMissingOrUnknownAreRefused() {
    assertThatThrownBy(() -> read("gpu,family\n"))
        .hasMessageContaining(":1: the header must have the column 'batch'");
    assertThatThrownBy(() -> read(HEADER.replace("retained_speed", "retained_speed,speed")))
        .hasMessageContaining(":1: the header must name no columns but gpu, family, batch,")
        .hasMessageEndingWith("but named 'speed'");
  }

  @Test
  void aTableWithoutPairsIsRefused() {
    assertThatThrownBy(() -> read(HEADER))
        .hasMessageEndingWith("there must be at least one measured pair, but there is none");
  }

  @Test
  void gavelsTableHasThePairsThatFit() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("gavel.json"),
            """
            {
              "v100": {"('A (batch size 4)', 1)": {"null": 8.0, "('B', 1)": [2.0, 3.0]},
                       "('B', 1)": {"null": 4.0, "('A (batch size 4)', 1)": [3.0, 2.0],
                                    "('B', 1)": [0.0, 0.0]}}
            }
            """);

    SlowdownTable table = SlowdownTable.read(file);
    Workload other = Workload.builder("B").build();

    assertThat(table.retained(V100, workload("A", 4), other)).hasValue(.25);
    assertThat(table.retained(V100, other, workload("A", 4))).hasValue(.75);
    assertThat(table.retained(V100, other, other)).isEmpty();
    assertThat(table.profile(other, V100).isolatedRate()).isEqualTo(4);
  }
}
