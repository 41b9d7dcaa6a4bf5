package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is commanded, without a Slurm. */
class JobCommandsTest {
  private static final String PENDING =
      """
      JobId=8 JobName=x JobState=RUNNING
         JobState=PENDING Reason=BeginTime Dependency=(null)
         Requeue=1 Restarts=2 BatchFlag=1 Reboot=0 ExitCode=0:0
         NodeList=
         AdminComment=ticket 5\s
      """;

  private final RecordedSlurm slurm =
      new RecordedSlurm("22.05")
          .with("scontrol update", "")
          .with("scontrol requeue", "")
          .with("scancel", "")
          .with("scontrol show job", PENDING);
  private final SlurmPort port = port(SlurmConfig.of("batch"));

  @TempDir private Path folder;

  private SlurmPort port(String key) throws IOException {
    Path file = folder.resolve("liquid.json");
    Files.writeString(file, "{\"partitions\": [\"batch\"], %s}".formatted(key));
    return port(SlurmConfig.read(file));
  }

  private SlurmPort port(SlurmConfig config) {
    return new SlurmPort(
        config, slurm, InstantSource.fixed(Instant.parse("2026-11-30T15:45:10Z")), () -> 0);
  }

  @Test
  void aStartIsOneUpdateThatNotesWhichNodesTheUserRequired() throws IOException {
    port.observe();
    slurm.asked().clear();
    carryOut(Trial.start("8", 0, 1, "gpu2", "gpu3"));
    assertThat(slurm.asked()).hasSize(2).first().asString().startsWith("squeue -h ");
    assertThat(slurm.asked())
        .last()
        .isEqualTo(
            "scontrol update JobId=8 ReqNodeList=gpu[2-3] NumNodes=2-2 StartTime=now"
                + " AdminComment=liquid.required=gpu[2-3]");
    slurm.with(
        "squeue -h",
        RecordedSlurm.text("22.05", "squeue.txt")
            .replace("8|8|N/A|PD|4294901703|0||2040", "8|8|N/A|PD|4294901703|0||2026"));
    assertThat(job("8").state().toString()).contains("Released", "gpu2", "gpu3");
  }

  @Test
  void aStopOfWhatWaitsHoldsItAndOneOfALaterAttemptIsNothing() {
    carryOut(new Command.Stop(JobId.of("8"), 1, Duration.ZERO));
    assertThat(slurm.asked())
        .last()
        .isEqualTo("scontrol update JobId=8 StartTime=2040-01-01T00:00:00");
    slurm.with("scontrol show job", PENDING.replace("PENDING", "RUNNING")).asked().clear();
    carryOut(new Command.Stop(JobId.of("8"), 1, Duration.ZERO));
    assertThat(slurm.asked()).containsExactly("scontrol show job 8");
    carryOut(new Command.Stop(JobId.of("8"), 2, Duration.ofSeconds(5)));
    assertThat(slurm.asked()).last().isEqualTo("scancel --signal=TERM --batch 8");
    carryOut(new Command.Stop(JobId.of("8"), 2, Duration.ZERO));
    assertThat(slurm.asked()).contains("scontrol requeue 8");
  }

  @Test
  void nothingIsWrittenToAnotherJobThatHasTheIdByNow() throws IOException {
    port.observe();
    slurm
        .with("squeue -h", listed().replace("15:45:06|batch", "15:52:00|batch"))
        .with("scontrol show job", PENDING + "   SubmitTime=2026-11-30T15:52:00 EligibleTime=\n");
    for (Command command :
        List.of(
            Trial.start("8", 0, 1, "gpu2", "gpu3"),
            new Command.Hold(JobId.of("8")),
            new Command.Stop(JobId.of("8"), 2, Duration.ZERO),
            new Command.Explain(JobId.of("8"), "#4 of 17"),
            new Command.Refuse(JobId.of("8"), "ask for less"),
            new Command.GiveUp(JobId.of("8"), "it ran before"))) {
      assertThat(carryOut(command).refused())
          .contains(
              "it was submitted at 2026-11-30T15:52:00, and the job of this id that was observed"
                  + " at 2026-11-30T15:45:06");
    }
    assertThat(slurm.asked()).noneMatch(words -> words.matches("(scontrol update|scancel) .*"));
  }

  @Test
  void aLookForOneJobDoesNotMakeOthersThoseThatWereObserved() throws IOException {
    port.observe();
    slurm.with("squeue -h", listed().replace("15:45:06|batch", "15:52:00|batch"));
    assertThat(port.lookUp(JobId.of("14"))).isPresent();
    assertThat(carryOut(new Command.Hold(JobId.of("8"))).refused()).isPresent();
    assertThat(carryOut(new Command.Hold(JobId.of("14"))).refused()).isEmpty();
  }

  @Test
  void aJobThatIsShownNoMoreIsNotWrittenTo() throws IOException {
    port.observe();
    slurm.with("squeue -h", listed().replaceAll("(?m)^8\\|.*\n", ""));
    assertThat(carryOut(Trial.start("8", 0, 1, "gpu2", "gpu3")).refused())
        .contains("Slurm does not show it");
  }

  @Test
  void commandsThatAreCarriedOutTogetherLookOnce() throws IOException {
    port.observe();
    slurm.asked().clear();
    port.carryOut(
            List.of(
                Trial.start("2", 0, 1, "gpu2"),
                new Command.Hold(JobId.of("3")),
                Trial.start("8", 0, 1, "gpu2", "gpu3")))
        .toCompletableFuture()
        .join();
    assertThat(slurm.asked()).filteredOn(words -> words.startsWith("squeue")).hasSize(1);
  }

  @Test
  void ifTheJobsAreNotListedNothingIsWritten() throws IOException {
    port.observe();
    slurm.with("squeue -h", new Answer(1, "", "squeue: error: Invalid user"));
    assertThatThrownBy(() -> carryOut(Trial.start("8", 0, 1, "gpu2", "gpu3")))
        .hasCauseInstanceOf(IOException.class);
    assertThat(slurm.asked()).noneMatch(words -> words.startsWith("scontrol update"));
  }

  private static String listed() {
    return RecordedSlurm.text("22.05", "squeue.txt");
  }

  @Test
  void anExplanationThatIsThereIsNotWrittenAgain() {
    carryOut(new Command.Explain(JobId.of("8"), "#4 of 17"));
    assertThat(slurm.asked())
        .last()
        .isEqualTo("scontrol update JobId=8 AdminComment=ticket 5 liquid: #4 of 17");
    slurm.with("scontrol show job", PENDING.replace("ticket 5", "ticket 5 liquid: #4 of 17"));
    slurm.asked().clear();
    carryOut(new Command.Explain(JobId.of("8"), "#4 of 17"));
    assertThat(slurm.asked()).containsExactly("scontrol show job 8");
  }

  @Test
  void aCommentThatItsUserLeftEmptyExplainsTooIfSoConfigured() throws IOException {
    SlurmPort explains = port("\"explainInComment\": true");
    slurm.with("scontrol show job", PENDING + "   Comment= \n");
    carryOut(explains, new Command.Explain(JobId.of("8"), "#4 of 17"));
    assertThat(slurm.asked())
        .last()
        .isEqualTo(
            "scontrol update JobId=8 AdminComment=ticket 5 liquid: #4 of 17"
                + " Comment=liquid: #4 of 17");
    slurm.with("scontrol show job", PENDING + "   Comment=liquid: #4 of 17 \n");
    carryOut(explains, new Command.Explain(JobId.of("8"), ""));
    assertThat(slurm.asked()).last().isEqualTo("scontrol update JobId=8 Comment=");
    slurm.with("scontrol show job", PENDING + "   Comment=liquid.expected=90s \n");
    carryOut(explains, new Command.Explain(JobId.of("8"), "#4 of 17"));
    assertThat(slurm.asked())
        .last()
        .isEqualTo("scontrol update JobId=8 AdminComment=ticket 5 liquid: #4 of 17");
  }

  @Test
  void aRefusalIsInSlurmsWords() {
    slurm.with("scontrol update", new Answer(1, "", "Access/permission denied for job 8\n"));
    assertThat(carryOut(new Command.Hold(JobId.of("8"))).refused())
        .contains("Access/permission denied for job 8");
  }

  @Test
  void ifNobodyAnswersItIsNotKnownWhatWasDone() {
    for (String words :
        List.of(
            "slurm_update error: Unable to contact slurm controller (connect failure)",
            "Unexpected message received for job 8")) {
      slurm.with("scontrol update", new Answer(1, "", words));
      assertThatThrownBy(() -> carryOut(new Command.Hold(JobId.of("8"))))
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void aJobThatIsGoneIsLookedUpInTheAccounting() throws IOException {
    slurm
        .with(
            "scontrol show job",
            new Answer(1, "", "slurm_load_jobs error: Invalid job id specified"))
        .with("sacct", "99|CANCELLED by 0\n");
    assertThat(port.lookUp(JobId.of("99")).orElseThrow().state())
        .isEqualTo(new ObservedState.Ended(Outcome.CANCELLED));
    slurm.with("sacct", new Answer(1, "", "Slurm accounting storage is disabled"));
    assertThat(port.lookUp(JobId.of("99"))).isEmpty();
    slurm.with("sacct", new Answer(1, "", "sacct: error: slurmdbd: Connection refused"));
    assertThatThrownBy(() -> port.lookUp(JobId.of("99"))).isInstanceOf(IOException.class);
  }

  @Test
  void nothingIsCarriedOutOnceItIsClosed() {
    port.close();
    assertThatThrownBy(() -> carryOut(new Command.Hold(JobId.of("8"))))
        .hasCauseInstanceOf(IOException.class);
  }

  private ObservedJob job(String id) throws IOException {
    return port.observe().jobs().stream()
        .filter(job -> job.id().value().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private Confirmation carryOut(Command command) {
    return carryOut(port, command);
  }

  private static Confirmation carryOut(SlurmPort port, Command command) {
    return port.carryOut(List.of(command)).toCompletableFuture().join().getFirst();
  }
}
