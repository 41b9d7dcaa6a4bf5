package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.formats.input.Token;
import java.util.LinkedHashMap;
import java.util.Map;

/** The place where each node or domain was first named, to reject repetitions. */
final class NodePlaces {

  private final String what;
  private final Map<String, Token> first = new LinkedHashMap<>();

  NodePlaces(String what) {
    this.what = what;
  }

  void add(Token name) {
    Token before = first.putIfAbsent(name.text(), name);
    if (before != null) {
      throw name.error(what + " must be named once, and was on " + before.place());
    }
  }
}
