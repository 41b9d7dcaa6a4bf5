package io.github.liquidscheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Dataset IMAGES = new Dataset("images", Memory.ofGib(140));
  private static final Dataset TEXTS = new Dataset("texts", Memory.ofGib(20));

  private static final Node NODE =
      Node.builder("n")
          .gpus(2, V100, Memory.ofGib(16))
          .cpu(CpuCores.of(32))
          .memory(Memory.ofGib(256))
          .nic(Link.of(Bandwidth.ofGigabitsPerSecond(100)))
          .nvlink(Bandwidth.ofGigabytesPerSecond(150))
          .disk(Memory.ofGib(500))
          .dataset(IMAGES)
          .label("pool", "a")
          .domain("r0")
          .build();

  @Test
  void aNodeThatIsBuiltAgainIsTheSame() {
    assertThat(NODE.toBuilder().build()).usingRecursiveComparison().isEqualTo(NODE);
  }

  @Test
  void whatIsSetAgainTakesThePlaceOfWhatTheNodeHad() {
    Link faster = Link.of(Bandwidth.ofGigabitsPerSecond(400));

    Node changed = NODE.toBuilder().nic(faster).label("pool", "b").domain("r1").build();

    assertThat(changed.nic()).isEqualTo(faster);
    assertThat(changed.labels()).isEqualTo(Map.of("pool", "b"));
    assertThat(changed.domain()).contains(DomainId.of("r1"));
  }

  @Test
  void gpusAndDataSetsComeBesideThoseThatTheNodeHad() {
    Node more = NODE.toBuilder().gpus(1, V100, Memory.ofGib(32)).dataset(TEXTS).build();

    assertThat(more.gpus()).extracting(Gpu::memory).endsWith(Memory.ofGib(16), Memory.ofGib(32));
    assertThat(more.gpus()).hasSize(3);
    assertThat(more.datasets()).containsExactly(IMAGES, TEXTS);
    assertThat(NODE.gpus()).hasSize(2);
  }

  @Test
  void moreGpusThanANodeCanHaveAreRefusedBeforeTheyAreMade() {
    Node.Builder node = NODE.toBuilder();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.gpus(Integer.MAX_VALUE, V100, Memory.ofGib(16)))
        .withMessage("a node must have at most 1024 GPUs, but had 2147483649, for node 'n'");
  }

  @Test
  void anotherNodeIsLikeThisOneButForItsIdentity() {
    Node other = NODE.toBuilder().id("m").build();

    assertThat(other.id()).isEqualTo(NodeId.of("m"));
    assertThat(other.toBuilder().id("n").build()).isEqualTo(NODE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NODE.toBuilder().id(" "))
        .withMessage("a node id must not be blank");
  }
}
