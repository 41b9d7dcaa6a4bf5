package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.conformance.peer.PeerCases;
import io.github.liquidscheduler.shareddata.SharedData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedPeerCasesTest {

  @ParameterizedTest
  @CsvSource({
    "kai.json, fair-share-division, core, 39, 39",
    "kai.json, allocate, core, 50, 52",
    "kai.json, allocate, extended, 19, 20",
    "kai.json, consolidation, core, 15, 15",
    "kai.json, consolidation, extended, 3, 6",
    "kai.json, preempt, core, 27, 27",
    "kai.json, preempt, extended, 6, 6",
    "kai.json, reclaim, core, 56, 56",
    "kai.json, reclaim, extended, 12, 12",
    "kai.json, stale-gang, extended, 1, 1",
    "kueue.json, dominant-share, core, 8, 8",
    "kueue.json, fair-sharing-cycle, core, 9, 9",
    "kueue.json, fair-sharing-preemption, core, 19, 19",
    "kueue.json, quota-cycle, core, 13, 14",
    "kueue.json, quota-preemption, core, 22, 22",
    "kueue.json, topology-assignment, core, 66, 68",
    "kueue.json, topology-assignment, extended, 3, 3",
    "kueue.json, topology-cycle, core, 13, 13",
  })
  void asManyCasesComeOutTheSameAsEver(
      String file, String area, String scope, int strict, int lenient) {
    ConformanceReport report =
        Conformance.run(PeerCases.read(SharedData.file("peer-cases/" + file)));

    assertThat(report.rows())
        .filteredOn(row -> row.area().equals(area) && row.scope().equals(scope))
        .singleElement()
        .satisfies(
            row -> {
              int passed = row.count(Verdict.PASSED);
              assertThat(passed).isGreaterThanOrEqualTo(strict);
              assertThat(passed + row.count(Verdict.PASSED_LENIENTLY))
                  .isGreaterThanOrEqualTo(lenient);
            });
  }
}
