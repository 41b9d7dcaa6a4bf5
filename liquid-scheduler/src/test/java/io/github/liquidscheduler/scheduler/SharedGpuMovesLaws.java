package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * Where jobs share GPUs, moves for others and to faster GPUs leave nobody below the speed that it
 * was promised, and restarts change no decision.
 */
class SharedGpuMovesLaws {

  /** Slows jobs down beside those of workloads that it draws from their names. */
  private static final class Picky implements InterferencePredictor {

    @Override
    public Prediction retainedSpeed(ColocationQuery query) {
      boolean isSlowed = query.coRunners().stream().anyMatch(other -> slows(query.victim(), other));
      return Prediction.certain(isSlowed ? 0.2 : 1, Provenance.PRIOR);
    }

    private static boolean slows(ColocationProfile one, ColocationProfile other) {
      return slow(one.workload().family(), other.workload().family());
    }

    static boolean slow(String one, String other) {
      return Math.floorMod(one.hashCode() + other.hashCode(), 3) == 0;
    }
  }

  /** What happens, whether jobs move to faster GPUs, and the most starts in one event. */
  private record World(QueueLaws.Sequence sequence, boolean inQueues, boolean rises, int starts) {

    LiquidScheduler.Builder options(LiquidScheduler.Builder options) {
      options.colocation(Colocation.of(new Picky())).startsPerEvent(starts);
      return rises ? options.performance(HeterogeneityLaws.MOVING) : options;
    }

    LiquidScheduler.Builder options() {
      return options(sequence.events().options());
    }
  }

  @Provide
  Arbitrary<World> worlds() {
    return Combinators.combine(
            QueueLaws.sequences(JobDraft.thatMayShare()),
            Arbitraries.of(1, 2, 5),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false),
            Arbitraries.of(1, 1000))
        .as(
            (sequence, moves, inQueues, rises, starts) ->
                new World(
                    new QueueLaws.Sequence(
                        QueueLaws.moving(sequence.events(), moves), sequence.trees()),
                    inQueues,
                    rises,
                    starts));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyIsMovedBesideOneThatSlowsItOrThatItSlows(@ForAll("worlds") World world) {
    LiquidScheduler first = world.options().build();
    Playback playback = EventSequence.playback(first);
    Map<JobId, JobSpec> jobs = new HashMap<>();
    int moves = 0;
    List<ClusterStep> steps = world.sequence().events().steps();
    for (int step = 0; step < steps.size(); step++) {
      List<ClusterEvent> events = new ArrayList<>();
      if (world.inQueues()) {
        world
            .sequence()
            .treeBefore(step)
            .map(tree -> new ClusterEvent.QueuesChanged(playback.now(), tree))
            .ifPresent(events::add);
      }
      for (ClusterEvent event : events) {
        playback.take(event);
      }
      Optional<ClusterEvent> event = playback.event(steps.get(step));
      if (event.isPresent()) {
        Scheduler restored =
            world
                .options(world.sequence().events().options(first.view().topology()))
                .restore(first.snapshot());
        Scheduler copy = first.copy();

        List<Decision> decisions = playback.take(event.get()).decisions();

        assertThat(restored.on(event.get())).isEqualTo(decisions);
        assertThat(copy.on(event.get())).isEqualTo(decisions);
        note(event.get(), jobs);
        moves += check(decisions, first.view(), jobs);
      }
    }
    Statistics.label("moves").collect(moves == 0 ? "none" : "some");
  }

  private static void note(ClusterEvent event, Map<JobId, JobSpec> jobs) {
    if (event instanceof ClusterEvent.JobSubmitted submitted) {
      jobs.put(submitted.job(), submitted.spec());
    } else if (event instanceof ClusterEvent.JobUpdated updated) {
      jobs.put(updated.job(), updated.spec());
    }
  }

  /** Checks all whose GPUs a move or start has changed; returns the number of moves. */
  private static int check(List<Decision> decisions, ClusterView view, Map<JobId, JobSpec> jobs) {
    int moves = 0;
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Migrate move) {
        moves++;
        view.placement(move.job()).ifPresent(place -> check(place, view, jobs));
      } else if (decision instanceof Decision.Start start) {
        view.placement(start.job()).ifPresent(place -> check(place, view, jobs));
      }
    }
    return moves;
  }

  private static void check(Placement place, ClusterView view, Map<JobId, JobSpec> jobs) {
    for (TaskPlacement task : place.tasks()) {
      for (int gpu : task.gpus()) {
        List<JobSpec> residents =
            view.residents(new GpuId(task.node(), gpu)).stream()
                .map(resident -> jobs.get(resident.job()))
                .toList();
        for (JobSpec one : residents) {
          assertThat(residents)
              .as("beside %s on %s", one.id(), task)
              .noneMatch(other -> !other.id().equals(one.id()) && isSlowed(one, other));
        }
      }
    }
  }

  private static boolean isSlowed(JobSpec one, JobSpec other) {
    return one.sharing() instanceof Sharing.Exclusive
        || (one.sharing() instanceof Sharing.Guaranteed
            && Picky.slow(one.workload().family(), other.workload().family()));
  }
}
