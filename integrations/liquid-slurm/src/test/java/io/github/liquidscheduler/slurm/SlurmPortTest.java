package io.github.liquidscheduler.slurm;

import static io.github.liquidscheduler.slurm.PrivateSlurm.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.reconcile.Observation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.slurm.SlurmConfig.Ownership;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Slurm, in which the submit plugin makes jobs wait. */
@Tag("slurm")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SlurmPortTest {
  private static PrivateSlurm slurm;
  private static SlurmPort port;
  private static Trial trial;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    slurm = PrivateSlurm.start(folder, Ownership.BEGIN_TIME, 10);
    port = SlurmPort.of(slurm.config(), System::nanoTime);
    trial = new Trial(slurm, port);
  }

  @AfterAll
  static void stop() {
    if (slurm != null) {
      port.close();
      slurm.close();
    }
  }

  @Test
  void allIsSetUp() throws IOException {
    assertThat(port.checks()).noneMatch(check -> check.level() == SlurmCheck.Level.PROBLEM);
    assertThat(port.checks().toString()).contains("22.05", "JobSubmitPlugins=lua");
  }

  @Test
  void aSubmittedJobWaitsForTheScheduler() throws IOException {
    String id = slurm.submit("true", "-N2", "--gpus-per-node=a100:4", "-t5");
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
    slurm.run("scancel", id);
  }

  @Test
  void theClusterHasItsNodesAndSwitches() throws IOException {
    Observation seen = port.observe();
    assertThat(seen.cluster().nodes()).hasSize(4);
    assertThat(seen.cluster().gpuCount()).isEqualTo(32);
    assertThat(seen.cluster().domainOf(NodeId.of("gpu3"), "leaf").orElseThrow().id().value())
        .isEqualTo("right");
  }

  @Test
  void aJobStartsOnExactlyTheNodesDecidedAndFinishes() throws IOException {
    String id = slurm.submit("true", "-N2", "--gpus-per-node=4");
    trial.job(id);
    assertThat(trial.carryOut(Trial.start(id, 0, 4, "gpu4", "gpu2")).refused()).isEmpty();
    until("it has finished", () -> trial.job(id).state() instanceof ObservedState.Ended);
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Ended(Outcome.FINISHED));
    assertThat(slurm.run("scontrol", "show", "job", id)).contains(" NodeList=gpu[2,4]");
  }

  @Test
  void aRunningJobIsOnItsNodesAndHasOneTaskOnEach() throws IOException {
    String id = trial.running("gpu1", "gpu3");
    assertThat(trial.job(id).on()).containsExactly(NodeId.of("gpu1"), NodeId.of("gpu3"));
    assertThat(trial.job(id).state()).isInstanceOf(ObservedState.Running.class);
    assertThat(trial.carryOut(Trial.start(id, 0, 1, "gpu1", "gpu3")).refused()).isEmpty();
    assertThat(trial.carryOut(Trial.start(id, 0, 1, "gpu1", "gpu2")).refused()).isPresent();
    slurm.run("scancel", id);
    until("it is cancelled", () -> trial.job(id).state() instanceof ObservedState.Ended);
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Ended(Outcome.CANCELLED));
  }

  @Test
  void aStoppedJobWaitsAgainAndItsNextAttemptRunsElsewhere() throws IOException {
    String id = trial.running("gpu1");
    assertThat(trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ZERO)).refused())
        .isEmpty();
    until("it waits", () -> trial.job(id).state() instanceof ObservedState.Held);
    assertThat(trial.job(id).attempt()).isEqualTo(1);
    assertThat(trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ZERO)).refused())
        .isEmpty();
    assertThat(trial.carryOut(Trial.start(id, 1, 1, "gpu2")).refused()).isEmpty();
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).on()).containsExactly(NodeId.of("gpu2"));
    slurm.run("scancel", id);
  }

  @Test
  void aJobHearsThatItIsToStop(@TempDir Path folder) throws IOException {
    Path heard = folder.resolve("heard");
    String script =
        "trap 'touch %s' TERM; for i in $(seq 150); do sleep 0.2; done".formatted(heard);
    String id = slurm.submit(script, "-N1", "--gpus-per-node=1");
    trial.job(id);
    trial.carryOut(Trial.start(id, 0, 1, "gpu3"));
    until("it runs", () -> slurm.run("squeue", "-h", "-j", id, "-o", "%M").matches("0:0[1-9]"));
    trial.carryOut(new Command.Stop(JobId.of(id), 0, Duration.ofSeconds(20)));
    until("it has heard", () -> trial.job(id).attempt() == 0 && heard.toFile().exists());
    assertThat(trial.job(id).state()).isInstanceOf(ObservedState.Running.class);
    slurm.run("scancel", id);
  }

  @Test
  void aReleasedJobIsHeldAgain() throws IOException {
    String id = slurm.submit("true", "-N4", "--exclusive");
    String before = trial.running("gpu1");
    slurm.run("scontrol", "update", "JobId=" + id, "StartTime=now");
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Released(List.of()));
    trial.carryOut(new Command.Hold(JobId.of(id)));
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Held());
    slurm.run("scancel", id, before);
  }

  @Test
  void aPinnedJobThatHasNoRoomYetIsReleasedToItsNodes() throws IOException {
    String before = trial.running("gpu4");
    String id = slurm.submit("true", "-N1", "--exclusive");
    trial.job(id);
    trial.carryOut(Trial.start(id, 0, 8, "gpu4"));
    assertThat(trial.job(id).state())
        .isEqualTo(new ObservedState.Released(List.of(NodeId.of("gpu4"))));
    slurm.run("scancel", id, before);
  }

  @Test
  void anExplanationIsShownBesideTheWordsOfOthersUntilTheJobStarts() throws IOException {
    String id = slurm.submit("sleep 60", "-N1", "--gpus-per-node=1");
    slurm.run("scontrol", "update", "JobId=" + id, "AdminComment=ticket 17 liquid.begin=5");
    trial.job(id);
    assertThat(
            trial
                .carryOut(new Command.Explain(JobId.of(id), "#4 of 17; needs \"16\" GPUs"))
                .refused())
        .isEmpty();
    assertThat(slurm.run("scontrol", "show", "job", id))
        .contains("AdminComment=ticket 17 liquid.begin=5 liquid: #4 of 17; needs \"16\" GPUs");
    trial.carryOut(new Command.Refuse(JobId.of(id), "ask for less"));
    assertThat(slurm.run("scontrol", "show", "job", id)).contains("liquid: never: ask for less");
    trial.carryOut(Trial.start(id, 0, 1, "gpu1"));
    assertThat(slurm.run("scontrol", "show", "job", id))
        .contains("AdminComment=ticket 17 liquid.begin=5 liquid.required=-")
        .doesNotContain("never");
    slurm.run("scancel", id);
  }

  @Test
  void aJobThatIsGivenUpLeavesTheQueueWithAWord() throws IOException {
    String id = slurm.submit("true", "-N1", "--gpus-per-node=1");
    trial.carryOut(new Command.GiveUp(JobId.of(id), "it ran before"));
    assertThat(trial.job(id).state()).isEqualTo(new ObservedState.Ended(Outcome.CANCELLED));
    assertThat(slurm.run("scontrol", "show", "job", id)).contains("liquid: it ran before");
  }

  @Test
  void eachTaskOfAnArrayIsAJobAndAsManyWaitAsMayRun() throws IOException {
    String id = slurm.submit("sleep 60", "-N1", "--gpus-per-node=1", "--array=0-3%2");
    assertThat(trial.statesOf(id)).containsExactly("Held", "Held", "NotYet", "NotYet");
    trial.carryOut(Trial.start(id + "_1", 0, 1, "gpu2"));
    until("it runs", () -> trial.job(id + "_1").state() instanceof ObservedState.Running);
    assertThat(trial.job(id + "_1").on()).containsExactly(NodeId.of("gpu2"));
    assertThat(trial.statesOf(id)).containsExactly("Held", "Running", "NotYet", "NotYet");
    slurm.run("scancel", id);
  }

  @Test
  void usersKeepTheirHoldsDependenciesBeginTimesAndLicences() throws IOException {
    String held = slurm.submit("true", "-N1", "-H");
    String after = slurm.submit("true", "-N1", "-d", "afterok:" + held);
    String later = slurm.submit("true", "-N1", "--begin=now+1hour");
    String licensed = slurm.submit("true", "-N1", "-L", "datalake:3");
    String other = slurm.submit("true", "-N1", "-L", "datalake:2");
    assertThat(trial.job(held).state()).isEqualTo(new ObservedState.NotYet("held by its user"));
    assertThat(trial.job(after).state().toString()).contains("depends on afterok:" + held);
    assertThat(trial.job(later).state().toString()).contains("NotYet", "begins at");
    assertThat(trial.job(licensed).state()).isEqualTo(new ObservedState.Held());
    assertThat(trial.job(other).state().toString())
        .contains("needs 2 of licence datalake, and 1 are free");
    slurm.run("scontrol", "release", held);
    assertThat(trial.job(held).state()).isEqualTo(new ObservedState.Held());
    slurm.run("scancel", held, after, later, licensed, other);
  }

  @Test
  void aJobOutsideThePartitionsIsWatchedOnly() throws IOException {
    String id = slurm.submit("sleep 60", "-p", "other", "-N1", "--gpus-per-node=2");
    until("it runs", () -> trial.job(id).state() instanceof ObservedState.Running);
    assertThat(trial.job(id).isOwned()).isFalse();
    assertThat(((ObservedRequest.Understood) trial.job(id).request()).spec().gpus()).isEqualTo(2);
    slurm.run("scancel", id);
  }

  @Test
  void nodesAreDrainedAndGivenUp() throws IOException {
    slurm.run("scontrol", "update", "NodeName=gpu1", "State=DRAIN", "Reason=test");
    slurm.run("scontrol", "update", "NodeName=gpu2", "State=DOWN", "Reason=test");
    try {
      Observation seen = port.observe();
      assertThat(seen.conditions())
          .containsEntry(NodeId.of("gpu1"), NodeCondition.DRAINING)
          .containsEntry(NodeId.of("gpu2"), NodeCondition.DOWN)
          .containsEntry(NodeId.of("gpu3"), NodeCondition.UP);
    } finally {
      slurm.run("scontrol", "update", "NodeName=gpu[1-2]", "State=RESUME");
    }
    until(
        "they are back",
        () -> port.observe().conditions().values().stream().allMatch(NodeCondition.UP::equals));
  }

  @Test
  void aJobThatSlurmDoesNotKnowIsNowhere() throws IOException {
    assertThat(port.lookUp(JobId.of("99999"))).isEmpty();
    String id = slurm.submit("true", "-N1");
    assertThat(port.lookUp(JobId.of(id)).orElseThrow().state()).isEqualTo(new ObservedState.Held());
    slurm.run("scancel", id);
    assertThat(trial.carryOut(new Command.Hold(JobId.of("99999"))).refused()).isPresent();
  }
}
