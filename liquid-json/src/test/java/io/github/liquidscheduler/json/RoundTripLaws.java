package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import io.github.liquidscheduler.arbitrary.DecisionArbitraries;
import io.github.liquidscheduler.arbitrary.EventArbitraries;
import io.github.liquidscheduler.arbitrary.JobArbitraries;
import io.github.liquidscheduler.arbitrary.PlanArbitraries;
import io.github.liquidscheduler.arbitrary.SnapshotArbitraries;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written reads back as an equal value, on one line and indented. */
class RoundTripLaws {

  @Property
  void ofClusters(@ForAll("clusters") ClusterTopology cluster) {
    roundTrip(JsonCodecs.CLUSTER, cluster);
  }

  @Property
  void ofJobs(@ForAll("jobs") JobSpec job) {
    roundTrip(JsonCodecs.JOB, job);
  }

  @Property(tries = 200)
  void ofJobFiles(@ForAll("jobFiles") List<JobSpec> jobs) {
    roundTrip(JsonCodecs.JOBS, jobs);
  }

  @Property
  void ofEvents(@ForAll("events") ClusterEvent event) {
    roundTrip(JsonCodecs.EVENT, event);
  }

  @Property
  void ofDecisions(@ForAll("decisions") Decision decision) {
    roundTrip(JsonCodecs.DECISION, decision);
  }

  @Property(tries = 300)
  void ofPlans(@ForAll("plans") BatchPlan plan) {
    roundTrip(JsonCodecs.PLAN, plan);
  }

  @Property
  void ofExplanations(@ForAll("explanations") Explanation explanation) {
    roundTrip(JsonCodecs.EXPLANATION, explanation);
  }

  @Property
  void ofCounterfactuals(@ForAll("counterfactuals") Counterfactual counterfactual) {
    roundTrip(JsonCodecs.COUNTERFACTUAL, counterfactual);
  }

  @Property(tries = 200)
  void ofSnapshots(@ForAll("snapshots") SchedulerSnapshot snapshot) {
    roundTrip(JsonCodecs.SNAPSHOT, snapshot);
  }

  private static <T> void roundTrip(JsonCodec<T> codec, T value) {
    String line = codec.write(value);
    assertThat(line).doesNotContain("\n");
    assertThat(codec.read("line", line)).isEqualTo(value);
    assertThat(codec.read("indented", codec.writeIndented(value))).isEqualTo(value);
    assertThat(codec.write(codec.read("line", line))).isEqualTo(line);
  }

  @Provide
  Arbitrary<ClusterTopology> clusters() {
    return ClusterArbitraries.clusters();
  }

  @Provide
  Arbitrary<JobSpec> jobs() {
    return JobArbitraries.jobs();
  }

  @Provide
  Arbitrary<List<JobSpec>> jobFiles() {
    return JobArbitraries.jobs().list().ofMaxSize(4).uniqueElements(JobSpec::id);
  }

  @Provide
  Arbitrary<ClusterEvent> events() {
    return EventArbitraries.events();
  }

  @Provide
  Arbitrary<Decision> decisions() {
    return DecisionArbitraries.decisions();
  }

  @Provide
  Arbitrary<BatchPlan> plans() {
    return PlanArbitraries.plans();
  }

  @Provide
  Arbitrary<Explanation> explanations() {
    return DecisionArbitraries.explanations();
  }

  @Provide
  Arbitrary<Counterfactual> counterfactuals() {
    return DecisionArbitraries.counterfactuals();
  }

  @Provide
  Arbitrary<SchedulerSnapshot> snapshots() {
    return SnapshotArbitraries.snapshots();
  }
}
