package io.github.liquidscheduler.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text that no file can hold is refused where it enters. */
class TextTest {

  @ParameterizedTest
  @MethodSource("entries")
  void halfASurrogatePairEntersNowhere(Consumer<String> entry) {
    for (String half : List.of("\ud83d", "\ude00", "a\ude00\ud83d", "\ud83d\ud83d\ude00")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> entry.accept(half))
          .withMessageEndingWith(" must be Unicode, but has half of a surrogate pair");
    }
    entry.accept("\ud83d\ude00");
  }

  static Stream<Consumer<String>> entries() {
    return Stream.of(
        JobId::of,
        QueueName::of,
        NodeId::of,
        DomainId::of,
        GpuModel::of,
        text -> new TaskId(text, 0),
        text -> new TaskRole(text, 1, ResourceRequest.ofGpus(1)),
        text -> new Dataset(text, Memory.ZERO),
        text -> Workload.builder(text),
        text -> Workload.builder("a").framework(text),
        text -> Workload.builder("a").precision(text),
        text -> Workload.builder("a").dataset(text),
        text -> Workload.builder("a").hyperparameter(text, "a"),
        text -> Workload.builder("a").hyperparameter("a", text),
        text -> JobSpec.builder("a").queue(text),
        text -> JobSpec.builder("a").label(text, "a"),
        text -> JobSpec.builder("a").label("a", text),
        text -> JobSpec.builder("a").nodeLabel(text, "a"),
        text -> JobSpec.builder("a").nodeLabel("a", text),
        text -> Node.builder("a").label(text, "a"),
        text -> Node.builder("a").label("a", text),
        text -> Domain.of(text, "a"),
        text -> ClusterTopology.builder().levels(text).node(Node.builder("a").build()).build(),
        TopologyConstraint::required,
        TopologyConstraint::preferred,
        text -> TopologyConstraint.NONE.andSlices(1, text),
        text -> TopologyConstraint.NONE.andSpread(1, text),
        text -> new LearnedState(text, List.of(), List.of()),
        text -> new LearnedState("a", List.of(text), List.of()));
  }

  @Test
  void textThatAFileCanHoldIsLeftAsItIs() {
    assertThat(Text.require("", "a note")).isEmpty();
    assertThat(Text.requireName("J\u00f6b \ud83d\ude00 \0", "a note")).hasSize(8);
  }
}
