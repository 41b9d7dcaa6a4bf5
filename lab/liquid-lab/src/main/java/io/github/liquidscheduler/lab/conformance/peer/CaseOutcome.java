package io.github.liquidscheduler.lab.conformance.peer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What came of a case. */
public sealed interface CaseOutcome {

  /**
   * It was run.
   *
   * @param result what came out, in the form of what a case expects
   */
  record Ran(Map<String, Object> result) implements CaseOutcome {
    /** Copies the result. */
    public Ran {
      result = Collections.unmodifiableMap(new LinkedHashMap<>(result));
    }
  }

  /**
   * It was not run.
   *
   * @param reason what the case states that we have no word for
   */
  record Skipped(String reason) implements CaseOutcome {}
}
