package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The free amounts of one node over time: CPU, host memory, and the share and memory of each GPU.
 */
final class NodeHoldings {

  private static final int WHOLE = GpuShare.WHOLE.thousandths();

  private final Node node;
  private final FreeProfile cpu;
  private final FreeProfile memory;

  /** The GPUs that were ever held, by their index. */
  private final Map<Integer, GpuProfile> gpus = new TreeMap<>();

  /** The free share of one GPU, in thousandths, and its free memory, in bytes. */
  private record GpuProfile(FreeProfile share, FreeProfile memory) {

    static GpuProfile of(Memory memory) {
      return new GpuProfile(new FreeProfile(WHOLE), new FreeProfile(memory.bytes()));
    }
  }

  NodeHoldings(Node node) {
    this.node = node;
    cpu = new FreeProfile(node.cpu().millicores());
    memory = new FreeProfile(node.memory().bytes());
  }

  void forgetBefore(long instant) {
    cpu.forgetBefore(instant);
    memory.forgetBefore(instant);
    for (GpuProfile gpu : gpus.values()) {
      gpu.share().forgetBefore(instant);
      gpu.memory().forgetBefore(instant);
    }
  }

  /** Takes the amounts of a task if {@code sign} is -1, or gives them back if it is 1. */
  void add(TaskPlacement task, TimeWindow window, int sign) {
    ResourceRequest request = task.request();
    cpu.add(window, sign * request.cpu().orElse(CpuCores.ZERO).millicores());
    memory.add(window, sign * request.memory().orElse(Memory.ZERO).bytes());
    for (int index : task.gpus()) {
      GpuProfile gpu =
          gpus.computeIfAbsent(index, held -> GpuProfile.of(node.gpus().get(held).memory()));
      gpu.share().add(window, (long) sign * task.share().thousandths());
      gpu.memory().add(window, sign * request.gpuMemory().orElse(Memory.ZERO).bytes());
    }
  }

  /**
   * Returns tasks that hold the largest amounts held during a window, resource by resource: a
   * placement beside them fits at every instant of the window.
   *
   * @param since GPUs that are wholly free since an earlier instant count as held
   * @param first the index of the first of them
   * @param isLost true for lost GPUs, which are never free
   */
  List<TaskPlacement> most(TimeWindow window, long since, int first, IntPredicate isLost) {
    List<TaskPlacement> tasks = new ArrayList<>();
    List<Integer> whole = new ArrayList<>();
    gpus.forEach(
        (index, gpu) -> {
          int free = (int) Math.max(0, gpu.share().least(window));
          if (!isLost.test(index) && (free == 0 || isFreeBefore(gpu, window, since))) {
            whole.add(index);
          } else if (free < WHOLE && !isLost.test(index)) {
            tasks.add(task(first + tasks.size(), List.of(index), shared(gpu, window, free)));
          }
        });
    for (int index = 0; since > Long.MIN_VALUE && index < node.gpus().size(); index++) {
      if (!gpus.containsKey(index) && !isLost.test(index)) {
        whole.add(index);
      }
    }
    Collections.sort(whole);
    ResourceRequest rest = rest(window, whole.size());
    if (rest.gpus() > 0 || rest.cpu().isPresent() || rest.memory().isPresent()) {
      tasks.add(task(first + tasks.size(), whole, rest));
    }
    return tasks;
  }

  private static boolean isFreeBefore(GpuProfile gpu, TimeWindow window, long since) {
    return since > Long.MIN_VALUE
        && gpu.share().least(window) == WHOLE
        && gpu.share().freeSince(window.start(), WHOLE) < since;
  }

  private static ResourceRequest shared(GpuProfile gpu, TimeWindow window, int free) {
    ResourceRequest.Builder request =
        ResourceRequest.builder().gpus(1).share(GpuShare.ofThousandths(WHOLE - free));
    long held = held(gpu.memory(), window);
    return (held > 0 ? request.gpuMemory(new Memory(held)) : request).build();
  }

  private ResourceRequest rest(TimeWindow window, int wholeGpus) {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(wholeGpus);
    long heldCpu = held(cpu, window);
    long heldMemory = held(memory, window);
    if (heldCpu > 0) {
      request.cpu(new CpuCores(heldCpu));
    }
    if (heldMemory > 0) {
      request.memory(new Memory(heldMemory));
    }
    return request.build();
  }

  /** Returns the largest amount held during a window, cut at the total. */
  private static long held(FreeProfile profile, TimeWindow window) {
    return profile.amount() - Math.max(0, profile.least(window));
  }

  private TaskPlacement task(int index, List<Integer> indices, ResourceRequest request) {
    return new TaskPlacement(new TaskId("held", index), node.id(), indices, request);
  }
}
