package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import io.github.liquidscheduler.slurm.SlurmConfig.Priorities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmConfigTest {
  @TempDir private Path folder;

  @Test
  void onlyThePartitionsMustBeThere() throws IOException {
    assertThat(read("{\"partitions\":[\"batch\"]}")).isEqualTo(SlurmConfig.of("batch"));
  }

  @Test
  void everyKeyIsRead() throws IOException {
    assertThat(
            read(
                """
                {"partitions": ["batch", "urgent"], "ownership": "hold",
                 "gpuMemory": {"h100": "80GiB"},
                 "priorities": {"qos": {"high": 100}, "partition": {"urgent": 50},
                   "nicePerPriority": 10, "highestByUser": 5},
                 "queues": {"physics": "research/physics"},
                 "poll": "500s", "timeout": "1m", "startTimeout": "3m", "explainInComment": true,
                 "commands": "/opt/slurm/bin", "slurmConf": "/etc/slurm/slurm.conf"}
                """))
        .isEqualTo(
            new SlurmConfig(
                List.of("batch", "urgent"),
                Ownership.HOLD,
                Map.of("h100", Memory.ofGib(80)),
                new Priorities(Map.of("high", 100), Map.of("urgent", 50), 10, 5),
                Map.of("physics", "research/physics"),
                Duration.ofSeconds(500),
                Duration.ofMinutes(1),
                Duration.ofMinutes(3),
                true,
                Optional.of(Path.of("/opt/slurm/bin")),
                Optional.of(Path.of("/etc/slurm/slurm.conf"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{}; key 'partitions' must be a list of at least one partition, but was missing",
        "{\"partitions\":[]}; key 'partitions' must be a list of at least one",
        "{\"partitions\":\"a\"}; key 'partitions' must be a list of partitions, but was a",
        "{\"partition\":[]}; key 'partition' must be one of partitions, ownership",
        "{\"ownership\":\"mine\"}; key 'ownership' must be begin-time or hold, but was mine",
        "{\"poll\":\"soon\"}; key 'poll' must be a duration such as 1s or 2m, but was soon",
        "{\"poll\":\"0s\"}; key 'poll' must be a duration such as 1s or 2m, but was 0s",
        "{\"timeout\":3}; key 'timeout' must be a duration such as 1s or 2m, but was 3",
        "{\"gpuMemory\":{\"a100\":\"much\"}}; key 'gpuMemory.a100' must be an amount of memory",
        "{\"priorities\":{\"qos\":{\"high\":\"x\"}}}; key 'priorities.qos.high' must be a whole"
            + " number",
        "{\"priorities\":{\"nicePerPriority\":-1}}; key 'priorities.nicePerPriority' must be",
        "{\"priorities\":{\"age\":1}}; key 'priorities.age' must be one of qos, partition",
        "{\"queues\":[]}; key 'queues' must be an object, but was [",
        "[]; key '' must be an object",
        "{\"poll\":; must be JSON",
      })
  void aMistakeIsToldInOneLineWithFileKeyAndValue(String json, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(json))
        .satisfies(
            e -> {
              assertThat(e.getMessage()).startsWith(folder.toString()).contains(why);
              assertThat(e.getMessage()).doesNotContain("\n");
            });
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlurmConfig.read(folder.resolve("none.json")))
        .withMessageContaining("none.json cannot be read");
  }

  private SlurmConfig read(String json) throws IOException {
    return SlurmConfig.read(Files.writeString(folder.resolve("liquid.json"), json));
  }
}
