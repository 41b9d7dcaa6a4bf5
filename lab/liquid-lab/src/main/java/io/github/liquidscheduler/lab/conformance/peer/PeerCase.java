package io.github.liquidscheduler.lab.conformance.peer;

import java.util.List;
import java.util.Optional;

/**
 * A scheduling case of another scheduler: what there is, and what has to come out of it.
 *
 * @param id its name in the file
 * @param kind how it is written down
 * @param area what it is about
 * @param scope {@code core}, {@code extended} or {@code peer-specific}
 * @param needs what it needs beyond nodes, GPUs, queues and jobs
 * @param facts all of it
 */
public record PeerCase(
    String id, String kind, String area, String scope, List<String> needs, Facts facts) {

  /** The scope of cases about what only the peer has. */
  public static final String PEER_SPECIFIC = "peer-specific";

  /** Copies the needs. */
  public PeerCase {
    needs = List.copyOf(needs);
  }

  /** Returns the case that these facts state. */
  static PeerCase of(Facts facts) {
    String kind = facts.text("kind");
    return new PeerCase(
        facts.text("id"),
        kind,
        facts.ifText("area").orElse(kind),
        facts.ifText("scope").orElse("core"),
        facts.texts("needs"),
        facts);
  }

  /** Returns what has to come out, if the case says so. */
  public Optional<Facts> expectation() {
    return facts.has("expect") ? Optional.of(facts.object("expect")) : Optional.empty();
  }
}
