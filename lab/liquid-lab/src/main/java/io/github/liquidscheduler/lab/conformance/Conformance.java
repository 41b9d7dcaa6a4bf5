package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.lab.conformance.peer.PeerCases;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import java.util.List;
import java.util.Optional;

/**
 * Runs cases of other schedulers through this one and grades what comes out. Nothing but what a
 * case states is configured, and no case is known by its name.
 */
public final class Conformance {

  private static final String UNREST = "decides more in rounds in which nothing happens";

  private Conformance() {}

  /** Runs all cases, in their order. */
  public static ConformanceReport run(PeerCases cases) {
    return new ConformanceReport(cases.cases().stream().map(Conformance::run).toList());
  }

  private static GradedCase run(PeerCase peerCase) {
    Optional<CaseKind> kind = CaseKind.named(peerCase.kind());
    if (kind.isEmpty()) {
      return skipped(peerCase, "cases of the kind '" + peerCase.kind() + "' are not run");
    }
    if (peerCase.scope().equals(PeerCase.PEER_SPECIFIC)) {
      return skipped(peerCase, "needs " + String.join(", ", peerCase.needs()));
    }
    try {
      CaseOutcome outcome = peerCase.facts().reading(() -> kind.get().runner().run(peerCase));
      return switch (outcome) {
        case CaseOutcome.Skipped out -> skipped(peerCase, out.reason());
        case CaseOutcome.Ran out -> graded(peerCase, kind.get().grader(), new Facts(out.result()));
      };
    } catch (Refusal e) {
      return of(peerCase, Verdict.FAILED, "refused: " + e.getMessage(), Optional.empty());
    }
  }

  private static GradedCase skipped(PeerCase peerCase, String reason) {
    return of(peerCase, Verdict.SKIPPED, reason, Optional.empty());
  }

  private static GradedCase graded(PeerCase peerCase, Grader grader, Facts result) {
    Optional<Facts> expected = peerCase.expectation();
    if (expected.isEmpty()) {
      return of(peerCase, Verdict.NOT_GRADED, "", Optional.of(result));
    }
    Grade grade = grader.grade(expected.get(), result);
    Optional<String> choice =
        grade.strict() ? Optional.empty() : Choices.reason(peerCase, expected.get(), result);
    List<String> unrest = result.has("unrest") ? result.texts("unrest") : List.of();
    if (!unrest.isEmpty()) {
      return of(peerCase, Verdict.FAILED, UNREST, Optional.of(result));
    }
    Verdict graded = grade.lenient() ? Verdict.PASSED_LENIENTLY : Verdict.FAILED;
    Verdict verdict = grade.strict() ? Verdict.PASSED : graded;
    if (choice.isPresent() && !grade.lenient()) {
      verdict = Verdict.DIFFERS;
    }
    return of(peerCase, verdict, choice.orElse(""), Optional.of(result));
  }

  private static GradedCase of(
      PeerCase peerCase, Verdict verdict, String reason, Optional<Facts> result) {
    return new GradedCase(
        peerCase.id(), peerCase.area(), peerCase.scope(), verdict, reason, result);
  }
}
