package io.github.liquidscheduler.simulator.conformance;

import io.github.liquidscheduler.simulator.conformance.peer.Facts;
import io.github.liquidscheduler.simulator.conformance.peer.PeerCase;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What we do otherwise on purpose, by what a case states. */
final class Choices {

  /**
   * A choice.
   *
   * @param concerns whether a case is about it
   * @param reason why we differ
   */
  private record Choice(Predicate<PeerCase> concerns, String reason) {}

  private static final List<Choice> CHOICES =
      List.of(
          new Choice(
              Choices::leavesOutWhereItWas,
              "a group was placed before, but the case does not say where: it is placed anew"));

  private Choices() {}

  private static boolean leavesOutWhereItWas(PeerCase peerCase) {
    return peerCase.facts().objects("groups").stream()
        .anyMatch(group -> group.has("previous") && !isStated(group.object("previous")));
  }

  private static boolean isStated(Facts assignment) {
    return !assignment.list("domains").isEmpty();
  }

  /** Returns why what comes out of a case may be something else than it expects. */
  static Optional<String> reason(PeerCase peerCase) {
    return CHOICES.stream()
        .filter(choice -> choice.concerns().test(peerCase))
        .map(Choice::reason)
        .findFirst();
  }
}
