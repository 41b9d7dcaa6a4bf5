package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import java.util.List;
import java.util.function.IntPredicate;

/** Takes the first place. */
public final class FirstFitCollector implements PlacementCollector {

  private static final List<IntPredicate> ALL_NODES = List.of(node -> true);

  private List<Picks.Pick> picks = List.of();
  private NodeRange range = new NodeRange(0, 0);

  /** Returns the picks of the place, GPUs included; empty if there is none. */
  public List<Picks.Pick> picks() {
    return picks;
  }

  /** Returns the nodes that they are among. */
  public NodeRange range() {
    return range;
  }

  @Override
  public boolean isFinal(Picks picks, NodeRange range) {
    this.picks = picks.all();
    this.range = range;
    return true;
  }

  @Override
  public List<IntPredicate> nodeChoices() {
    return ALL_NODES;
  }

  @Override
  public int domainsWorthALook() {
    return 1;
  }

  @Override
  public boolean isWiderLevelWorthALook() {
    return false;
  }
}
