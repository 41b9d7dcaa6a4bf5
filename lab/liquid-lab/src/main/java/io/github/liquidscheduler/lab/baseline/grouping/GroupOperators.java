package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.lab.baseline.grouping.NodePacking.Group;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * The operators of Falkenauer's grouping genetic algorithm as Liquid uses it (Gu et al., TPDS
 * 33(11), 2022, section 4.3, figures 7 to 9): they act on whole nodes, so that what is good about a
 * node is passed on. What loses its node goes into the remaining ones by first fit.
 */
record GroupOperators(Rooms rooms) {

  /** Which tasks fit on a node together. */
  @FunctionalInterface
  interface Rooms {
    /** Returns whether one more task fits on a node beside those that are there. */
    boolean fits(int node, List<Integer> tasks, int oneMore);
  }

  /**
   * Inserts a node of one plan, with its tasks, into another. Nodes there that hold one of these
   * tasks are deleted, as is that node itself; the other tasks on them are placed again.
   *
   * @param donated which group of the donor
   * @param position before which group of the receiver
   */
  NodePacking crossover(NodePacking donor, int donated, NodePacking receiver, int position) {
    Group inserted = donor.groups().get(donated);
    Set<Integer> twice = new HashSet<>(inserted.tasks());
    List<Group> groups = new ArrayList<>();
    List<Integer> lost = new ArrayList<>(receiver.lost());
    for (int i = 0; i <= receiver.groups().size(); i++) {
      if (i == position) {
        groups.add(inserted);
      }
      if (i < receiver.groups().size()) {
        Group group = receiver.groups().get(i);
        if (group.node() == inserted.node() || group.tasks().stream().anyMatch(twice::contains)) {
          lost.addAll(group.tasks());
        } else {
          groups.add(group);
        }
      }
    }
    lost.removeIf(twice::contains);
    return firstFit(groups, lost);
  }

  /** Deletes a node of a plan and places its tasks on the remaining ones. */
  NodePacking mutation(NodePacking packing, int deleted) {
    List<Group> groups = new ArrayList<>(packing.groups());
    List<Integer> lost = new ArrayList<>(packing.lost());
    lost.addAll(groups.remove(deleted).tasks());
    return firstFit(groups, lost);
  }

  /** Places tasks one after the other, each on the first node that has room. */
  NodePacking firstFit(List<Group> groups, List<Integer> tasks) {
    return place(groups, tasks, candidates -> candidates.get(0));
  }

  /** Places tasks one after the other, each on any node that has room. */
  NodePacking randomFit(List<Group> groups, List<Integer> tasks, SplittableRandom random) {
    return place(groups, tasks, candidates -> candidates.get(random.nextInt(candidates.size())));
  }

  private NodePacking place(
      List<Group> groups, List<Integer> tasks, ToIntFunction<List<Integer>> choice) {
    List<Group> filled = new ArrayList<>(groups);
    List<Integer> lost = new ArrayList<>();
    for (int task : tasks) {
      List<Integer> candidates = candidates(filled, task);
      if (candidates.isEmpty()) {
        lost.add(task);
      } else {
        int at = choice.applyAsInt(candidates);
        filled.set(at, with(filled.get(at), task));
      }
    }
    return new NodePacking(filled, lost);
  }

  private List<Integer> candidates(List<Group> groups, int task) {
    List<Integer> candidates = new ArrayList<>();
    for (int at = 0; at < groups.size(); at++) {
      if (rooms.fits(groups.get(at).node(), groups.get(at).tasks(), task)) {
        candidates.add(at);
      }
    }
    return candidates;
  }

  private static Group with(Group group, int task) {
    List<Integer> tasks = new ArrayList<>(group.tasks());
    tasks.add(task);
    return new Group(group.node(), tasks);
  }
}
