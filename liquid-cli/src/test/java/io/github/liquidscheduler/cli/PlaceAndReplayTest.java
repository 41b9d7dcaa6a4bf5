package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlaceAndReplayTest {

  private static final ClusterTopology CLUSTER = new ClusterArgument().convert("2x8xV100");

  @TempDir private Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path jobs = Path.of("");

  @BeforeEach
  void writeJobs() throws IOException {
    jobs = folder.resolve("jobs.json");
    Files.writeString(jobs, "[" + job("a", 12) + "," + job("b", 6) + "," + job("c", 99) + "]");
  }

  @Test
  void placePrintsWhatStartsWhatCannotAndWhyTheRestWaits() {
    int status =
        run(new PlaceCommand(), "--cluster", "2x8xV100", "--jobs", jobs.toString(), "--json");

    assertThat(status).isZero();
    assertThat(out.toString())
        .contains("\"decisions\": [")
        .contains("\"start\"", "\"reject\"", "\"waiting\": [", "GPUS");
  }

  @Test
  void placeShowsPeopleOneLineAJobAndWhatTheReasonsAre() {
    int status = run(new PlaceCommand(), "--cluster", "2x8xV100", "--jobs", jobs.toString());

    assertThat(status).isZero();
    assertThat(out.toString())
        .startsWith(
            """
            job  GPUs  decision
            ---------------------------------------------
            a      12  starts on node-0[0-7], node-1[0-3]
            b       6  waits
            c      99  can never run

            job 'c' can never run here:\
            """)
        .contains("job 'b' waits:", "requested 6 GPUs, available 4 GPUs");
  }

  @Test
  void placeNamesTheFileAndTheLineOfAMistake() throws IOException {
    Files.writeString(jobs, "[\n" + job("a", -1) + "\n]");

    int status = run(new PlaceCommand(), "--cluster", "2x8xV100", "--jobs", jobs.toString());

    assertThat(status).isNotZero();
    assertThat(err.toString()).contains("jobs.json").contains("2");
  }

  @Test
  void placeRefusesAClusterThatIsNone() {
    int status = run(new PlaceCommand(), "--cluster", "2x", "--jobs", jobs.toString());

    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains("--cluster").contains("2x");
  }

  @Test
  void replayFindsEveryDecisionAsRecorded() {
    LiquidScheduler scheduler = fifo().build();

    assertThat(replay(journal(scheduler, scheduler::on))).isZero();
    assertThat(out.toString()).contains("3 events", "every decision is as recorded", "digest ");
  }

  @Test
  void replayPointsAtTheFirstDecisionThatDiffers() {
    LiquidScheduler scheduler = fifo().build();

    int status = replay(journal(scheduler, event -> List.of()));

    assertThat(status).isEqualTo(1);
    assertThat(out.toString())
        .contains("different at line 2, decision 1: recorded was nothing, decided was {\"type\":");
  }

  @Test
  void replayRefusesAJournalThatWasChanged() throws IOException {
    LiquidScheduler scheduler = fifo().build();
    Path journal = journal(scheduler, scheduler::on);
    Files.writeString(journal, Files.readString(journal).replace("node-0", "node-1"));

    assertThat(replay(journal)).isEqualTo(2);
    assertThat(err.toString())
        .contains("line 3, column 1: the check sum of this line does not fit");
  }

  @Test
  void replayReplaysInBatchModeWhatWasRecordedInIt() {
    BatchWindow window = BatchWindow.of(Duration.ofSeconds(1)).maxJobs(7).bypassLimit(2);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(CLUSTER)
            .policy(Policies.bestEffortFifo())
            .batch(window.queuedGpuFraction(3).maxPlanSize(9).planTimeout(Duration.ofHours(1)))
            .build();

    assertThat(replay(journal(scheduler, scheduler::on))).isZero();
    assertThat(out.toString()).contains("3 events, 1 decision,", "every decision is as recorded");
  }

  @Test
  void replayStartsNoMoreJobsPerEventThanWereRecordedAndAwaitsTheirStarts() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(CLUSTER)
            .policy(Policies.bestEffortFifo())
            .startsPerEvent(1)
            .searchesPerEvent(8)
            .startsReported()
            .build();

    assertThat(replay(journal(scheduler, scheduler::on))).isZero();
  }

  @Test
  void replayReplaysChangesOfSize() {
    JobSpec elastic =
        JobSpec.builder("a").gpus(4).parallelism(Parallelism.between(2, 4, 8)).build();
    LiquidScheduler scheduler =
        fifo()
            .elasticity(
                Elasticity.by(SizingPolicy.elasticTiresias(0.25, 0))
                    .coolDown(Duration.ofSeconds(5))
                    .worthwhile(0)
                    .build())
            .build();
    List<ClusterEvent> events =
        List.of(
            new ClusterEvent.JobSubmitted(Instant.EPOCH, elastic),
            new ClusterEvent.TimePassed(Instant.EPOCH.plusSeconds(9)));

    assertThat(replay(journal(scheduler, events, scheduler::on))).isZero();
    assertThat(out.toString()).contains("2 events, 2 decisions", "every decision is as recorded");
  }

  @Test
  void replayReplaysWithThePlacerOfTheRecording() {
    LiquidScheduler scheduler = fifo().placer(Placers.leastCost()).build();

    assertThat(replay(journal(scheduler, scheduler::on))).isZero();
  }

  @Test
  void journalsOfJobsThatShareGpusAreReplayedExplainedAndAskedWhatIf() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(new ClusterArgument().convert("1x2xV100"))
            .policy(Policies.bestEffortFifo())
            .colocation(Colocation.of(CompositePredictor.shipped()))
            .build();
    Path journal = journal(scheduler, sharing(), scheduler::on);

    assertThat(scheduler.waiting()).containsExactly(JobId.of("large"));
    assertThat(replay(journal)).as("%s", err).isZero();
    assertThat(out.toString()).contains("every decision is as recorded");
    for (Object command : List.of(new ExplainCommand(), new WhatIfCommand())) {
      assertThat(run(command, "--journal", journal.toString())).as("%s", err).isZero();
      assertThat(out.toString()).contains("large");
    }
  }

  @Test
  void settingsOfCoLocationAreReadBack() {
    Colocation unusual =
        Colocation.builder(
                PredictedSlowdownRule.builder(CompositePredictor.shipped())
                    .maxSlowdown(.3)
                    .opportunisticFloor(.4)
                    .loadWeight(.7)
                    .costOfEmpty(.2)
                    .build())
            .trigger(SharingTrigger.aboveUtilization(.75))
            .mode(new SharingMode.Mps(3))
            .mode(GpuModel.of("V100"), new SharingMode.TimeSlicing(4))
            .mode(GpuModel.of("1g.5gb"), new SharingMode.MigSlice(GpuShare.of(.142)))
            .spanPenalty(.9)
            .tolerance(.1)
            .leastBenefit(1.2)
            .build();

    assertThat(
            new RecordedColocation(unusual.parameters())
                .read(CompositePredictor.shipped(), Placers.bestFit())
                .parameters())
        .isEqualTo(unusual.parameters());
  }

  @Test
  void replaySaysWhatOfCoLocationItCannotMake() {
    Colocation own =
        Colocation.builder(PredictedSlowdownRule.of(CompositePredictor.shipped()))
            .trigger((view, job) -> true)
            .build();
    LiquidScheduler scheduler = fifo().colocation(own).build();

    assertThat(replay(journal(scheduler, scheduler::on))).isEqualTo(2);
    assertThat(err.toString()).contains("its trigger was 'custom'. Use JournalReplay");
  }

  /** Three jobs on two GPUs, of which two share one, and a fourth that waits. */
  private static List<ClusterEvent> sharing() {
    return Stream.of(
            sharing("recommender", "Recommendation", 8192, new Sharing.Guaranteed(0.6)),
            sharing("translator", "Transformer", 256, new Sharing.Opportunistic()),
            sharing("classifier", "ResNet-18", 16, new Sharing.Opportunistic()),
            JobSpec.builder("large").gpus(2).build())
        .<ClusterEvent>map(job -> new ClusterEvent.JobSubmitted(Instant.EPOCH, job))
        .toList();
  }

  private static JobSpec sharing(String id, String family, int batch, Sharing sharing) {
    return JobSpec.builder(id)
        .role("worker", 1, ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(6)).build())
        .workload(Workload.builder(family).batchSize(batch).build())
        .sharing(sharing)
        .build();
  }

  @Test
  void replayNamesTheParameterThatItCannotSet() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(CLUSTER)
            .policy(Policies.leastAttainedService(List.of(Duration.ofHours(1))))
            .build();

    assertThat(replay(journal(scheduler, scheduler::on))).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "a journal must be replayed under its own parameters, but policy.thresholds was"
                + " '[PT1H]' and is '[PT54M10S, PT2H]'");
  }

  @Test
  void replaySaysWhichShareOfAGpuDiffers() {
    JobSpec job = JobSpec.builder("a").role("worker", 1, share(.25)).build();
    LiquidScheduler scheduler = fifo().build();
    List<Decision> decided = fifo().build().on(new ClusterEvent.JobSubmitted(Instant.EPOCH, job));
    Path journal = folder.resolve("journal.jsonl");
    JournalHeader header = JournalHeader.builder(scheduler).recordDecisions(true).build();
    JobSpec other = JobSpec.builder("a").role("worker", 1, share(.5)).build();
    try (EventJournalWriter writer =
        EventJournalWriter.create(journal, header, EventJournalWriter.Flush.ON_CLOSE)) {
      writer.append(new ClusterEvent.JobSubmitted(Instant.EPOCH, other), decided);
    }

    assertThat(replay(journal)).isEqualTo(1);
    assertThat(out.toString()).contains("\"share\":0.25", "\"share\":0.5");
  }

  private static ResourceRequest share(double fraction) {
    return ResourceRequest.builder().share(GpuShare.of(fraction)).build();
  }

  private static LiquidScheduler.Builder fifo() {
    return LiquidScheduler.builder(CLUSTER).policy(Policies.fifo());
  }

  private int replay(Path journal) {
    return run(new ReplayCommand(), "--journal", journal.toString());
  }

  private Path journal(LiquidScheduler scheduler, Function<ClusterEvent, List<Decision>> decided) {
    List<ClusterEvent> events =
        List.of(
            new ClusterEvent.JobSubmitted(Instant.EPOCH, JobSpec.builder("a").gpus(4).build()),
            new ClusterEvent.JobSubmitted(
                Instant.EPOCH.plusSeconds(1), JobSpec.builder("b").gpus(16).build()),
            new ClusterEvent.TimePassed(Instant.EPOCH.plusSeconds(9)));
    return journal(scheduler, events, decided);
  }

  private Path journal(
      LiquidScheduler scheduler,
      List<ClusterEvent> events,
      Function<ClusterEvent, List<Decision>> decided) {
    Path journal = folder.resolve("journal.jsonl");
    JournalHeader header = JournalHeader.builder(scheduler).recordDecisions(true).build();
    try (EventJournalWriter writer =
        EventJournalWriter.create(journal, header, EventJournalWriter.Flush.ON_CLOSE)) {
      events.forEach(event -> writer.append(event, decided.apply(event)));
    }
    return journal;
  }

  private int run(Object command, String... arguments) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (exception, line, parsed) -> {
              line.getErr().println(exception.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  private static String job(String id, int gpus) {
    return "{\"id\": \"%s\", \"roles\": [{\"name\": \"worker\", \"count\": %d, \"request\":"
            .formatted(id, gpus)
        + " {\"gpus\": 1}}]}";
  }
}
