package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

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

  private long forgotten = Long.MIN_VALUE;
  private boolean held;

  NodeHoldings(Node node) {
    this.node = node;
    cpu = new FreeProfile(node.cpu().millicores());
    memory = new FreeProfile(node.memory().bytes());
  }

  /** Returns true if anything was ever held. */
  boolean wereHeld() {
    return held;
  }

  private void forgetBefore(long instant) {
    cpu.forgetBefore(instant);
    memory.forgetBefore(instant);
    for (GpuProfile gpu : gpus.values()) {
      gpu.share().forgetBefore(instant);
      gpu.memory().forgetBefore(instant);
    }
  }

  /**
   * Takes the amounts of a task if {@code sign} is -1, or gives them back if it is 1. Forgets the
   * time before {@code now}.
   */
  void add(TaskPlacement task, TimeWindow window, int sign, long now) {
    held = true;
    if (now > forgotten) {
      forgotten = now;
      forgetBefore(now);
    }
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
   * @param isLost true for lost GPUs, which are never free
   */
  List<TaskPlacement> most(TimeWindow window, IntPredicate isLost) {
    List<TaskPlacement> tasks = new ArrayList<>();
    List<Integer> whole = new ArrayList<>();
    gpus.forEach(
        (index, gpu) -> {
          int free = (int) Math.max(0, gpu.share().least(window));
          if (!isLost.test(index) && free == 0) {
            whole.add(index);
          } else if (free < WHOLE && !isLost.test(index)) {
            tasks.add(task(tasks.size(), List.of(index), shared(gpu, window, free)));
          }
        });
    ResourceRequest rest = rest(window, whole.size());
    if (rest.gpus() > 0 || rest.cpu().isPresent() || rest.memory().isPresent()) {
      tasks.add(task(tasks.size(), whole, rest));
    }
    return tasks;
  }

  /** Returns the windows for which {@link #most} is the same. */
  FreeProfile.Alike alike(TimeWindow window) {
    FreeProfile.Alike alike = cpu.alike(window).and(memory.alike(window));
    for (GpuProfile gpu : gpus.values()) {
      alike = alike.and(gpu.share().alike(window)).and(gpu.memory().alike(window));
    }
    return alike;
  }

  /**
   * Returns the GPUs that are wholly free during a window, since an instant before {@code since}.
   */
  List<Integer> freeSinceBefore(TimeWindow window, long since, IntPredicate isLost) {
    List<Integer> free = new ArrayList<>();
    for (int index = 0; index < node.gpus().size(); index++) {
      @Nullable GpuProfile gpu = gpus.get(index);
      if (!isLost.test(index) && (gpu == null || isFreeBefore(gpu, window, since))) {
        free.add(index);
      }
    }
    return free;
  }

  private static boolean isFreeBefore(GpuProfile gpu, TimeWindow window, long since) {
    return gpu.share().least(window) == WHOLE
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
