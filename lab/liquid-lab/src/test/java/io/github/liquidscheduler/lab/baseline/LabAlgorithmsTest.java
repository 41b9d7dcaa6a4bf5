package io.github.liquidscheduler.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.lab.LabRun;
import io.github.liquidscheduler.planning.BatchPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of liquid know the placers and planners of the laboratory. */
class LabAlgorithmsTest {

  @TempDir private Path folder;

  @BeforeEach
  void jobs() throws IOException {
    Files.writeString(
        folder.resolve("jobs.json"),
        "[{\"id\": \"a\", \"gpus\": 2}, {\"id\": \"b\", \"gpus\": 4}, {\"id\": \"c\", \"gpus\":"
            + " 4}]");
  }

  @Test
  void plansOfTheGeneticAlgorithmAreInTheTable() {
    Command command = plan();

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .containsPattern("timefold +2 +1 ")
        .containsPattern("greedy +2 +1 ")
        .containsPattern("gga +2 +1 ");
  }

  @Test
  void aPlanOfTheGeneticAlgorithmReadsBack() {
    String json = plan("--planner=gga", "--json").output();

    int start = json.indexOf("\"gga\": ") + 7;
    int end = json.indexOf("\n    }", start) + 6;
    BatchPlan plan = JsonCodecs.PLAN.read("output", json.substring(start, end));

    assertThat(json).contains("\"planner\": \"gga\"");
    assertThat(plan.starts()).hasSize(2);
  }

  @Test
  void anUnknownPlannerIsRefusedWithAllNames() {
    assertThat(plan("--planner=nobody").errors())
        .contains("a planner must be one of timefold, greedy, gga, but was 'nobody'");
  }

  private Command plan(String... more) {
    String[] arguments = {
      "plan", "--cluster=2x4xV100", "--jobs=" + folder.resolve("jobs.json"), "--max-moves=200"
    };
    return LabRun.of(Stream.of(arguments, more).flatMap(Arrays::stream).toArray(String[]::new));
  }
}
