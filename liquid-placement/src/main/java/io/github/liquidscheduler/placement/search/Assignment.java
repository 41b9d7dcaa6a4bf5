package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which tasks of a gang run on which hosts, what room is left there, and what it costs. */
final class Assignment {

  private final FeasibleNodes feasible;
  private final IncrementalCost cost;
  private final TaskShape[] shapes;
  private final int roles;
  private final boolean[] isAllowed;
  private final int[] tasks;
  private final int[] gpusLeft;
  private final long[] cpuLeft;
  private final long[] memoryLeft;
  private final int[] used;
  private final boolean[] isUsed;
  private int usedSize;
  private int[] changes = new int[48];
  private int changesSize;

  Assignment(GangShape gang, FeasibleNodes feasible, IncrementalCost cost) {
    this.feasible = feasible;
    this.cost = cost;
    roles = gang.job().roles().size();
    shapes = new TaskShape[roles];
    gang.tasks().forEach(shape -> shapes[gang.roleOf(shape)] = shape);
    tasks = new int[feasible.size() * roles];
    isAllowed = new boolean[tasks.length];
    gpusLeft = new int[feasible.size()];
    cpuLeft = new long[feasible.size()];
    memoryLeft = new long[feasible.size()];
    used = new int[feasible.size()];
    isUsed = new boolean[feasible.size()];
    for (int host = 0; host < feasible.size(); host++) {
      gpusLeft[host] = feasible.gpus(host);
      cpuLeft[host] = feasible.cpu(host);
      memoryLeft[host] = feasible.memory(host);
      allow(gang, host);
    }
  }

  /** Notes which roles may use the GPUs of the host: mostly the same as of the host before. */
  private void allow(GangShape gang, int host) {
    boolean isLikeBefore = host > 0 && feasible.pool(host).equals(feasible.pool(host - 1));
    for (int role = 0; role < roles; role++) {
      isAllowed[host * roles + role] =
          isLikeBefore
              ? isAllowed[(host - 1) * roles + role]
              : gang.allows(shapes[role], feasible.pool(host));
    }
  }

  FeasibleNodes feasible() {
    return feasible;
  }

  int roles() {
    return roles;
  }

  TaskShape shape(int role) {
    return shapes[role];
  }

  /** Returns how many tasks of the role still go on the host; negative if it holds too many. */
  int room(int host, int role) {
    if (!isAllowed[host * roles + role]) {
      return -tasks(host, role);
    }
    TaskShape shape = shapes[role];
    long room = Integer.MAX_VALUE;
    if (shape.gpus() > 0) {
      room = Math.floorDiv(gpusLeft[host], shape.gpus());
    }
    if (shape.cpu() > 0) {
      room = Math.min(room, Math.floorDiv(cpuLeft[host], shape.cpu()));
    }
    if (shape.memory() > 0) {
      room = Math.min(room, Math.floorDiv(memoryLeft[host], shape.memory()));
    }
    return (int) room;
  }

  /** Returns how many GPUs are left on the host. */
  int gpusLeft(int host) {
    return gpusLeft[host];
  }

  /** Returns how many tasks of the role run on the host. */
  int tasks(int host, int role) {
    return tasks[host * roles + role];
  }

  /** Puts tasks on a host, which need not have room for them for now. */
  void add(int host, int role, int count) {
    log(host, role, count);
    apply(host, role, count);
  }

  /** Takes tasks from a host that has them. */
  void remove(int host, int role, int count) {
    log(host, role, -count);
    apply(host, role, -count);
  }

  private void apply(int host, int role, int count) {
    change(host, role, count);
    if (count > 0) {
      cost.add(feasible.node(host), role, count);
    } else {
      cost.remove(feasible.node(host), role, -count);
    }
    if (!isUsed[host]) {
      isUsed[host] = true;
      used[usedSize++] = host;
    }
  }

  private void log(int host, int role, int count) {
    if (changesSize == changes.length) {
      changes = Arrays.copyOf(changes, 2 * changesSize);
    }
    changes[changesSize++] = host;
    changes[changesSize++] = role;
    changes[changesSize++] = count;
  }

  /** Returns where the changes from now on begin, to {@link #undoTo}. */
  int mark() {
    return changesSize;
  }

  /** Undoes the changes made since. */
  void undoTo(int mark) {
    while (changesSize > mark) {
      changesSize -= 3;
      apply(changes[changesSize], changes[changesSize + 1], -changes[changesSize + 2]);
    }
  }

  private void change(int host, int role, int count) {
    TaskShape shape = shapes[role];
    tasks[host * roles + role] += count;
    gpusLeft[host] -= count * shape.gpus();
    cpuLeft[host] -= count * shape.cpu();
    memoryLeft[host] -= count * shape.memory();
  }

  /** Returns how many hosts were used since all were empty; some may be empty again. */
  int usedHosts() {
    return usedSize;
  }

  /** Returns one of the hosts that were used. */
  int usedHost(int number) {
    return used[number];
  }

  /** Returns whether any task runs on the host. */
  boolean isTaken(int host) {
    for (int role = 0; isUsed[host] && role < roles; role++) {
      if (tasks(host, role) > 0) {
        return true;
      }
    }
    return false;
  }

  void clear() {
    for (int i = 0; i < usedSize; i++) {
      int host = used[i];
      isUsed[host] = false;
      Arrays.fill(tasks, host * roles, (host + 1) * roles, 0);
      gpusLeft[host] = feasible.gpus(host);
      cpuLeft[host] = feasible.cpu(host);
      memoryLeft[host] = feasible.memory(host);
    }
    usedSize = 0;
    changesSize = 0;
    cost.clear();
  }

  /** Returns who runs where, to {@link #restore}: host, role and number of tasks, in turn. */
  int[] save() {
    int[] saved = new int[3 * usedSize * roles];
    int size = 0;
    for (int i = 0; i < usedSize; i++) {
      for (int role = 0; role < roles; role++) {
        if (tasks(used[i], role) > 0) {
          saved[size++] = used[i];
          saved[size++] = role;
          saved[size++] = tasks(used[i], role);
        }
      }
    }
    return Arrays.copyOf(saved, size);
  }

  void restore(int[] saved) {
    clear();
    for (int i = 0; i < saved.length; i += 3) {
      add(saved[i], saved[i + 1], saved[i + 2]);
    }
  }

  /** Returns picks of what was saved, without GPUs. */
  List<Picks.Pick> picks(int[] saved) {
    List<Picks.Pick> picks = new ArrayList<>(saved.length / 3);
    for (int i = 0; i < saved.length; i += 3) {
      int host = saved[i];
      TaskShape shape = shapes[saved[i + 1]];
      picks.add(
          new Picks.Pick(
              shape, feasible.pool(host), feasible.node(host), saved[i + 2], new int[0]));
    }
    return picks;
  }
}
