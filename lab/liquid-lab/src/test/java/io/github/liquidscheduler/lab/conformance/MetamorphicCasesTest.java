package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.lab.conformance.peer.PeerCases;
import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every case that passes still does, in the same way, where nothing that matters is changed. */
class MetamorphicCasesTest {

  @TempDir Path folder;

  /** A change that must change nothing. */
  enum Change {
    RENAMED(CaseRenaming::of),
    DOUBLED(CaseDoubling::of),
    REORDERED(CaseReordering::of),
    EXTENDED(CaseAdditions::of);

    private final UnaryOperator<Map<String, Object>> change;

    Change(UnaryOperator<Map<String, Object>> change) {
      this.change = change;
    }
  }

  @ParameterizedTest
  @EnumSource
  void casesComeOutTheSame(Change change) throws IOException {
    List<String> changed = new ArrayList<>();
    for (String file : List.of("kai.json", "kueue.json")) {
      PeerCases cases = PeerCases.read(SharedData.file("peer-cases/" + file));
      List<GradedCase> graded = Conformance.run(cases).cases();
      for (int i = 0; i < graded.size(); i++) {
        Verdict before = graded.get(i).verdict();
        if (before == Verdict.PASSED || before == Verdict.PASSED_LENIENTLY) {
          changed.addAll(difference(cases.cases().get(i), before, change));
        }
      }
    }
    assertThat(changed).isEmpty();
  }

  private List<String> difference(PeerCase stated, Verdict before, Change change)
      throws IOException {
    Map<String, Object> made = change.change.apply(stated.facts().fields());
    GradedCase after = CaseText.run(folder, JsonText.of(made));
    return after.verdict() == before
        ? List.of()
        : List.of(
            "%s: %s, before %s; %s"
                .formatted(stated.id(), after.verdict(), before, after.reason()));
  }
}
