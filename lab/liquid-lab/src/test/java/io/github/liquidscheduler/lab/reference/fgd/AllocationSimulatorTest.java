package io.github.liquidscheduler.lab.reference.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationSimulatorTest {
  private static final PodRequest HALF = new PodRequest(1000, 1, 1, 500);
  private static final PodRequest WHOLE = new PodRequest(1000, 1, 1, 1000);
  private static final PodRequest PAIR = new PodRequest(1000, 1, 2, 1000);
  private static final PodRequest CPU = new PodRequest(1000, 1, 0, 0);

  @Test
  void fragmentationIsWhatTypicalPodsCannotUse() {
    PodNode node = new PodNode("a", 8000, 100, 2);
    node.take(HALF, 0);

    // 1.5 GPUs are left: halves can use all, whole GPUs not the half, pairs and CPU nothing.
    assertThat(new TypicalPods(List.of(HALF)).fragmentation(node)).isZero();
    assertThat(new TypicalPods(List.of(WHOLE)).fragmentation(node)).isEqualTo(500);
    assertThat(new TypicalPods(List.of(PAIR)).fragmentation(node)).isEqualTo(1500);
    assertThat(new TypicalPods(List.of(CPU)).fragmentation(node)).isEqualTo(1500);
    assertThat(new TypicalPods(List.of(HALF, WHOLE)).fragmentation(node))
        .isCloseTo(250, within(1e-9));
  }

  @Test
  void aNodeWithoutCpuIsOneFragment() {
    PodNode node = new PodNode("a", 500, 100, 1);

    assertThat(new TypicalPods(List.of(HALF)).fragmentation(node)).isEqualTo(1000);
  }

  @Test
  void rareKindsAreNotTypical() {
    List<PodRequest> workload = new ArrayList<>(Collections.nCopies(96, HALF));
    workload.addAll(Collections.nCopies(4, PAIR));
    PodNode node = new PodNode("a", 8000, 100, 1);

    assertThat(new TypicalPods(workload).fragmentation(node)).isZero();
  }

  @Test
  void gradientDescentFillsTheHalfThatNobodyElseCanUse() {
    PodNode node = new PodNode("a", 8000, 100, 2);
    node.take(HALF, 1);
    TypicalPods typical = new TypicalPods(List.of(HALF, WHOLE));

    assertThat(PodPolicy.FGD.score(node, HALF, typical).gpu()).isEqualTo(1);
    assertThat(PodPolicy.FGD.score(node, HALF, typical).value())
        .isGreaterThan(PodPolicy.FGD.score(new PodNode("b", 8000, 100, 2), HALF, typical).value());
  }

  @Property(tries = 100)
  void noPolicyAllocatesMoreThanThereIs(
      @ForAll PodPolicy policy, @ForAll @IntRange(min = 1, max = 4) int nodes, @ForAll long seed) {
    Random random = new Random(seed);
    List<PodNode> cluster = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      cluster.add(new PodNode("n" + node, 4000, 100, 1 + random.nextInt(4)));
    }
    List<PodRequest> kinds = List.of(HALF, WHOLE, PAIR, CPU, new PodRequest(500, 9, 1, 300));
    PodPlacement placement =
        new PodPlacement(cluster, policy, new TypicalPods(kinds), new Random(seed));
    int capacity = cluster.stream().mapToInt(PodNode::leftTotal).sum();

    double before = 0;
    for (int pod = 0; pod < 40; pod++) {
      PodRequest request = kinds.get(random.nextInt(kinds.size()));
      placement.place(request);
      assertThat(placement.allocated() - before).isIn(0.0, (double) request.gpuTotal());
      before = placement.allocated();
    }
    assertThat(placement.allocated()).isLessThanOrEqualTo(capacity);
  }

  @Test
  void aFileOfAnotherFormIsRefusedByLine(@TempDir Path folder) throws IOException {
    Path nodes = folder.resolve("nodes.csv");
    Path pods = folder.resolve("pods.csv");
    Files.writeString(nodes, "sn,cpu_milli,memory_mib,gpu\na,8000,100,2\n");
    Files.writeString(pods, "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,1,1,2000\n");

    assertThatExceptionOfType(InputFormatException.class)
        .isThrownBy(() -> AllocationSimulator.read(nodes, pods))
        .withMessageContaining("pods.csv:2")
        .withMessageContaining("gpu_milli");
  }

  @Test
  void anUnknownPolicyIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodPolicy.named("tetris"))
        .withMessage(
            "a policy of FGD must be one of random, dot-product, best-fit, fgd, but was 'tetris'");
  }
}
