package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.resource.Bandwidth;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of the cluster at one level: a zone, a spine block, a rack, an NVLink domain. Immutable.
 */
public final class Domain {

  private final DomainId id;
  private final String level;
  private final @Nullable DomainId parent;
  private final Link uplink;
  private final @Nullable Bandwidth fabric;

  private Domain(
      DomainId id,
      String level,
      @Nullable DomainId parent,
      Link uplink,
      @Nullable Bandwidth fabric) {
    this.id = Objects.requireNonNull(id, "id");
    this.level = Objects.requireNonNull(level, "level");
    this.parent = parent;
    this.uplink = Objects.requireNonNull(uplink, "uplink");
    this.fabric = fabric;
  }

  /** Returns a domain that hangs on the cluster itself, with an uplink that never limits. */
  public static Domain of(String level, String id) {
    return new Domain(DomainId.of(id), level, null, Link.UNLIMITED, null);
  }

  /** Returns this domain hanging on the domain {@code parent}. */
  public Domain in(String parent) {
    return new Domain(id, level, DomainId.of(parent), uplink, fabric);
  }

  /** Returns this domain with the link {@code uplink} to its parent. */
  public Domain withUplink(Link uplink) {
    return new Domain(id, level, parent, uplink, fabric);
  }

  /**
   * Returns this domain as an NVLink domain: its GPUs reach each other, also across nodes, at
   * {@code fabric} instead of over the network cards.
   */
  public Domain withFabric(Bandwidth fabric) {
    return new Domain(id, level, parent, uplink, Objects.requireNonNull(fabric, "fabric"));
  }

  /** Returns the identity. */
  public DomainId id() {
    return id;
  }

  /** Returns the name of the level, one of {@link ClusterTopology#levels()}. */
  public String level() {
    return level;
  }

  /** Returns the domain this one hangs on, or empty if it hangs on the cluster itself. */
  public Optional<DomainId> parent() {
    return Optional.ofNullable(parent);
  }

  /** Returns the link to the parent. */
  public Link uplink() {
    return uplink;
  }

  /** Returns the rate between two GPUs of this NVLink domain, or empty if it is none. */
  public Optional<Bandwidth> fabric() {
    return Optional.ofNullable(fabric);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Domain that
        && id.equals(that.id)
        && level.equals(that.level)
        && Objects.equals(parent, that.parent)
        && uplink.equals(that.uplink)
        && Objects.equals(fabric, that.fabric);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return level + " '" + id + "'";
  }
}
