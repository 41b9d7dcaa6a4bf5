package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The same as a {@link NodeTimeline}, second by second: what holds GPUs is a list, every question
 * looks at each second, and every second is tried as a start.
 */
final class SecondsTimeline implements Timeline<Integer, GpusOnNodes> {

  private static final int LAST = 2_000;

  private final NodeRacks racks;
  private final List<Slot<GpusOnNodes>> held = new ArrayList<>();
  private long now;

  SecondsTimeline(NodeRacks racks) {
    this.racks = racks;
  }

  @Override
  public void advanceTo(long instant) {
    now = instant;
  }

  @Override
  public void hold(Slot<GpusOnNodes> slot) {
    held.add(slot);
  }

  @Override
  public void release(Slot<GpusOnNodes> slot) {
    if (!held.remove(slot)) {
      throw new IllegalStateException("nobody holds " + slot);
    }
  }

  @Override
  public long nextRelease(long instant) {
    return instant < LAST ? instant + 1 : TimeWindow.FOREVER;
  }

  @Override
  public boolean fits(Slot<GpusOnNodes> slot) {
    return slot.placement().nodes().stream()
        .allMatch(node -> least(node, slot.window()) >= slot.placement().gpusEach());
  }

  int free(int node, long second) {
    int free = racks.gpusPerNode();
    for (Slot<GpusOnNodes> slot : held) {
      boolean isThere =
          slot.window().overlaps(TimeWindow.of(second, 1))
              && slot.placement().nodes().contains(node);
      free -= isThere ? slot.placement().gpusEach() : 0;
    }
    return free;
  }

  private int least(int node, TimeWindow window) {
    int least = racks.gpusPerNode();
    for (long second = window.start(); second < window.end(); second++) {
      least = Math.min(least, free(node, second));
    }
    return least;
  }

  @Override
  public Optional<GpusOnNodes> place(Integer gpus, TimeWindow window) {
    List<Integer> nodes = new ArrayList<>();
    boolean isOne = gpus <= racks.gpusPerNode();
    for (int node = 0; node < racks.nodes(); node++) {
      if (least(node, window) >= (isOne ? gpus : racks.gpusPerNode())) {
        nodes.add(node);
      }
    }
    if (isOne) {
      return nodes.stream()
          .min(Comparator.comparingInt(node -> free(node, window.start())))
          .map(node -> new GpusOnNodes(List.of(node), gpus));
    }
    int count = (gpus + racks.gpusPerNode() - 1) / racks.gpusPerNode();
    return domain(nodes, count)
        .map(
            domain ->
                domain.stream()
                    .sorted(Comparator.comparingLong(node -> -emptySince(node, window.start())))
                    .limit(count)
                    .sorted()
                    .toList())
        .map(chosen -> new GpusOnNodes(chosen, racks.gpusPerNode()));
  }

  private Optional<List<Integer>> domain(List<Integer> nodes, int count) {
    if (count > racks.nodesPerRack()) {
      return Optional.of(nodes).filter(all -> all.size() >= count);
    }
    List<List<Integer>> domains = new ArrayList<>();
    for (int rack = 0; rack * racks.nodesPerRack() < racks.nodes(); rack++) {
      int number = rack;
      domains.add(nodes.stream().filter(node -> node / racks.nodesPerRack() == number).toList());
    }
    return domains.stream()
        .filter(domain -> domain.size() >= count)
        .min(Comparator.comparingInt(List::size));
  }

  private long emptySince(int node, long second) {
    long since = second;
    while (since > now && free(node, since - 1) == racks.gpusPerNode()) {
      since--;
    }
    return since;
  }
}
