package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.cluster.ClusterRunner;
import io.github.liquidscheduler.lab.conformance.cluster.CycleRunner;
import io.github.liquidscheduler.lab.conformance.cluster.PreemptionRunner;
import io.github.liquidscheduler.lab.conformance.peer.CaseRunner;
import io.github.liquidscheduler.lab.conformance.quota.DivisionRunner;
import io.github.liquidscheduler.lab.conformance.quota.DominantShareRunner;
import java.util.Arrays;
import java.util.Optional;

/** The ways of writing a case that we can run. */
enum CaseKind {
  DIVISION("division", new DivisionRunner(), Graders::division),
  DOMINANT_SHARE("dominant-share", new DominantShareRunner(), Graders::dominantShare),
  TOPOLOGY("topology-assignment", new TopologyRunner(), Graders::topology),
  CLUSTER("cluster", new ClusterRunner(), Graders::cluster),
  QUOTA_PREEMPTION("quota-preemption", new PreemptionRunner(), Graders::preemption),
  QUOTA_CYCLE("quota-cycle", new CycleRunner(), Graders::cycle),
  TOPOLOGY_CYCLE("topology-cycle", new CycleRunner(), Graders::cycle);

  private final String written;
  private final CaseRunner runner;
  private final Grader grader;

  CaseKind(String written, CaseRunner runner, Grader grader) {
    this.written = written;
    this.runner = runner;
    this.grader = grader;
  }

  /** Returns the kind that files call so, if there is one. */
  static Optional<CaseKind> named(String written) {
    return Arrays.stream(values()).filter(kind -> kind.written.equals(written)).findFirst();
  }

  CaseRunner runner() {
    return runner;
  }

  Grader grader() {
    return grader;
  }
}
