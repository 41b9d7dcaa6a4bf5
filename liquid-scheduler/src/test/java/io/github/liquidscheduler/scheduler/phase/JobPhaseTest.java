package io.github.liquidscheduler.scheduler.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JobPhaseTest {

  private static final Instant LATER = Instant.ofEpochSecond(60);
  private static final Instant LATEST = Instant.ofEpochSecond(90);

  private static final List<JobId> OTHERS = List.of(JobId.of("x"), JobId.of("y"));

  private static final Map<String, JobPhase> PHASES = new LinkedHashMap<>();

  static {
    PHASES.put("waiting", new JobPhase.Waiting(Optional.of(LATER), Optional.of(LATEST)));
    PHASES.put("stopping", new JobPhase.Stopping(on(0, 1), LATER, Optional.of(LATEST)));
    PHASES.put("starting", new JobPhase.Starting(on(0), OTHERS, LATER));
    PHASES.put("launching", new JobPhase.Launching(on(0)));
    PHASES.put("running", new JobPhase.Running(on(0), true));
    PHASES.put("resizing", JobPhase.Resizing.of(on(0, 1), on(0), List.of()).atSwitch());
    PHASES.put("moving", JobPhase.Moving.of(on(0, 1), on(1, 2), OTHERS));
  }

  @Test
  void onlyTheseTransitionsAreLegal() {
    Map<String, Set<String>> legal =
        Map.of(
            "waiting", Set.of("waiting", "starting", "launching", "running"),
            "starting", Set.of("waiting", "starting", "launching", "running"),
            "launching", Set.of("waiting", "stopping", "running"),
            "stopping", Set.of("waiting", "stopping", "running"),
            "moving", Set.of("waiting", "stopping", "running", "moving"),
            "running", Set.of("waiting", "stopping", "running", "resizing", "moving"),
            "resizing", Set.of("waiting", "stopping", "running", "resizing"));

    PHASES.forEach(
        (name, phase) -> {
          Set<String> follow = new TreeSet<>();
          PHASES.forEach(
              (other, next) -> follow.addAll(mayFollow(phase, next) ? Set.of(other) : Set.of()));
          assertThat(follow).as(name).isEqualTo(legal.get(name));
        });
  }

  @Test
  void anIllegalTransitionNamesBothPhases() {
    assertThatThrownBy(() -> phase("stopping").then(phase("resizing")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a job that is stopping cannot be resizing next");
  }

  @Test
  void aSavedPhaseIsLoadedAsItWas() {
    PHASES.forEach((name, phase) -> assertThat(reloaded(phase)).as(name).isEqualTo(phase));
  }

  @Test
  void aPromisedTimeGoesOnAfterTheGracePeriodIfItIsLater() {
    JobPhase stopping = new JobPhase.Stopping(on(0), LATER, Optional.empty());

    assertThat(stopping.sharing(Optional.of(Instant.EPOCH))).isEqualTo(stopping);
    assertThat(stopping.sharing(Optional.of(LATEST)).notBefore()).contains(LATER);
    assertThat(((JobPhase.Stopping) stopping.sharing(Optional.of(LATEST))).stopped().notBefore())
        .contains(LATEST);
    assertThat(stopping.sharing(Optional.of(LATEST)).undelayed()).isEqualTo(stopping);
  }

  @Test
  void theDelayOfARetryGoesOnWhereAPromiseBeginsEarlier() {
    JobPhase delayed = JobPhase.Waiting.AT_ONCE.sharing(Optional.of(LATEST)).delayed(LATER);

    assertThat(delayed.notBefore()).contains(LATEST);
    assertThat(delayed.sharing(Optional.of(Instant.EPOCH)).notBefore()).contains(LATER);
    assertThat(delayed.sharing(Optional.empty()).notBefore()).contains(LATER);
    assertThat(delayed.undelayed()).isEqualTo(JobPhase.Waiting.AT_ONCE);
    assertThat(reloaded(delayed)).isEqualTo(delayed);
    assertThat(reloaded(JobPhase.Waiting.AT_ONCE.delayed(LATER)))
        .isEqualTo(JobPhase.Waiting.AT_ONCE.delayed(LATER));
    assertThat(reloaded(JobPhase.Waiting.AT_ONCE.sharing(Optional.of(LATER))))
        .isEqualTo(JobPhase.Waiting.AT_ONCE.sharing(Optional.of(LATER)));
  }

  @Test
  void aJobWithAPlacementCannotBeDelayed() {
    assertThatThrownBy(() -> phase("running").delayed(LATER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a job that is running cannot be delayed");
  }

  @Test
  void whatAShrinkingJobGivesUpLeavesAtTheSwitch() {
    JobPhase.Resizing shrinking = JobPhase.Resizing.of(on(0, 1, 2), on(0), List.of());

    assertThat(shrinking.promised()).isEqualTo(on(0));
    assertThat(shrinking.leaving()).contains(tasks(List.of(1, 2), List.of(1, 2)));
  }

  @Test
  void aGrowingJobHoldsItsNewTasksOnceTheOthersHaveLeft() {
    JobPhase growing = JobPhase.Resizing.of(on(0), on(0, 1), OTHERS);

    assertThat(growing.held()).contains(on(0));
    assertThat(growing.without(JobId.of("x")).held()).contains(on(0));
    assertThat(growing.without(JobId.of("x")).without(JobId.of("y")).held()).contains(on(0, 1));
  }

  @Test
  void newTasksThatStillWaitAreOnlyDropped() {
    JobPhase.Resizing growing = JobPhase.Resizing.of(on(0), on(0, 1), OTHERS);

    assertThat(growing.redirected(on(0), List.of()).leaving()).isEmpty();
  }

  @Test
  void aMovingJobHoldsOnlyWhereItRunsAndLeavesWhatIsNotOfItsNewPlacement() {
    JobPhase moving = phase("moving");

    assertThat(moving.promised()).isEqualTo(on(1, 2));
    assertThat(moving.held()).contains(on(0, 1));
    assertThat(moving.leaving()).contains(on(0));
    assertThat(moving.without(JobId.of("x")).after()).containsExactly(JobId.of("y"));
  }

  @Test
  void aStartingJobHoldsNothing() {
    assertThat(phase("starting").held()).isEmpty();
  }

  @Test
  void aLaunchingJobHoldsAllOfItsPlacement() {
    assertThat(phase("launching").held()).contains(on(0));
  }

  @Test
  void aGrowingJobThatGoesBackGivesUpItsNewTasks() {
    JobPhase.Resizing back =
        JobPhase.Resizing.of(on(0), on(0, 1), List.of()).redirected(on(0), List.of());

    assertThat(back.running()).isEqualTo(on(0));
    assertThat(back.leaving()).contains(tasks(List.of(1), List.of(1)));
  }

  private static boolean mayFollow(JobPhase phase, JobPhase next) {
    try {
      return phase.then(next).equals(next);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static JobPhase reloaded(JobPhase phase) {
    SnapshotSection.Builder section = SnapshotSection.builder();
    new SavedPhase(phase).save(section);
    return section.build().read(in -> SavedPhase.load(in, phase.notBefore()));
  }

  /** Returns a placement of one task on each of these GPUs of one node. */
  private static Placement on(int... gpus) {
    List<Integer> used = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    for (int gpu : gpus) {
      indices.add(used.size());
      used.add(gpu);
    }
    return tasks(indices, used);
  }

  private static Placement tasks(List<Integer> indices, List<Integer> gpus) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (int task = 0; task < gpus.size(); task++) {
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", indices.get(task)),
              NodeId.of("n0"),
              List.of(gpus.get(task)),
              ResourceRequest.ofGpus(1)));
    }
    return new Placement(JobId.of("a"), tasks);
  }

  private static JobPhase phase(String name) {
    return Objects.requireNonNull(PHASES.get(name));
  }
}
