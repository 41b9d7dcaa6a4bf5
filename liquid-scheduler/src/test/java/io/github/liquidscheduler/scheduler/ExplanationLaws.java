package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Invariants of every explanation, on every cluster. */
class ExplanationLaws {

  private final Placer placer = Placers.bestFit();

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES);
  }

  @Provide
  Arbitrary<EventSequence> sequencesOfOneRole() {
    return EventSequence.sequences(JobDraft.ofOneRole(), EventSequence.POLICIES);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void lessIsAlwaysAvailableThanRequested(@ForAll("sequences") EventSequence sequence) {
    explainAll(
        sequence,
        (scheduler, explanation) ->
            assertThat(explanation.unmetConstraints())
                .allMatch(unmet -> unmet.available() < unmet.requested())
                .doesNotHaveDuplicates());
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void withEachRemedyTheJobFits(@ForAll("sequences") EventSequence sequence) {
    explainAll(
        sequence,
        (scheduler, explanation) -> {
          JobSpec job = scheduler.job(explanation.job()).orElseThrow();
          for (Counterfactual remedy : explanation.remedies()) {
            assertThat(fitsWith(remedy, job, scheduler)).as("%s for %s", remedy, job).isTrue();
          }
        });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void everyRemedyIsMinimal(@ForAll("sequencesOfOneRole") EventSequence sequence) {
    explainAll(
        sequence,
        (scheduler, explanation) -> {
          JobSpec job = scheduler.job(explanation.job()).orElseThrow();
          for (Counterfactual remedy : explanation.remedies()) {
            for (Counterfactual less : lessThan(remedy)) {
              assertThat(fitsWith(less, job, scheduler)).as("%s for %s", less, job).isFalse();
            }
          }
        });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void thePositionIsThatInTheQueue(@ForAll("sequences") EventSequence sequence) {
    explainAll(
        sequence,
        (scheduler, explanation) -> {
          List<JobId> waiting = scheduler.waiting();
          int ahead = scheduler.queuePosition(explanation.job()).orElseThrow();
          assertThat(explanation.queue().ahead()).isEqualTo(ahead);
          assertThat(explanation.queue().next()).isEqualTo(waiting.subList(0, Math.min(3, ahead)));
        });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void explainingChangesNothing(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler asked = sequence.scheduler();
    LiquidScheduler left = sequence.scheduler();
    Playback ofAsked = EventSequence.playback(asked);
    Playback ofLeft = EventSequence.playback(left);

    for (ClusterStep step : sequence.steps()) {
      assertThat(ofAsked.play(step)).isEqualTo(ofLeft.play(step));
      asked.waiting().forEach(job -> assertThat(asked.explain(job)).isEqualTo(asked.explain(job)));
      assertThat(asked.snapshot()).isEqualTo(left.snapshot());
    }
  }

  private interface Judge {
    void judge(LiquidScheduler scheduler, Explanation explanation);
  }

  private void explainAll(EventSequence sequence, Judge judge) {
    LiquidScheduler scheduler = sequence.options().placer(placer).build();
    Playback playback = EventSequence.playback(scheduler);
    for (ClusterStep step : sequence.steps()) {
      if (playback.play(step).isPresent()) {
        scheduler.waiting().forEach(job -> judge.judge(scheduler, scheduler.explain(job)));
      }
    }
  }

  /** Returns remedies that change one thing less than a remedy does. */
  private static List<Counterfactual> lessThan(Counterfactual remedy) {
    List<Counterfactual> less = new ArrayList<>();
    if (remedy instanceof Counterfactual.FewerTasks fewer) {
      less.add(new Counterfactual.FewerTasks(fewer.tasks() + 1, fewer.gpus()));
    } else if (remedy instanceof Counterfactual.AfterJobsEnd ends && ends.jobs().size() > 1) {
      ends.jobs()
          .forEach(
              job ->
                  less.add(
                      new Counterfactual.AfterJobsEnd(
                          without(ends.jobs(), job), ends.expectedAt())));
    } else if (remedy instanceof Counterfactual.AfterReturn back
        && back.nodes().size() + back.gpus().size() > 1) {
      back.nodes()
          .forEach(
              node ->
                  less.add(
                      new Counterfactual.AfterReturn(without(back.nodes(), node), back.gpus())));
      back.gpus()
          .forEach(
              gpu ->
                  less.add(
                      new Counterfactual.AfterReturn(back.nodes(), without(back.gpus(), gpu))));
    }
    return less;
  }

  private static <T> List<T> without(List<T> all, T one) {
    return all.stream().filter(other -> !other.equals(one)).toList();
  }

  private boolean fitsWith(Counterfactual remedy, JobSpec job, LiquidScheduler scheduler) {
    ClusterState state = ClusterState.copyOf(scheduler.view());
    return switch (remedy) {
      case Counterfactual.FewerTasks fewer -> fits(state, withTasks(job, fewer.tasks()));
      case Counterfactual.WiderLevel wider ->
          fits(state, job.toBuilder().topology(TopologyConstraint.required(wider.level())).build());
      case Counterfactual.OtherModel other ->
          fits(state, job.toBuilder().gpuModels(List.of(other.model())).build());
      case Counterfactual.SmallerRequest smaller ->
          fits(state, withRequest(job, smaller.role(), smaller.request()));
      case Counterfactual.WithoutLabels labels -> fits(state, withoutLabels(job));
      case Counterfactual.AfterJobsEnd ends -> fitsAfter(state, job, ends.jobs(), state::release);
      case Counterfactual.AfterGivingBack back ->
          fitsAfter(state, job, back.jobs(), state::release);
      // There are no queues here; QueueLaws.
      case Counterfactual.WithinQuotas less -> false;
      case Counterfactual.IfPreemptible changed -> false;
      case Counterfactual.AfterReturn back -> {
        for (GpuId gpu : back.gpus()) {
          state.restore(gpu);
        }
        Consumer<NodeId> returns = node -> state.setHealth(node, NodeHealth.UP);
        yield fitsAfter(state, job, back.nodes(), returns);
      }
    };
  }

  private <T> boolean fitsAfter(ClusterState state, JobSpec job, List<T> all, Consumer<T> change) {
    all.forEach(change);
    return fits(state, job);
  }

  private boolean fits(ClusterState state, JobSpec job) {
    return placer.place(state, job.atLeastSize()).isPresent();
  }

  private static JobSpec withTasks(JobSpec job, int tasks) {
    List<TaskRole> roles = new ArrayList<>(job.roles());
    roles.set(0, new TaskRole(roles.get(0).name(), tasks, roles.get(0).request()));
    return job.toBuilder().roles(roles).parallelism(Parallelism.fixed(tasks)).build();
  }

  private static JobSpec withoutLabels(JobSpec job) {
    List<TaskRole> anywhere = job.roles().stream().map(role -> role.on(Map.of())).toList();
    return job.toBuilder().nodeLabels(Map.of()).roles(anywhere).build();
  }

  private static JobSpec withRequest(JobSpec job, String role, ResourceRequest request) {
    List<TaskRole> roles =
        job.roles().stream()
            .map(
                other ->
                    other.name().equals(role) ? new TaskRole(role, other.count(), request) : other)
            .toList();
    return job.toBuilder().roles(roles).build();
  }
}
