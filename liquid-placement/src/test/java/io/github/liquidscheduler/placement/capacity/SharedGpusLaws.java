package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.SharedGpus.Group;
import io.github.liquidscheduler.placement.capacity.SharedGpus.KindOnModel;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Who shares which GPU is found as a look at every GPU would find it. */
class SharedGpusLaws {

  private static final NodeId SPARE = NodeId.of("spare");

  private final ClusterState state = ClusterState.of(cluster());
  private final List<JobId> running = new ArrayList<>();
  private int jobs;

  @Property
  void aGroupIsAllGpusWithTheSameCoRunners(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    for (int step = 0; step < 4; step++) {
      change(random);
      assertGroupsAreThoseOf(state);
      assertGroupsAreThoseOf(state.copy());
    }
  }

  private static void assertGroupsAreThoseOf(ClusterState state) {
    Map<ResidentSet, Set<Integer>> expected = new LinkedHashMap<>();
    gpus(state)
        .forEach(
            gpu ->
                residentSet(state, gpu)
                    .ifPresent(
                        set ->
                            expected.computeIfAbsent(set, any -> new LinkedHashSet<>()).add(gpu)));
    Map<ResidentSet, Set<Integer>> found = new LinkedHashMap<>();
    state.shared().groups().forEach(group -> found.put(group.residentSet(), group.gpus()));

    assertThat(found).isEqualTo(expected);
    assertThat(state.shared().groups()).hasSize(expected.size());
    assertThat(state.shared().size())
        .isEqualTo(expected.values().stream().mapToInt(Set::size).sum());
  }

  @Property
  void theGroupsOfSomeGpusComeInTheOrderOfThese(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    change(random);
    BitSet some = new BitSet();
    gpus(state).filter(gpu -> random.nextBoolean()).forEach(some::set);

    assertThat(state.shared().groupsOn(some).stream().map(Group::residentSet))
        .containsExactlyElementsOf(
            some.stream()
                .mapToObj(gpu -> residentSet(state, gpu))
                .flatMap(Optional::stream)
                .distinct()
                .toList());
  }

  @Property
  void theGpusOfAKindOfJobAreThoseOnWhichOneOfItIs(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    change(random);
    Set<CoRunnerKind> kinds = new LinkedHashSet<>();
    for (int kind = 0; kind < 3; kind++) {
      kinds.add(CoRunnerKind.of(job("asked", random)));
    }

    Map<CoRunnerKind, BitSet> found = state.shared().gpusOf(kinds);

    assertThat(found.keySet()).containsExactlyElementsOf(kinds);
    kinds.forEach(
        kind ->
            assertThat(found.get(kind))
                .isEqualTo(
                    gpus(state)
                        .filter(gpu -> kinds(state, gpu).contains(kind))
                        .collect(BitSet::new, BitSet::set, BitSet::or)));
  }

  @Property
  void aKindOfJobIsListedOnceForEachModelAtItsFirstGroup(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    for (int step = 0; step < 4; step++) {
      change(random);
      assertThat(listed(state)).containsExactlyElementsOf(firsts(state));
      assertThat(listed(state.copy())).containsExactlyElementsOf(firsts(state));
    }
  }

  private static List<String> listed(ClusterState state) {
    return state.shared().kinds(state.index()).stream()
        .sorted(KindOnModel.IN_ORDER)
        .map(each -> shown(each.kind(), each.model(), each.first()))
        .toList();
  }

  /** Returns the same by a walk over all groups. */
  private static List<String> firsts(ClusterState state) {
    Map<String, String> firsts = new LinkedHashMap<>();
    for (Group group : state.shared().groups()) {
      GpuModel model = state.index().pools().get(group.residentSet().pool()).model().orElseThrow();
      for (CoRunnerKey key : group.residentSet().coRunnerKeys()) {
        firsts.putIfAbsent(key.kind() + " on " + model, shown(key.kind(), model, group));
      }
    }
    return List.copyOf(firsts.values());
  }

  private static String shown(CoRunnerKind kind, GpuModel model, Group first) {
    return "%s on %s, first in pool %d with %s"
        .formatted(kind, model, first.residentSet().pool(), first.residentSet());
  }

  private static IntStream gpus(ClusterState state) {
    return IntStream.range(0, state.topology().gpuCount());
  }

  private static List<CoRunnerKind> kinds(ClusterState state, int gpu) {
    return residentSet(state, gpu).stream()
        .flatMap(set -> set.coRunnerKeys().stream())
        .map(CoRunnerKey::kind)
        .toList();
  }

  /** Returns who shares a GPU; empty if nobody does or one of them is not known. */
  private static Optional<ResidentSet> residentSet(ClusterState state, int position) {
    GpuId gpu = state.index().gpu(position);
    List<CoRunnerKey> keys = new ArrayList<>();
    for (Resident resident : state.residents(gpu)) {
      Optional<JobSpec> job = state.job(resident.job());
      if (job.isEmpty() || resident.share().isWhole()) {
        return Optional.empty();
      }
      CoRunnerKind kind = CoRunnerKind.of(job.get());
      keys.add(new CoRunnerKey(kind, resident.share(), resident.memory()));
    }
    int node = state.index().nodeOfGpu(position);
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of(new ResidentSet(state.index().poolOf(node, gpu.index()), keys));
  }

  private void change(Random random) {
    for (int step = 12; step > 0; step--) {
      switch (random.nextInt(10)) {
        case 0 -> comeOrGo();
        case 1 -> state.shared();
        case 2, 3 -> release(random);
        default -> start(job("j" + ++jobs, random), random);
      }
    }
  }

  /** Lets a node come, or go if it is idle. */
  private void comeOrGo() {
    if (!state.topology().contains(SPARE)) {
      state.changeTopology(state.topology().withNode(node("spare", 40, 1), List.of()));
    } else if (state.residents(new GpuId(SPARE, 0)).isEmpty()) {
      state.changeTopology(state.topology().withoutNode(SPARE));
    }
  }

  private void release(Random random) {
    if (!running.isEmpty()) {
      state.release(running.remove(random.nextInt(running.size())));
    }
  }

  private void start(JobSpec job, Random random) {
    GpuId gpu = state.index().gpu(random.nextInt(state.topology().gpuCount()));
    ResourceRequest request = job.roles().getFirst().request();
    TaskPlacement task =
        new TaskPlacement(new TaskId("worker", 0), gpu.node(), List.of(gpu.index()), request);
    Placement placement = new Placement(job.id(), List.of(task));
    if (state.fits(placement)) {
      running.add(job.id());
      if (random.nextInt(12) == 0) {
        state.apply(placement);
      } else {
        state.apply(job, placement);
      }
    }
  }

  private static JobSpec job(String id, Random random) {
    GpuShare share = GpuShare.ofPercent(List.of(100, 50, 50, 30, 30).get(random.nextInt(5)));
    ResourceRequest request =
        ResourceRequest.builder().share(share).gpuMemory(Memory.ofGib(random.nextInt(2))).build();
    return JobSpec.builder(id)
        .role("worker", 1, request)
        .workload(Workload.builder("w" + random.nextInt(3)).build())
        .sharing(new Sharing.Guaranteed(0.8 + 0.1 * random.nextInt(2)))
        .build();
  }

  /** Four nodes: A100s of two sizes, and V100s. */
  private static ClusterTopology cluster() {
    return ClusterTopology.builder()
        .node(node("n0", 40, 2))
        .node(node("n1", 80, 2))
        .node(node("n2", 40, 2))
        .node(Node.builder("n3").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
        .build();
  }

  private static Node node(String id, int gib, int gpus) {
    return Node.builder(id).gpus(gpus, GpuModel.of("A100"), Memory.ofGib(gib)).build();
  }
}
