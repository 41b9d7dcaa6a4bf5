package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The part of reserved capacity that its users do not hold, GPU by GPU. */
final class UnusedCapacity {

  private UnusedCapacity() {}

  /** Returns the windows and places of a reserved slot that none of its users holds. */
  static List<Slot<Placement>> of(Slot<Placement> reserved, Collection<Slot<Placement>> users) {
    if (users.isEmpty()) {
      return List.of(reserved);
    }
    Map<GpuId, List<TimeWindow>> used = used(users);
    List<Slot<Placement>> left = new ArrayList<>();
    for (TaskPlacement task : reserved.placement().tasks()) {
      if (task.gpus().isEmpty()) {
        left.add(slot(reserved.window(), reserved.placement(), task));
      }
      for (int gpu : task.gpus()) {
        for (TimeWindow window :
            gaps(reserved.window(), used.getOrDefault(new GpuId(task.node(), gpu), List.of()))) {
          left.add(slot(window, reserved.placement(), partOf(task, gpu)));
        }
      }
    }
    return left;
  }

  private static Map<GpuId, List<TimeWindow>> used(Collection<Slot<Placement>> users) {
    // Never iterated.
    Map<GpuId, List<TimeWindow>> used = new LinkedHashMap<>();
    for (Slot<Placement> user : users) {
      for (TaskPlacement task : user.placement().tasks()) {
        // A partly held GPU stays reserved: only its users share it.
        for (int gpu : task.share().isWhole() ? task.gpus() : List.<Integer>of()) {
          used.computeIfAbsent(new GpuId(task.node(), gpu), any -> new ArrayList<>())
              .add(user.window());
        }
      }
    }
    return used;
  }

  /** Returns the parts of a window that overlap none of the others. */
  private static List<TimeWindow> gaps(TimeWindow whole, List<TimeWindow> others) {
    List<TimeWindow> gaps = new ArrayList<>();
    long free = whole.start();
    for (TimeWindow other :
        others.stream().sorted(Comparator.comparingLong(TimeWindow::start)).toList()) {
      long end = Math.min(other.start(), whole.end());
      if (free < end) {
        gaps.add(new TimeWindow(free, end));
      }
      free = Math.max(free, other.end());
    }
    if (free < whole.end()) {
      gaps.add(new TimeWindow(free, whole.end()));
    }
    return gaps;
  }

  private static Slot<Placement> slot(TimeWindow window, Placement reserved, TaskPlacement task) {
    return new Slot<>(window, new Placement(reserved.job(), List.of(task)));
  }

  /** Returns one GPU of a task, with its fraction of CPU and host memory, rounded up. */
  private static TaskPlacement partOf(TaskPlacement task, int gpu) {
    ResourceRequest whole = task.request();
    long parts = whole.gpus();
    ResourceRequest.Builder part = whole.toBuilder().gpus(1);
    whole.cpu().ifPresent(cpu -> part.cpu(new CpuCores(Math.ceilDiv(cpu.millicores(), parts))));
    whole
        .memory()
        .ifPresent(memory -> part.memory(new Memory(Math.ceilDiv(memory.bytes(), parts))));
    return new TaskPlacement(task.task(), task.node(), List.of(gpu), part.build());
  }
}
