package io.github.liquidscheduler.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunInALoopTest {

  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build())
          .build();

  @Test
  void aJobStartsWhenTheOtherHasEndedAndTheJournalSaysSo(@TempDir Path folder) throws IOException {
    Path journals = folder.resolve("journals");
    List<String> printed = Collections.synchronizedList(new ArrayList<>());
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    String why;
    try (RunInALoop platform =
        new RunInALoop(CLUSTER, Clock.systemUTC(), journals, registry, printed::add)) {
      platform.submit(JobSpec.builder("first").gpus(6).build());
      platform.submit(JobSpec.builder("second").gpus(4).build()).toCompletableFuture().join();
      why = platform.why(JobId.of("second")).toCompletableFuture().join();
      platform.finished(JobId.of("first"));
    }

    assertThat(printed)
        .map(line -> line.replaceFirst(":.*", ""))
        .containsExactly("start first", "start second");
    assertThat(why).contains("requested 4 GPUs, available 2 GPUs");
    assertThat(ExamplesTest.read("docs/cookbook.md")).contains("\n" + why + "\n");
    assertThat(registry.get("liquid.decisions").tag("decision", "start").counter().count())
        .isEqualTo(2);
    try (RunInALoop again =
        new RunInALoop(CLUSTER, Clock.systemUTC(), journals, registry, printed::add)) {
      assertThat(again.finished(JobId.of("second")).toCompletableFuture().join()).isEmpty();
    }
    assertThat(printed).hasSize(2);
  }

  @Test
  void theGuidesShowTheProgramAsItIs() throws IOException {
    assertThat(ExamplesTest.read("docs/operating.md"))
        .contains(ExamplesTest.region("RunInALoop", "loop"))
        .contains(ExamplesTest.region("RunInALoop", "commit"))
        .contains(ExamplesTest.region("RunInALoop", "offer"))
        .contains(ExamplesTest.region("RunInALoop", "close"));
  }
}
