package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.text.Text;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of the cluster at one level: a zone, a spine block, a rack, an NVLink domain.
 *
 * @param level the name of the level, one of {@link ClusterTopology#levels()}
 * @param parent the domain this one hangs on, or empty if it hangs on the cluster itself
 * @param uplink the link to the parent
 * @param fabric the rate between two GPUs of this NVLink domain, or empty if it is none
 */
public record Domain(
    String level, DomainId id, Optional<DomainId> parent, Link uplink, Optional<Bandwidth> fabric) {

  /** Checks that nothing is null. */
  public Domain {
    Text.require(level, "a level");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(parent, "parent");
    Objects.requireNonNull(uplink, "uplink");
    Objects.requireNonNull(fabric, "fabric");
  }

  /** Returns a domain that hangs on the cluster itself, with an uplink that never limits. */
  public static Domain of(String level, String id) {
    return new Domain(level, DomainId.of(id), Optional.empty(), Link.UNLIMITED, Optional.empty());
  }

  /** Returns this domain hanging on the domain {@code parent}. */
  public Domain in(String parent) {
    return new Domain(level, id, Optional.of(DomainId.of(parent)), uplink, fabric);
  }

  /** Returns this domain with the link {@code uplink} to its parent. */
  public Domain withUplink(Link uplink) {
    return new Domain(level, id, parent, uplink, fabric);
  }

  /**
   * Returns this domain as an NVLink domain: its GPUs reach each other, also across nodes, at
   * {@code fabric} instead of over the network cards.
   */
  public Domain withFabric(Bandwidth fabric) {
    return new Domain(level, id, parent, uplink, Optional.of(fabric));
  }

  /** Returns the level and the identity, such as {@code rack 'r7'}. */
  @Override
  public String toString() {
    return level + " '" + id + "'";
  }
}
