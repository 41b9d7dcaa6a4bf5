package io.github.liquidscheduler.formats.input;

import java.util.LinkedHashMap;
import java.util.Map;

/** The place where each node or domain was first named, to reject repetitions. */
public final class NodePlaces {

  private final String what;
  private final Map<String, Token> first = new LinkedHashMap<>();

  /** Begins with no names, of what messages call so. */
  public NodePlaces(String what) {
    this.what = what;
  }

  /** Notes a name, or refuses it if it was named before. */
  public void add(Token name) {
    Token before = first.putIfAbsent(name.text(), name);
    if (before != null) {
      throw name.error(what + " must be named once, and was on " + before.place());
    }
  }
}
