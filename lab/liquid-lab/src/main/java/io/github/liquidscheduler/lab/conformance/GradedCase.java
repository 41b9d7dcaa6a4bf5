package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import java.util.Objects;
import java.util.Optional;

/**
 * A case and what came of it.
 *
 * @param id the case
 * @param area what it is about
 * @param scope {@code core}, {@code extended} or {@code peer-specific}
 * @param verdict how it went
 * @param reason why it is skipped, differs or was refused; one line, empty if there is nothing to
 *     say
 * @param result what came out; empty if it did not run
 */
record GradedCase(
    String id, String area, String scope, Verdict verdict, String reason, Optional<Facts> result) {

  GradedCase {
    Objects.requireNonNull(verdict, "verdict");
    reason = Refusal.oneLine(reason);
  }
}
