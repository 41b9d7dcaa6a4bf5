package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Takes the first place. */
final class FirstFound implements Verdict {

  private static final List<IntPredicate> ALL_NODES = List.of(node -> true);

  private final GangShape gang;
  private @Nullable Placement placement;

  FirstFound(GangShape gang) {
    this.gang = gang;
  }

  @Nullable Placement placement() {
    return placement;
  }

  @Override
  public boolean isFinal(Picks picks, NodeRange range) {
    placement = picks.placement(gang);
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
