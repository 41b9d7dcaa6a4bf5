package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceExplainTest {

  private static final String CLUSTER =
      """
      {"levels": ["rack"],
       "domains": [{"level": "rack", "id": "r%d", "count": 2, "uplink": "10Gbit/s"}],
       "nodes": [{"id": "n%d", "count": 6, "domain": "r%d", "perDomain": 3, "nic": "10Gbit/s",
                  "nvlink": "12GB/s", "gpus": [{"count": 4, "model": "V100", "memory": "16GiB"}]}]}
      """;

  private static final String JOBS =
      """
      [{"id": "vgg", "roles": [{"name": "ps", "count": 1, "request": {"gpus": 1}},
                               {"name": "worker", "count": 2, "request": {"gpus": 1}}],
        "communication": {"type": "parameterServer", "serverRole": "ps", "workerRole": "worker",
                          "bytesPerIteration": 553000000}},
       {"id": "ring", "gpus": 12, "communication": {"type": "allReduce", "bytesPerIteration": 500000000}},
       {"id": "huge", "gpus": 99},
       {"id": "late", "gpus": 16}]
      """;

  @TempDir private Path folder = Path.of("");
  private String cluster = "";
  private String jobs = "";

  @BeforeEach
  void writeFiles() throws IOException {
    cluster = Files.writeString(folder.resolve("cluster.json"), CLUSTER).toString();
    jobs = Files.writeString(folder.resolve("jobs.json"), JOBS).toString();
  }

  @Test
  void anExplainedPlacementStandsBesideTheTwoBestAlternatives() {
    Command command =
        Command.run(
            "place", "--cluster", cluster, "--jobs", jobs, "--placer=least-cost", "--explain");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .isEqualTo(
            """
            job 'vgg' starts, placed by least-cost
              chosen: n0 (1 ps, 2 worker)
                adds 0.00493 s to each iteration; found by least-cost; 2 equivalent
                  seconds of computing: 0.266
                  seconds of communicating: 0.173
                  seconds of communicating that computing does not hide: 0.00493
              rejected: n0 (1 ps), n1 (1 worker), n2 (1 worker)
                adds 1.39 s to each iteration; found by even-spread
                  seconds of computing: 0.266
                  seconds of communicating: 1.66
                  seconds of communicating that computing does not hide: 1.39
                  node links: 3 crossed, the slowest is that of 'n0': 1106.0 MB at 8 Gbit/s, 1.11 s
              rejected: n3 (1 ps), n5 (2 worker)
                adds 1.95 s to each iteration; found by random
                  seconds of computing: 0.266
                  seconds of communicating: 2.21
                  seconds of communicating that computing does not hide: 1.95
                  node links: 2 crossed, the slowest is that of 'n3': 1106.0 MB at 8 Gbit/s, 1.11 s
              why: the cheapest placement compared; the next adds 1.39 s more to each iteration, \
            +1.39 s for the job and 0 s for others
              5 placements compared

            job 'ring' starts, placed by least-cost
              chosen: n3 (4 worker), n4 (4 worker), n5 (4 worker)
                adds 0.632 s to each iteration; found by least-cost
                  seconds of computing: 0.285
                  seconds of communicating: 0.917
                  seconds of communicating that computing does not hide: 0.632
                  node links: 3 crossed, the slowest is that of 'n3': 916.7 MB at 8 Gbit/s, 0.917 s
              rejected: n1 (4 worker), n2 (4 worker), n0 (1 worker), n4 (3 worker)
                adds 0.632 s to each iteration; found by least-cost without node 'n3'; 1 equivalent
                  seconds of computing: 0.285
                  seconds of communicating: 0.917
                  seconds of communicating that computing does not hide: 0.632
                  rack links: 2 crossed, the slowest is that of 'r0': 916.7 MB at 8 Gbit/s, 0.917 s
                  node links: 4 crossed, the slowest is that of 'n1': 916.7 MB at 8 Gbit/s, 0.917 s
              rejected: n3 (4 worker), n4 (1 worker), n5 (2 worker), n2 (4 worker), n0 (1 worker)
                adds 0.632 s to each iteration; found by random
                  seconds of computing: 0.285
                  seconds of communicating: 0.917
                  seconds of communicating that computing does not hide: 0.632
                  rack links: 2 crossed, the slowest is that of 'r1': 916.7 MB at 8 Gbit/s, 0.917 s
                  node links: 5 crossed, the slowest is that of 'n3': 916.7 MB at 8 Gbit/s, 0.917 s
              why: none is cheaper; of equal placements the first is kept, in the fullest domain \
            where the job fits
              5 placements compared

            job 'huge' can never run here: GPUS (the job): requested 99 GPUs, available 24 GPUs

            job 'late' waits:
              first in the queue
              GPUS (the job): requested 16 GPUs, available 9 GPUs
              is tried again when capacity is released
              would fit with 9 GPUs (9 tasks)
              would fit when job ring ends
            """);
  }

  @Test
  void aPlacerThatIgnoresCostIsSaidTo() {
    assertThat(
            Command.run(
                    "place",
                    "--cluster",
                    cluster,
                    "--jobs",
                    jobs,
                    "--placer=even-spread",
                    "--explain")
                .output())
        .contains("placed by even-spread", "not the cheapest; even-spread ignores cost");
  }

  @Test
  void thePlacerDecidesWhatIsPrintedAsJson() {
    String[] place = {"place", "--cluster", cluster, "--jobs", jobs, "--placer=pack", "--json"};

    assertThat(Command.run(place).output()).startsWith("{\n  \"decisions\": [");
  }

  @Test
  void anUnknownPlacerIsRefusedWithThoseThereAre() {
    Command command = Command.run("place", "--cluster", cluster, "--jobs", jobs, "--placer=best");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.errors())
        .startsWith("liquid place: a placer must be one of best-fit, least-cost,")
        .endsWith(", but was 'best'\n");
  }
}
