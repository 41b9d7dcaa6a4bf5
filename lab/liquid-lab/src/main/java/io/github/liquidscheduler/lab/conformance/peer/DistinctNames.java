package io.github.liquidscheduler.lab.conformance.peer;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** Hands out names of which no two are the same, whatever names a case states. Mutable. */
public final class DistinctNames {

  private final Set<String> taken;

  /** Begins with names that are taken. */
  public DistinctNames(Collection<String> taken) {
    this.taken = new LinkedHashSet<>(taken);
  }

  /** Takes a name: the one that is wanted, or else that with the next number behind it. */
  public String take(String wanted) {
    String name = wanted;
    for (int number = 2; !taken.add(name); number++) {
      name = wanted + " " + number;
    }
    return name;
  }
}
