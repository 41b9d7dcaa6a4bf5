package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.testkit.MixedGang;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Packings of jobs of several roles into small idle clusters, against trying every assignment. */
class GangPackingLaws {

  private static final long ENOUGH_STEPS = 1_000_000;

  @Provide
  Arbitrary<MixedGang> free() {
    return Arbitraries.oneOf(MixedGang.ofRoles(2), MixedGang.ofRoles(3), MixedGang.ofRoles(4));
  }

  /** A required level is kept by the choice of the nodes to pack, not by the packing. */
  @Provide
  Arbitrary<MixedGang> constrained() {
    return MixedGang.constrained().filter(gang -> gang.job().topology().required().isEmpty());
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aGangIsPackedExactlyWhenItFits(@ForAll("free") MixedGang gang) {
    requirePackedExactlyWhenItFits(gang);
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void slicesAndSpreadsAreKept(@ForAll("constrained") MixedGang gang) {
    requirePackedExactlyWhenItFits(gang);
  }

  /** What a search says does not depend on the steps, but whether it says anything does. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void fewStepsGiveNoOtherAnswerThanMany(@ForAll("free") MixedGang gang) {
    Search few = new Search(gang);
    GangPacking.Outcome outcome = few.packing.pack(64);

    if (outcome != GangPacking.Outcome.GAVE_UP) {
      assertThat(outcome).isEqualTo(new Search(gang).packing.pack(ENOUGH_STEPS));
    }
    assertThat(few.packing.steps()).isBetween(0L, 64L + 5 * 2 * 4 * 4);
  }

  /** Tasks take their GPUs from one model each, and share CPU and memory with those of others. */
  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void gangsOnNodesOfTwoModelsArePackedExactlyWhenTheyFit(
      @ForAll("twoModels") ClusterTopology topology, @ForAll("roles") JobSpec job) {
    Search search = new Search(topology, job);
    GangPacking.Outcome outcome = search.packing.pack(ENOUGH_STEPS);

    assertThat(outcome == GangPacking.Outcome.PACKED)
        .isEqualTo(new ExhaustivePacking(topology, job).fits());
    if (outcome == GangPacking.Outcome.PACKED) {
      search.requireWhole(search.packing.parts());
    }
  }

  /** Roles that ask for labels go on the nodes that carry them, and leave those to each other. */
  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void rolesOnLabelledNodesArePackedExactlyWhenTheyFit(
      @ForAll("twoModels") ClusterTopology topology,
      @ForAll("roles") JobSpec job,
      @ForAll @IntRange(min = 1, max = 7) int labelledRoles) {
    List<TaskRole> roles = new ArrayList<>();
    for (TaskRole role : job.roles()) {
      boolean isLabelled = (labelledRoles >> roles.size() & 1) == 1;
      roles.add(isLabelled ? role.on(Map.of("disk", "ssd")) : role);
    }
    JobSpec labelled = job.toBuilder().roles(roles).build();
    Search search = new Search(topology, labelled);
    GangPacking.Outcome outcome = search.packing.pack(ENOUGH_STEPS);

    boolean fits = new ExhaustivePacking(topology, labelled).fits();
    assertThat(outcome == GangPacking.Outcome.PACKED).isEqualTo(fits);
    assertThat(BestFitPlacer.bestFit().isInfeasible(ClusterState.of(topology), labelled))
        .isEqualTo(!fits);
    if (fits) {
      search.requireWhole(search.packing.parts());
    }
  }

  @Provide
  Arbitrary<ClusterTopology> twoModels() {
    return Combinators.combine(upTo(3), upTo(3), upTo(12), Arbitraries.of("ssd", "hdd"))
        .as(
            (v100, a100, cores, disk) ->
                Node.builder("n")
                    .label("disk", disk)
                    .gpus(v100, GpuModel.of("V100"), Memory.ofGib(16))
                    .gpus(a100, GpuModel.of("A100"), Memory.ofGib(40))
                    .cpu(CpuCores.of(cores))
                    .build())
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(GangPackingLaws::cluster);
  }

  @Provide
  Arbitrary<JobSpec> roles() {
    Arbitrary<ResourceRequest> requests =
        Combinators.combine(upTo(2), upTo(5))
            .as((gpus, cores) -> request(gpus, cores + (gpus == 0 ? 1 : 0)));
    Arbitrary<Integer> counts = Arbitraries.integers().between(1, 3);
    return Combinators.combine(counts, requests, counts, requests, requests)
        .as(
            (first, each, second, other, single) ->
                JobSpec.builder("job")
                    .role("a", first, each)
                    .role("b", second, other)
                    .role("c", 1, single)
                    .build());
  }

  private static Arbitrary<Integer> upTo(int most) {
    return Arbitraries.integers().between(0, most);
  }

  private static ResourceRequest request(int gpus, int cores) {
    return ResourceRequest.builder().gpus(gpus).cpu(CpuCores.of(cores)).build();
  }

  private static ClusterTopology cluster(List<Node> nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int i = 0; i < nodes.size(); i++) {
      cluster.node(nodes.get(i).toBuilder().id("n" + i).build());
    }
    return cluster.build();
  }

  /** Tries every model of every node for every task. */
  private static final class ExhaustivePacking {

    private final List<TaskRole> tasks = new ArrayList<>();
    private final List<Map<GpuModel, Integer>> gpus = new ArrayList<>();
    private final long[] cores;
    private final List<Node> nodes;

    ExhaustivePacking(ClusterTopology topology, JobSpec job) {
      nodes = topology.nodes();
      for (TaskRole role : job.roles()) {
        tasks.addAll(Collections.nCopies(role.count(), role));
      }
      cores = topology.nodes().stream().mapToLong(node -> node.cpu().millicores()).toArray();
      for (Node node : topology.nodes()) {
        Map<GpuModel, Integer> models = new LinkedHashMap<>();
        node.gpus().forEach(gpu -> models.merge(gpu.model(), 1, Integer::sum));
        gpus.add(models);
      }
    }

    boolean fits() {
      return fits(0);
    }

    private boolean fits(int task) {
      if (task == tasks.size()) {
        return true;
      }
      for (int node = 0; node < cores.length; node++) {
        if (fits(task, node)) {
          return true;
        }
      }
      return false;
    }

    private boolean fits(int task, int node) {
      TaskRole role = tasks.get(task);
      long cpu = role.request().cpu().orElse(CpuCores.ZERO).millicores();
      Set<Map.Entry<String, String>> labels = nodes.get(node).labels().entrySet();
      if (cores[node] < cpu || !labels.containsAll(role.nodeLabels().entrySet())) {
        return false;
      }
      cores[node] -= cpu;
      boolean fits = role.request().gpus() == 0 ? fits(task + 1) : takesGpus(task, node);
      cores[node] += cpu;
      return fits;
    }

    private boolean takesGpus(int task, int node) {
      int needed = tasks.get(task).request().gpus();
      Map<GpuModel, Integer> models = gpus.get(node);
      for (GpuModel model : List.copyOf(models.keySet())) {
        if (models.getOrDefault(model, 0) >= needed) {
          models.merge(model, -needed, Integer::sum);
          boolean fits = fits(task + 1);
          models.merge(model, needed, Integer::sum);
          if (fits) {
            return true;
          }
        }
      }
      return false;
    }
  }

  private static void requirePackedExactlyWhenItFits(MixedGang gang) {
    Search search = new Search(gang);
    GangPacking.Outcome outcome = search.packing.pack(ENOUGH_STEPS);

    assertThat(outcome)
        .isEqualTo(gang.fits() ? GangPacking.Outcome.PACKED : GangPacking.Outcome.IMPOSSIBLE);
    if (outcome == GangPacking.Outcome.PACKED) {
      search.requireWhole(search.packing.parts());
    }
  }

  /** A packing of a gang into all nodes. */
  private static final class Search {

    private final CapacityIndex index;
    private final GangShape shape;
    private final GangPacking packing;

    Search(MixedGang gang) {
      this(gang.topology(), gang.job());
    }

    Search(ClusterTopology topology, JobSpec job) {
      index = ClusterState.of(topology).index();
      shape = new GangShape(job, index);
      NodeRange all = new NodeRange(0, topology.nodes().size());
      packing = new GangPacking(index, shape, all, index.pools());
    }

    void requireWhole(List<GangPacking.Part> parts) {
      assertThat(parts).allMatch(part -> part.count() > 0);
      List<Picks.Pick> picks = new GangFill(index, shape, node -> true).fillPacked(parts);
      Placement placement = Picks.placement(index, shape, picks);
      ClusterTopology topology = index.topology();
      assertThat(new PlacementRules(topology, shape.job()).brokenBy(placement)).isEmpty();
      assertThat(ClusterState.of(topology).fits(placement)).isTrue();
    }
  }
}
