package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceTest {

  private static final String DIVISION =
      """
      {"id": "half", "kind": "division", "scope": "%s", "needs": ["luck"],
       "total": {"gpu": 4}, "part": "%s", "usageWeight": 0,
       "queues": [
         {"name": "a", "priority": 0, "created": 0,
          "gpu": {"deserved": 2, "limit": -1, "overQuotaWeight": 1, "requested": 4}},
         {"name": "b", "priority": 0, "created": 1,
          "gpu": {"deserved": 0, "limit": -1, "overQuotaWeight": 1, "requested": 4}}]%s}
      """;

  private static final String SHARE =
      """
      {"id": "share", "kind": "dominant-share",
       "cohorts": [{"name": "labs", "parent": "all"},
                   {"name": "all", "quotas": [{"flavor": "v", "resource": "gpu", "nominal": 8}]}],
       "queues": [{"name": "a", "cohort": "labs", "weight": %s,
                   "quotas": [{"flavor": "v", "resource": "gpu", "nominal": 2}]}],
       "usage": {"a": [{"flavor": "v", "resource": "gpu", "amount": 4}]}%s}
      """;

  @TempDir Path folder;

  private GradedCase division(String scope, String part, String more) throws IOException {
    return CaseText.run(folder, DIVISION.formatted(scope, part, more));
  }

  private static String shares(int a, int b) {
    return ", \"expect\": {\"fairShare\": {\"a\": {\"gpu\": %d}, \"b\": {\"gpu\": %d}}}"
        .formatted(a, b);
  }

  @Test
  void aDivisionThatComesOutTheSamePasses() throws IOException {
    assertThat(division("core", "whole", shares(3, 1)).verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aDivisionThatComesOutOtherwiseFails() throws IOException {
    assertThat(division("core", "whole", shares(2, 2)).verdict()).isEqualTo(Verdict.FAILED);
  }

  @Test
  void onlyTheSurplusIsDividedWhereACaseSaysSo() throws IOException {
    assertThat(division("core", "over-quota-part", shares(2, 2)).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void aCaseWithoutAnExpectationIsRunAndNotGraded() throws IOException {
    GradedCase graded = division("core", "whole", "");

    assertThat(graded.verdict()).isEqualTo(Verdict.NOT_GRADED);
    assertThat(graded.result().orElseThrow().object("fairShare").object("a").number("gpu"))
        .isEqualTo(3);
  }

  @Test
  void whatOnlyThePeerHasIsSkippedWithItsName() throws IOException {
    GradedCase graded = division("peer-specific", "whole", shares(3, 1));

    assertThat(graded.verdict()).isEqualTo(Verdict.SKIPPED);
    assertThat(graded.reason()).isEqualTo("needs luck");
  }

  @Test
  void anUnknownKindIsSkipped() throws IOException {
    assertThat(CaseText.run(folder, "{\"id\": \"a\", \"kind\": \"tea\"}").reason())
        .isEqualTo("cases of the kind 'tea' are not run");
  }

  @Test
  void aCaseThatIsRefusedFailsAndSaysWhy() throws IOException {
    String noPart = "{\"id\": \"a\", \"kind\": \"division\", \"total\": {\"gpu\": 1}}";
    GradedCase graded = CaseText.run(folder, noPart);

    assertThat(graded.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(graded.reason()).isEqualTo("refused: part: is missing");
  }

  @Test
  void theQuotaOfACohortComesOnTopOfThatOfItsParts() throws IOException {
    String expected =
        """
        , "expect": {"shares": [{"name": "a", "share": 200}, {"name": "labs", "share": 200},
                                {"name": "all", "share": 0}]}
        """;

    assertThat(CaseText.run(folder, SHARE.formatted("1", expected)).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void whoBorrowsWithoutWeightHasAnInfiniteShare() throws IOException {
    String expected = ", \"expect\": {\"shares\": [{\"name\": \"a\", \"share\": \"infinite\"}]}";

    assertThat(CaseText.run(folder, SHARE.formatted("0", expected)).verdict())
        .isEqualTo(Verdict.PASSED);
  }

  @Test
  void theReportCountsByAreaAndScope() throws IOException {
    String one = DIVISION.formatted("core", "whole", shares(3, 1));
    String other = DIVISION.formatted("core", "whole", shares(0, 4));
    ConformanceReport report = CaseText.report(folder, one + "," + other);

    assertThat(report.rows()).hasSize(1);
    assertThat(report.rows().get(0).count(Verdict.PASSED)).isEqualTo(1);
    assertThat(report.rows().get(0).count(Verdict.FAILED)).isEqualTo(1);
    assertThat(report.rows().get(0).total()).isEqualTo(2);
  }

  @Test
  void resultsAreWrittenInTheFormOfExpectations() throws IOException {
    String json = CaseText.report(folder, DIVISION.formatted("core", "whole", shares(3, 1))).json();

    assertThat(json.replaceAll("\\s", ""))
        .isEqualTo(
            "{\"cases\":[{\"id\":\"half\",\"verdict\":\"passed\",\"result\":{\"fairShare\":"
                + "{\"a\":{\"gpu\":3},\"b\":{\"gpu\":1}}}}]}");
  }
}
