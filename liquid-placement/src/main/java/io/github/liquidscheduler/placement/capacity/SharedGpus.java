package io.github.liquidscheduler.placement.capacity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs that jobs hold shares of, grouped by who is on them, so that whoever looks for company
 * looks at each kind of company once. GPUs are named by their position in the cluster. Not
 * thread-safe.
 */
public final class SharedGpus {

  private final Map<ResidentSet, Group> groupOf = new LinkedHashMap<>();
  private final List<Group> groups = new ArrayList<>();
  private final Map<Integer, ResidentSet> crowdOf = new LinkedHashMap<>();

  SharedGpus() {}

  SharedGpus copy() {
    SharedGpus copy = new SharedGpus();
    for (Group group : groups) {
      copy.add(new Group(group.crowd(), new TreeSet<>(group.gpus())));
    }
    copy.crowdOf.putAll(crowdOf);
    return copy;
  }

  /**
   * Returns the groups. Their order depends on what happened before, so no decision may depend on
   * it.
   */
  public List<Group> groups() {
    return Collections.unmodifiableList(groups);
  }

  /** Returns the number of GPUs in all crowds. */
  public int size() {
    return crowdOf.size();
  }

  /** Notes who is on a GPU; null if nobody is, or if company is not possible. */
  void set(int gpu, @Nullable ResidentSet crowd) {
    @Nullable ResidentSet before = crowdOf.remove(gpu);
    if (before != null) {
      Group group = Objects.requireNonNull(groupOf.get(before));
      group.gpus().remove(gpu);
      if (group.gpus().isEmpty()) {
        groupOf.remove(before);
        groups.remove(group);
      }
    }
    if (crowd != null) {
      @Nullable Group group = groupOf.get(crowd);
      if (group == null) {
        group = new Group(crowd, new TreeSet<>());
        add(group);
      }
      group.gpus().add(gpu);
      crowdOf.put(gpu, group.crowd());
    }
  }

  private void add(Group group) {
    groupOf.put(group.crowd(), group);
    groups.add(group);
  }

  /** The GPUs with the same company. */
  public static final class Group {
    private final ResidentSet crowd;
    private final NavigableSet<Integer> gpus;

    private Group(ResidentSet crowd, NavigableSet<Integer> gpus) {
      this.crowd = crowd;
      this.gpus = gpus;
    }

    /** Returns who is on each of them. */
    public ResidentSet crowd() {
      return crowd;
    }

    /** Returns their positions, ascending. */
    public NavigableSet<Integer> gpus() {
      return gpus;
    }
  }
}
