package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import java.util.List;
import java.util.function.IntPredicate;

/** What becomes of the places that a {@link GangSearch} finds for a gang. */
public interface PlacementCollector {

  /**
   * Takes note of a place: all tasks of the gang are picked. The picks are undone afterwards.
   *
   * @param picks the picks
   * @param range the nodes they are among
   * @return whether the search is over
   */
  boolean isFinal(Picks picks, NodeRange range);

  /**
   * Returns the sets of nodes to fill a domain from, by position, one after the other; the first
   * holds all nodes.
   */
  List<IntPredicate> nodeChoices();

  /** Returns how many domains of one level that hold the gang are weight a look. */
  int domainsWorthALook();

  /** Returns whether the level above the narrowest that holds the gang is weight a look, too. */
  boolean isWiderLevelWorthALook();
}
