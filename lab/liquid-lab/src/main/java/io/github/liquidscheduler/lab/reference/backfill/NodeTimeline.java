package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.placement.timeline.FreeProfile;
import io.github.liquidscheduler.placement.timeline.ReleaseTimes;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The free GPUs of equal nodes over time. A gang that one node can hold goes on the node with the
 * fewest GPUs free at its start that has enough until its end; a larger one on nodes empty all that
 * time, in the rack with the fewest sufficient ones if a rack can hold it, and of these on those
 * that become empty last. Ties go to the lowest position.
 *
 * <p>Counting suffices: windows are intervals, and intervals need no more GPUs than the most held
 * at one instant, so a job always finds the GPUs it was counted for. A call costs O(nodes × steps
 * of each).
 */
public final class NodeTimeline implements Timeline<Integer, GpusOnNodes> {

  private final NodeRacks racks;
  private final List<FreeProfile> nodes;
  private final ReleaseTimes releases = new ReleaseTimes();

  /** Makes the timeline of an idle cluster. */
  public NodeTimeline(NodeRacks racks) {
    this.racks = racks;
    nodes =
        IntStream.range(0, racks.nodes())
            .mapToObj(node -> new FreeProfile(racks.gpusPerNode()))
            .toList();
  }

  @Override
  public void advanceTo(long now) {
    nodes.forEach(node -> node.forgetBefore(now));
  }

  @Override
  public void hold(Slot<GpusOnNodes> slot) {
    add(slot, -slot.placement().gpusEach());
    releases.add(slot.window());
  }

  @Override
  public void release(Slot<GpusOnNodes> slot) {
    add(slot, slot.placement().gpusEach());
    releases.remove(slot.window());
  }

  private void add(Slot<GpusOnNodes> slot, int gpus) {
    for (int node : slot.placement().nodes()) {
      nodes.get(node).add(slot.window(), gpus);
    }
  }

  @Override
  public long nextRelease(long instant) {
    return releases.after(instant);
  }

  @Override
  public boolean fits(Slot<GpusOnNodes> slot) {
    GpusOnNodes placement = slot.placement();
    return placement.nodes().stream()
        .allMatch(node -> nodes.get(node).least(slot.window()) >= placement.gpusEach());
  }

  /**
   * Returns the GPUs that are free during all of a window, of all nodes together. During the window
   * of a reservation they are its spare GPUs, which jobs that run into it may have.
   */
  public long freeGpus(TimeWindow window) {
    return nodes.stream().mapToLong(node -> Math.max(0, node.least(window))).sum();
  }

  /**
   * Returns the placement of a gang of this size, if it fits.
   *
   * @throws IllegalArgumentException if {@code gpus} is less than 1
   */
  @Override
  public Optional<GpusOnNodes> place(Integer gpus, TimeWindow window) {
    if (gpus < 1) {
      throw new IllegalArgumentException("a gang must have at least 1 GPU, but had " + gpus);
    }
    return racks.isOnOneNode(gpus)
        ? fullestNode(gpus, window)
        : wholeNodes(racks.nodesFor(gpus), window);
  }

  private Optional<GpusOnNodes> fullestNode(int gpus, TimeWindow window) {
    int best = -1;
    long fewest = Long.MAX_VALUE;
    for (int node = 0; node < nodes.size(); node++) {
      long free = nodes.get(node).at(window.start());
      if (gpus <= free && free < fewest && nodes.get(node).least(window) >= gpus) {
        best = node;
        fewest = free;
      }
    }
    return best < 0 ? Optional.empty() : Optional.of(new GpusOnNodes(List.of(best), gpus));
  }

  private Optional<GpusOnNodes> wholeNodes(int count, TimeWindow window) {
    return racks.isInOneRack(count)
        ? fullestRack(count, window).map(empty -> lastEmptied(empty, count, window.start()))
        : Optional.of(empty(0, nodes.size(), window))
            .filter(empty -> empty.size() >= count)
            .map(empty -> lastEmptied(empty, count, window.start()));
  }

  /** Returns the empty nodes of the rack with the fewest sufficient ones. */
  private Optional<List<Integer>> fullestRack(int count, TimeWindow window) {
    List<Integer> best = List.of();
    for (int first = 0; first < nodes.size(); first += racks.nodesPerRack()) {
      int end = Math.min(nodes.size(), first + racks.nodesPerRack());
      List<Integer> empty = empty(first, end, window);
      if (empty.size() >= count && (best.isEmpty() || empty.size() < best.size())) {
        best = empty;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  private List<Integer> empty(int first, int end, TimeWindow window) {
    List<Integer> empty = new ArrayList<>();
    for (int node = first; node < end; node++) {
      if (nodes.get(node).least(window) >= racks.gpusPerNode()) {
        empty.add(node);
      }
    }
    return empty;
  }

  private GpusOnNodes lastEmptied(List<Integer> empty, int count, long start) {
    List<Integer> chosen =
        empty.stream()
            .sorted(
                Comparator.<Integer>comparingLong(node -> emptySince(node, start))
                    .reversed()
                    .thenComparing(Comparator.naturalOrder()))
            .limit(count)
            .sorted()
            .toList();
    return new GpusOnNodes(chosen, racks.gpusPerNode());
  }

  private long emptySince(int node, long instant) {
    return nodes.get(node).freeSince(instant, racks.gpusPerNode());
  }
}
