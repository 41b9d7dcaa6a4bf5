package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.text.Text;

/**
 * The identity of a topology domain (a rack, a spine block, a zone), unique in its cluster.
 *
 * @param value the identity, not blank
 */
public record DomainId(String value) implements Comparable<DomainId> {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code value} is blank or not Unicode
   */
  public DomainId {
    Text.requireName(value, "a domain id");
  }

  /** Returns the identity {@code value}. */
  public static DomainId of(String value) {
    return new DomainId(value);
  }

  @Override
  public int compareTo(DomainId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
