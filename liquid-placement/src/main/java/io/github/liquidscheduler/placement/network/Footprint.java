package io.github.liquidscheduler.placement.network;

import java.util.Arrays;

/**
 * Where a candidate touches the tree: a part for each node it uses, and one for each domain above
 * them, with what it has there. Parts of nodes come first. Rebuilt for each candidate in O(nodes
 * used x levels), without garbage once it has grown.
 */
final class Footprint {

  private final LinkTable links;
  private final int[] partOf;
  private int[] link = new int[16];
  private int[] up = new int[16];
  private int[] nodesIn = new int[16];
  private int[] gpus = new int[16];
  private double[] bytes = new double[16];
  private int[] tasks = new int[16];
  private int roles;
  private int[] totals = new int[1];
  private int totalGpus;
  private int totalTasks;
  private int nodes;
  private int size;

  Footprint(LinkTable links) {
    this.links = links;
    partOf = new int[links.size()];
    Arrays.fill(partOf, -1);
  }

  /** Notes where {@code counts} touches the tree. */
  void trace(Traffic traffic, TaskCounts counts) {
    forget();
    roles = counts.roles();
    nodes = counts.size();
    totals = totals.length < roles ? new int[roles] : totals;
    for (int slot = 0; slot < nodes; slot++) {
      append(counts.node(slot));
    }
    for (int slot = 0; slot < nodes; slot++) {
      hang(slot);
    }
    for (int slot = 0; slot < nodes; slot++) {
      climb(slot, traffic, counts);
    }
  }

  private void forget() {
    for (int part = 0; part < size; part++) {
      partOf[link[part]] = -1;
    }
    size = 0;
    totalGpus = 0;
    totalTasks = 0;
    Arrays.fill(totals, 0);
  }

  private void climb(int slot, Traffic traffic, TaskCounts counts) {
    int slotGpus = 0;
    for (int role = 0; role < roles; role++) {
      int count = counts.tasks(slot, role);
      slotGpus += count * traffic.gpusPerTask(role);
      totals[role] += count;
      totalTasks += count;
    }
    totalGpus += slotGpus;
    for (int at = slot; at >= 0; at = up[at]) {
      nodesIn[at]++;
      gpus[at] += slotGpus;
      for (int role = 0; role < roles; role++) {
        tasks[at * roles + role] += counts.tasks(slot, role);
      }
    }
  }

  /** Opens the parts of the domains above a part, as far as they are not open yet. */
  private void hang(int part) {
    for (int at = part; links.parent(link[at]) >= 0; at = up[at]) {
      int domain = links.parent(link[at]);
      boolean isOpen = partOf[domain] >= 0;
      if (!isOpen) {
        append(domain);
      }
      up[at] = partOf[domain];
      if (isOpen) {
        return;
      }
    }
  }

  private void append(int newLink) {
    if (size == link.length) {
      grow();
    }
    if (tasks.length < (size + 1) * roles) {
      tasks = Arrays.copyOf(tasks, 2 * (size + 1) * roles);
    }
    link[size] = newLink;
    up[size] = -1;
    nodesIn[size] = 0;
    gpus[size] = 0;
    bytes[size] = 0;
    Arrays.fill(tasks, size * roles, (size + 1) * roles, 0);
    partOf[newLink] = size++;
  }

  private void grow() {
    link = Arrays.copyOf(link, 2 * size);
    up = Arrays.copyOf(up, 2 * size);
    nodesIn = Arrays.copyOf(nodesIn, 2 * size);
    gpus = Arrays.copyOf(gpus, 2 * size);
    bytes = Arrays.copyOf(bytes, 2 * size);
  }

  /** Returns the number of parts. */
  int size() {
    return size;
  }

  /** Returns the link above the part. */
  int link(int part) {
    return link[part];
  }

  /** Returns the part of the domain that the part hangs on, or -1. */
  int up(int part) {
    return up[part];
  }

  /** Returns the number of nodes used in the part. */
  int nodesIn(int part) {
    return nodesIn[part];
  }

  /** Returns the number of GPUs used in the part. */
  int gpus(int part) {
    return gpus[part];
  }

  /** Returns the number of tasks of the role in the part. */
  int tasks(int part, int role) {
    return tasks[part * roles + role];
  }

  /** Returns the number of tasks of all roles in the part. */
  int tasks(int part) {
    int sum = 0;
    for (int role = 0; role < roles; role++) {
      sum += tasks[part * roles + role];
    }
    return sum;
  }

  /** Returns the number of nodes used. */
  int nodes() {
    return nodes;
  }

  /** Returns the number of GPUs used. */
  int gpus() {
    return totalGpus;
  }

  /** Returns the number of tasks of the role. */
  int tasksOf(int role) {
    return totals[role];
  }

  /** Returns the number of tasks. */
  int tasks() {
    return totalTasks;
  }

  /** Returns the bytes that were noted for the link above the part. */
  double bytes(int part) {
    return bytes[part];
  }

  void addBytes(int part, double more) {
    bytes[part] += more;
  }
}
