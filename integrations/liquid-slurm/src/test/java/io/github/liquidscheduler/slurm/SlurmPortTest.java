package io.github.liquidscheduler.slurm;

import static io.github.liquidscheduler.slurm.Trial.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.reconcile.Observation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.scheduling.AdvanceReservation.Maintenance;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Slurm, in which the submit plugin makes jobs wait. */
@Tag("slurm")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SlurmPortTest {
  private static Trial trial;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    trial = Trial.start(folder, Ownership.BEGIN_TIME, 10);
  }

  @AfterAll
  static void stop() {
    if (trial != null) {
      trial.close();
    }
  }

  @AfterEach
  void noJobIsLeft() throws IOException {
    trial.run("scancel", "--user=root");
    until("no job is left", () -> trial.run("squeue", "--noheader").isEmpty());
  }

  @Test
  void allIsSetUp() throws IOException {
    assertThat(trial.port().checks()).noneMatch(check -> check.level() == SlurmCheck.Level.PROBLEM);
    assertThat(trial.port().checks().toString()).contains("22.05", "JobSubmitPlugins=lua");
  }

  @Test
  void aSubmittedJobWaitsForTheScheduler() throws IOException {
    String id = trial.submit("true", "-N2", "--gpus-per-node=a100:4", "-t5");
    ObservedJob job = trial.job(id);
    assertThat(job.state()).isEqualTo(new ObservedState.Held());
    assertThat(job.isOwned()).isTrue();
    assertThat(job.attempt()).isZero();
    assertThat(job.request())
        .isInstanceOfSatisfying(
            ObservedRequest.Understood.class,
            understood -> {
              assertThat(understood.spec().gpus()).isEqualTo(8);
              assertThat(understood.spec().tasks()).isEqualTo(2);
              assertThat(understood.spec().topology().preferred()).contains("leaf");
            });
  }

  @Test
  void manyStartsAtOnceHaveAnAnswerEach() throws IOException {
    List<Command> starts = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String id = trial.submit("sleep 60", "-N1", "--gpus-per-node=1");
      String node = i == 20 ? "nosuch" : "gpu000" + (1 + i % 4);
      starts.add(Trial.start(id, 0, 1, node));
    }
    trial.port().observe();
    List<Confirmation> answers = trial.port().carryOut(starts).toCompletableFuture().join();

    assertThat(answers).extracting(Confirmation::command).isEqualTo(starts);
    assertThat(answers.get(20).refused().orElseThrow()).contains("Invalid node name");
    assertThat(answers).filteredOn(answer -> answer.refused().isPresent()).hasSize(1);
    until("29 run", () -> trial.run("squeue", "--noheader", "-tR").lines().count() == 29);
  }

  @Test
  void theClusterHasItsNodesAndSwitches() throws IOException {
    Observation seen = trial.port().observe();
    assertThat(seen.cluster().nodes()).hasSize(4);
    assertThat(seen.cluster().gpuCount()).isEqualTo(32);
    assertThat(seen.cluster().domainOf(NodeId.of("gpu0003"), "leaf").orElseThrow().id().value())
        .isEqualTo("leaf1");
  }

  @Test
  void maintenanceIsSeenBeforehand() throws IOException {
    trial.run(
        "scontrol",
        "create",
        "reservation",
        "ReservationName=weekend",
        "StartTime=now+60minutes",
        "Duration=90",
        "Users=root",
        "Flags=MAINT",
        "Nodes=gpu[0002-0003]");
    List<Maintenance> seen = trial.port().observe().maintenance();
    trial.run("scontrol", "delete", "ReservationName=weekend");

    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().id().value()).isEqualTo("weekend");
    assertThat(seen.getFirst().nodes()).containsExactly(NodeId.of("gpu0002"), NodeId.of("gpu0003"));
    assertThat(Duration.between(seen.getFirst().from(), seen.getFirst().until()))
        .isEqualTo(Duration.ofMinutes(90));
    assertThat(Duration.between(Instant.now(), seen.getFirst().from()))
        .isBetween(Duration.ofMinutes(55), Duration.ofMinutes(61));
    assertThat(trial.port().observe().maintenance()).isEmpty();
  }

  @Test
  void aJobStartsOnExactlyTheNodesDecidedAndFinishes() throws IOException {
    String id = trial.submit("true", "-N2", "--gpus-per-node=4");
    trial.job(id);
    assertThat(trial.carryOut(Trial.start(id, 0, 4, "gpu0004", "gpu0002")).refused()).isEmpty();
    until("it has finished", () -> trial.job(id).state() instanceof ObservedState.Ended);
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Ended(Outcome.FINISHED));
    assertThat(trial.run("scontrol", "show", "job", id)).contains(" NodeList=gpu[0002,0004]");
  }

  @Test
  void aRunningJobIsOnItsNodesAndHasOneTaskOnEach() throws IOException {
    String id = trial.running("gpu0001", "gpu0003");
    assertThat(trial.job(id).on()).containsExactly(NodeId.of("gpu0001"), NodeId.of("gpu0003"));
    assertThat(trial.job(id).state()).isInstanceOf(ObservedState.Running.class);
    assertThat(trial.carryOut(Trial.start(id, 0, 1, "gpu0001", "gpu0003")).refused()).isEmpty();
    assertThat(trial.carryOut(Trial.start(id, 0, 1, "gpu0001", "gpu0002")).refused()).isPresent();
    trial.run("scancel", id);
    until("it is cancelled", () -> trial.job(id).state() instanceof ObservedState.Ended);
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Ended(Outcome.CANCELLED));
  }

  @Test
  void aStoppedJobWaitsAgainAndItsNextAttemptRunsElsewhere() throws IOException {
    String id = trial.running("gpu0001");
    assertThat(trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ZERO)).refused())
        .isEmpty();
    until("it waits", () -> trial.job(id).state() instanceof ObservedState.Held);
    assertThat(trial.job(id).attempt()).isEqualTo(1);
    assertThat(trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ZERO)).refused())
        .isEmpty();
    assertThat(trial.carryOut(Trial.start(id, 1, 1, "gpu0002")).refused()).isEmpty();
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).on()).containsExactly(NodeId.of("gpu0002"));
  }

  @Test
  void aJobHearsThatItIsToStop(@TempDir Path folder) throws IOException {
    Path heard = folder.resolve("heard");
    String script =
        "trap 'touch %s' TERM; for i in $(seq 150); do sleep 0.2; done".formatted(heard);
    String id = trial.submit(script, "-N1", "--gpus-per-node=1");
    trial.job(id);
    trial.carryOut(Trial.start(id, 0, 1, "gpu0003"));
    until("it runs", () -> trial.run("squeue", "-h", "-j", id, "-o", "%M").matches("0:0[1-9]"));
    trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ofSeconds(20)));
    until("it has heard", () -> trial.job(id).attempt() == 0 && heard.toFile().exists());
    assertThat(trial.job(id).state()).isInstanceOf(ObservedState.Running.class);
  }

  @Test
  void aReleasedJobIsHeldAgain() throws IOException {
    String id = trial.submit("true", "-N4", "--exclusive");
    trial.running("gpu0001");
    trial.run("scontrol", "update", "JobId=" + id, "StartTime=now");
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Released(List.of()));
    trial.carryOut(new Command.Hold(JobId.of(id)));
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Held());
  }

  @Test
  void aPinnedJobThatHasNoRoomYetIsReleasedToItsNodes() throws IOException {
    trial.running("gpu0004");
    String id = trial.submit("true", "-N1", "--exclusive");
    trial.job(id);
    trial.carryOut(Trial.start(id, 0, 8, "gpu0004"));
    assertThat(trial.job(id).state())
        .isEqualTo(new ObservedState.Released(List.of(NodeId.of("gpu0004"))));
  }

  @Test
  void anExplanationIsShownBesideTheWordsOfOthersUntilTheJobStarts() throws IOException {
    String id = trial.submit("sleep 60", "-N1", "--gpus-per-node=1");
    trial.run("scontrol", "update", "JobId=" + id, "AdminComment=ticket 17 liquid.begin=5");
    trial.job(id);
    assertThat(
            trial
                .carryOut(new Command.Explain(JobId.of(id), "#4 of 17; needs \"16\" GPUs"))
                .refused())
        .isEmpty();
    assertThat(trial.run("scontrol", "show", "job", id))
        .contains("AdminComment=ticket 17 liquid.begin=5 liquid: #4 of 17; needs \"16\" GPUs");
    assertThat(comment(id)).isEqualTo("liquid: #4 of 17; needs \"16\" GPUs");
    trial.carryOut(new Command.Refuse(JobId.of(id), "ask for less"));
    assertThat(trial.run("scontrol", "show", "job", id)).contains("liquid: never: ask for less");
    assertThat(comment(id)).isEqualTo("liquid: never: ask for less");
    trial.carryOut(Trial.start(id, 0, 1, "gpu0001"));
    assertThat(trial.run("scontrol", "show", "job", id))
        .contains("AdminComment=ticket 17 liquid.begin=5 liquid.required=-");
    trial.carryOut(new Command.Explain(JobId.of(id), ""));
    assertThat(comment(id)).isEmpty();
  }

  /** Returns what users see of a job's comment. */
  private static String comment(String id) throws IOException {
    return trial.run("squeue", "--noheader", "--jobs=" + id, "--format=%k");
  }

  @Test
  void aJobThatIsGivenUpLeavesTheQueueWithAWord() throws IOException {
    String id = trial.submit("true", "-N1", "--gpus-per-node=1");
    trial.carryOut(new Command.GiveUp(JobId.of(id), "it ran before"));
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Ended(Outcome.CANCELLED));
    assertThat(trial.run("scontrol", "show", "job", id)).contains("liquid: it ran before");
  }

  @Test
  void eachTaskOfAnArrayIsAJobAndAsManyWaitAsMayRun() throws IOException {
    String id = trial.submit("sleep 60", "-N1", "--gpus-per-node=1", "--array=0-3%2");
    assertThat(trial.statesOf(id)).containsExactly("Held", "Held", "NotYet", "NotYet");
    trial.carryOut(Trial.start(id + "_1", 0, 1, "gpu0002"));
    until("it runs", () -> trial.job(id + "_1").state() instanceof ObservedState.Running);
    assertThat(trial.job(id + "_1").on()).containsExactly(NodeId.of("gpu0002"));
    assertThat(trial.statesOf(id)).containsExactly("Held", "Running", "NotYet", "NotYet");
  }

  @Test
  void usersKeepTheirHoldsDependenciesBeginTimesAndLicences() throws IOException {
    String held = trial.submit("true", "-N1", "-H");
    String after = trial.submit("true", "-N1", "-d", "afterok:" + held);
    String later = trial.submit("true", "-N1", "--begin=now+1hour");
    String licensed = trial.submit("true", "-N1", "-L", "datalake:3");
    String other = trial.submit("true", "-N1", "-L", "datalake:2");
    assertThat(trial.job(held).state()).isEqualTo(new ObservedState.NotYet("held by its user"));
    assertThat(trial.job(after).state().toString()).contains("depends on afterok:" + held);
    assertThat(trial.job(later).state().toString()).contains("NotYet", "begins at");
    assertThat(trial.job(licensed).state()).isEqualTo(new ObservedState.Held());
    assertThat(trial.job(other).state().toString())
        .contains("needs 2 of licence datalake, and 1 are free");
    trial.run("scontrol", "release", held);
    assertThat(trial.job(held).state()).isEqualTo(new ObservedState.Held());
  }

  @Test
  void aJobOutsideThePartitionsIsWatchedOnly() throws IOException {
    String id = trial.submit("sleep 60", "-p", "other", "-N1", "--gpus-per-node=2");
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).isOwned()).isFalse();
    assertThat(((ObservedRequest.Understood) trial.job(id).request()).spec().gpus()).isEqualTo(2);
  }

  @Test
  void nodesAreDrainedAndGivenUp() throws IOException {
    trial.run("scontrol", "update", "NodeName=gpu0001", "State=DRAIN", "Reason=test");
    trial.slurm().killNode("gpu0002");
    trial.run("scontrol", "update", "NodeName=gpu0002", "State=DOWN", "Reason=test");
    try {
      Observation seen = trial.port().observe();
      assertThat(seen.conditions())
          .containsEntry(NodeId.of("gpu0001"), NodeCondition.DRAINING)
          .containsEntry(NodeId.of("gpu0002"), NodeCondition.DOWN)
          .containsEntry(NodeId.of("gpu0003"), NodeCondition.UP);
    } finally {
      trial.run("scontrol", "update", "NodeName=gpu0001", "State=RESUME");
      trial.slurm().startNode("gpu0002");
    }
    until(
        "they are back",
        () ->
            trial.port().observe().conditions().values().stream()
                .allMatch(NodeCondition.UP::equals));
  }

  @Test
  void jobsAreGivenBackToSlurmAsTheirUsersSubmittedThem() throws IOException {
    trial.running("gpu0001");
    String pinned = trial.submit("sleep 60", "-N1", "--exclusive");
    trial.job(pinned);
    trial.carryOut(Trial.start(pinned, 0, 8, "gpu0001"));
    String later = trial.submit("true", "-N1", "--begin=now+1hour");
    String held = trial.submit("true", "-N1", "-H");
    assertThat(trial.port().release())
        .contains("job %s is Slurm's".formatted(pinned), "job %s is Slurm's".formatted(later));
    until("it runs", () -> trial.job(pinned).state() instanceof ObservedState.Running);
    assertThat(trial.job(pinned).on()).doesNotContain(NodeId.of("gpu0001"));
    assertThat(trial.run("squeue", "-h", "-j", later, "-o", "%r")).isEqualTo("BeginTime");
    assertThat(trial.run("scontrol", "show", "job", later)).doesNotContain("2040", "liquid.");
    assertThat(trial.run("squeue", "-h", "-j", held, "-o", "%r")).isEqualTo("JobHeldUser");
    assertThat(trial.port().release()).isEmpty();
  }

  @Test
  void aJobThatSlurmDoesNotKnowIsNowhere() throws IOException {
    assertThat(trial.port().lookUp(JobId.of("99999"))).isEmpty();
    String id = trial.submit("true", "-N1");
    assertThat(trial.port().lookUp(JobId.of(id)).orElseThrow().state())
        .isEqualTo(new ObservedState.Held());
    trial.run("scancel", id);
    assertThat(trial.carryOut(new Command.Hold(JobId.of("99999"))).refused()).isPresent();
  }
}
