package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * Idea: co-location looks at each distinct resident set once, however many GPUs have it. Changes
 * only mark GPUs; they are regrouped when the groups are next read, so a trial that comes back
 * costs little.
 * Invariants: after settle a GPU with shares is in the one group of its resident set, and each
 * group is under every kind in it; GPUs with an unknown or whole-GPU resident are in none
 * (SharedGpusLaws).
 * Cost: regroup O(GPUs of the job); settle O(residents) for each GPU changed, plus O(groups) when a
 * group ends; copy O(shared GPUs log).
 */
/**
 * The GPUs that jobs hold shares of, grouped by resident set. GPUs are named by their position in
 * the cluster. Not thread-safe.
 */
public final class SharedGpus {

  private final Map<ResidentSet, Group> groupOf = new LinkedHashMap<>();
  private final List<Group> groups = new ArrayList<>();
  // The groups with a job of each kind, by pool, in the order in which they were made.
  private final Map<Integer, Map<CoRunnerKind, Set<Group>>> byKind = new LinkedHashMap<>();
  private final Map<Integer, ResidentSet> residentSetOf = new LinkedHashMap<>();
  private final BitSet changed = new BitSet();
  private final SameCoRunners same = new SameCoRunners();
  private long made;

  SharedGpus() {}

  SharedGpus copy() {
    SharedGpus copy = new SharedGpus();
    for (Group group : groups) {
      copy.add(new Group(group.residentSet(), new TreeSet<>(group.gpus())));
    }
    copy.residentSetOf.putAll(residentSetOf);
    copy.changed.or(changed);
    return copy;
  }

  /**
   * Returns the shared GPUs of a changed cluster, all to be regrouped.
   *
   * @param then its topology here
   * @param now its topology there
   * @param before the position here of each of its nodes; -1 if it comes
   */
  SharedGpus in(ClusterTopology then, ClusterTopology now, int[] before) {
    BitSet known = (BitSet) changed.clone();
    residentSetOf.keySet().forEach(known::set);
    SharedGpus moved = new SharedGpus();
    for (int node = 0; node < before.length; node++) {
      int first = before[node] < 0 ? then.gpuCount() : then.gpusBefore(before[node]);
      int gpus = now.gpusBefore(node + 1) - now.gpusBefore(node);
      for (int gpu = known.nextSetBit(first);
          gpu >= 0 && gpu < first + gpus;
          gpu = known.nextSetBit(gpu + 1)) {
        moved.changed.set(now.gpusBefore(node) + gpu - first);
      }
    }
    return moved;
  }

  /** Returns the groups. Their order depends on history, so no decision may depend on it. */
  public List<Group> groups() {
    return Collections.unmodifiableList(groups);
  }

  /** Returns the groups of some GPUs, each once, in the order of these. */
  public List<Group> groupsOn(BitSet gpus) {
    Set<Group> found = new LinkedHashSet<>();
    for (int gpu = gpus.nextSetBit(0); gpu >= 0; gpu = gpus.nextSetBit(gpu + 1)) {
      @Nullable ResidentSet residents = residentSetOf.get(gpu);
      if (residents != null) {
        found.add(Objects.requireNonNull(groupOf.get(residents)));
      }
    }
    return List.copyOf(found);
  }

  /** Returns the GPUs with a job of each of these kinds; linear in their number. */
  public Map<CoRunnerKind, BitSet> gpusOf(Set<CoRunnerKind> kinds) {
    Map<CoRunnerKind, BitSet> gpus = new LinkedHashMap<>();
    for (CoRunnerKind kind : kinds) {
      BitSet found = new BitSet();
      for (Map<CoRunnerKind, Set<Group>> ofPool : byKind.values()) {
        for (Group group : ofPool.getOrDefault(kind, Set.of())) {
          group.gpus().forEach(found::set);
        }
      }
      gpus.put(kind, found);
    }
    return gpus;
  }

  /** Returns the number of GPUs in all resident sets. */
  public int size() {
    return residentSetOf.size();
  }

  /**
   * Notes a change of residents on the GPUs that a placement has shares of, or on all of its GPUs:
   * on nodes that are over-full, jobs with whole GPUs have co-runners too.
   */
  void regroup(Placement placement, ClusterTopology topology, boolean all) {
    for (TaskPlacement task : placement.tasks()) {
      if (all || !task.share().isWhole()) {
        int first = topology.gpusBefore(topology.position(task.node()));
        task.gpus().forEach(gpu -> changed.set(first + gpu));
      }
    }
  }

  /** Regroups the GPUs whose residents have changed. */
  void settle(ClusterState state) {
    changed.stream().forEach(gpu -> settle(gpu, state));
    changed.clear();
  }

  private void settle(int gpu, ClusterState state) {
    int node = state.index().nodeOfGpu(gpu);
    int onNode = gpu - state.topology().gpusBefore(node);
    GpuId id = new GpuId(state.topology().nodes().get(node).id(), onNode);
    set(gpu, residentSet(state.index().poolOf(node, onNode), state.residents(id), state));
  }

  /** Returns the resident set of a GPU; null if it has none, or a resident is unknown. */
  private @Nullable ResidentSet residentSet(
      int pool, List<Resident> residents, ClusterState state) {
    List<CoRunnerKey> keys = new ArrayList<>(residents.size());
    for (Resident resident : residents) {
      Optional<JobSpec> job = state.job(resident.job());
      if (job.isEmpty() || resident.share().isWhole()) {
        return null;
      }
      keys.add(
          same.of(
              new CoRunnerKey(
                  job.get().workload(), job.get().sharing(), resident.share(), resident.memory())));
    }
    return keys.isEmpty() ? null : new ResidentSet(pool, keys);
  }

  private void set(int gpu, @Nullable ResidentSet residentSet) {
    @Nullable ResidentSet before = residentSetOf.remove(gpu);
    if (before != null) {
      Group group = Objects.requireNonNull(groupOf.get(before));
      group.gpus().remove(gpu);
      if (group.gpus().isEmpty()) {
        groupOf.remove(before);
        groups.remove(group);
        removeFromKinds(group);
      }
    }
    if (residentSet != null) {
      @Nullable Group group = groupOf.get(residentSet);
      if (group == null) {
        group = new Group(residentSet, new TreeSet<>());
        add(group);
      }
      group.gpus().add(gpu);
      residentSetOf.put(gpu, group.residentSet());
    }
  }

  private void add(Group group) {
    group.number = made++;
    groupOf.put(group.residentSet(), group);
    groups.add(group);
    Map<CoRunnerKind, Set<Group>> kinds =
        byKind.computeIfAbsent(group.residentSet().pool(), any -> new LinkedHashMap<>());
    for (CoRunnerKey key : group.residentSet().coRunnerKeys()) {
      kinds.computeIfAbsent(key.kind(), any -> new LinkedHashSet<>()).add(group);
    }
  }

  private void removeFromKinds(Group group) {
    Map<CoRunnerKind, Set<Group>> kinds =
        Objects.requireNonNull(byKind.get(group.residentSet().pool()));
    for (CoRunnerKey key : group.residentSet().coRunnerKeys()) {
      @Nullable Set<Group> of = kinds.get(key.kind());
      if (of != null && of.remove(group) && of.isEmpty()) {
        kinds.remove(key.kind());
      }
    }
  }

  /**
   * Jobs of a kind on GPUs of a model.
   *
   * @param first the first group with a job of the kind
   */
  public record KindOnModel(CoRunnerKind kind, GpuModel model, Group first) {

    /** The order of {@link SharedGpus#groups}, and of those in one group. */
    public static final Comparator<KindOnModel> IN_ORDER =
        Comparator.<KindOnModel>comparingLong(each -> each.first().number)
            .thenComparingInt(each -> each.first().positionOf(each.kind()));
  }

  /**
   * Returns the distinct kinds of residents by GPU model. Their order depends on history, so no
   * decision may depend on it.
   */
  public List<KindOnModel> kinds(CapacityIndex index) {
    Map<GpuModel, Map<CoRunnerKind, Group>> firsts = new LinkedHashMap<>();
    byKind.forEach(
        (pool, kinds) -> {
          GpuModel model = index.pools().get(pool).model().orElseThrow();
          Map<CoRunnerKind, Group> ofModel =
              firsts.computeIfAbsent(model, any -> LinkedHashMap.newLinkedHashMap(kinds.size()));
          addFirsts(kinds, ofModel);
        });
    List<KindOnModel> all = new ArrayList<>();
    firsts.forEach(
        (model, kinds) ->
            kinds.forEach((kind, first) -> all.add(new KindOnModel(kind, model, first))));
    return all;
  }

  private static void addFirsts(
      Map<CoRunnerKind, Set<Group>> kinds, Map<CoRunnerKind, Group> firsts) {
    for (Map.Entry<CoRunnerKind, Set<Group>> kind : kinds.entrySet()) {
      Group first = kind.getValue().iterator().next();
      @Nullable Group other = firsts.putIfAbsent(kind.getKey(), first);
      if (other != null && first.number < other.number) {
        firsts.put(kind.getKey(), first);
      }
    }
  }

  /** The GPUs with the same co-runners. */
  public static final class Group {
    private final ResidentSet residentSet;
    private final NavigableSet<Integer> gpus;
    private long number;

    private Group(ResidentSet residentSet, NavigableSet<Integer> gpus) {
      this.residentSet = residentSet;
      this.gpus = gpus;
    }

    private int positionOf(CoRunnerKind kind) {
      List<CoRunnerKey> keys = residentSet.coRunnerKeys();
      int position = 0;
      while (!keys.get(position).kind().equals(kind)) {
        position++;
      }
      return position;
    }

    /** Returns the residents of each of them. */
    public ResidentSet residentSet() {
      return residentSet;
    }

    /** Returns their positions, ascending. */
    public NavigableSet<Integer> gpus() {
      return gpus;
    }
  }
}
