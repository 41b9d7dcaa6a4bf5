package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each format of a cluster's log tells of a job. */
class ClusterLogsTest {

  @TempDir Path folder;

  @Test
  void aJobOfPhillyRanForAllItsAttemptsOnTheGpusOfTheFirst() {
    assertThat(Texts.read(TraceFormat.PHILLY_JSON, Texts.PHILLY_JSON).jobs())
        .containsExactly(
            TraceJob.builder("application_1_2")
                .duration(Duration.ofSeconds(1))
                .virtualCluster("ee9e8c")
                .label("user", "ce2f4c")
                .label("status", "Killed")
                .line(10)
                .build(),
            TraceJob.builder("application_1_1")
                .submit(Duration.ofSeconds(99))
                .gpus(3)
                .duration(Duration.ofSeconds(74 + 60))
                .virtualCluster("ee9e8c")
                .label("user", "ce2f4c")
                .label("status", "Pass")
                .line(2)
                .build());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          [], never started
          [{"start_time": "2017-10-07 01:12:00"}], had not ended
          [{"end_time": "2017-10-07 01:12:00"}], asked for no GPU
          [{"end_time": "2017-10-07 01:12:00"; "detail": [{"gpus": ["gpu0"]}]}], never started
          [{"start_time": "2017-10-07 01:12:00"; "detail": [{"gpus": ["gpu0"]}]}; {"end_time": "2017-10-07 01:13:00"}], had not ended
          """)
  void aJobOfPhillyThatIsNotWholeIsCounted(String attempts, String reason) {
    String job =
        "{\"jobid\": \"x\", \"submitted_time\": \"2017-10-07 01:11:39\", \"attempts\": "
            + attempts.replace(';', ',')
            + "}";
    String text = Texts.PHILLY_JSON.strip().replaceFirst("]$", "," + job + "]");

    Trace trace = Texts.read(TraceFormat.PHILLY_JSON, text);

    assertThat(trace.jobs()).hasSize(2);
    assertThat(trace.warnings())
        .containsExactly(
            new TraceWarning("attempt", "had no start or no end", 1, 2),
            new TraceWarning(reason, 1, 15));
  }

  @Test
  void aJobOfHeliosHasATaskForEachNode() {
    assertThat(Texts.read(TraceFormat.HELIOS, Texts.HELIOS).jobs().get(1))
        .isEqualTo(
            TraceJob.builder("1425512")
                .submit(Duration.ofSeconds(26))
                .duration(Duration.ofSeconds(249))
                .request(TraceRequest.of(2, request(8, 32_000)))
                .virtualCluster("vchbv")
                .label("user", "uVMrF")
                .label("status", "FAILED")
                .line(3)
                .build());
  }

  @Test
  void aJobOfAcmeIsSubmittedInItsZone() {
    assertThat(Texts.read(TraceFormat.ACME, Texts.ACME).jobs().get(1))
        .isEqualTo(
            TraceJob.builder("5778469")
                .submit(Duration.ofSeconds(5 * 60 + 36))
                .duration(Duration.ofSeconds(2693))
                .request(TraceRequest.of(1, request(8, 128_000)))
                .label("user", "u5907")
                .label("status", "COMPLETED")
                .line(3)
                .build());
  }

  @Test
  void aJobOfSlurmHasATaskForEachNodeAndStepsAreNoJobs() {
    Trace trace = Texts.read(TraceFormat.SACCT, Texts.SACCT);

    assertThat(trace.warnings()).isEmpty();
    assertThat(trace.jobs())
        .containsExactly(
            TraceJob.builder("101")
                .duration(Duration.ofHours(1))
                .request(
                    TraceRequest.of(2, with(request(4, 8_000), Memory.ofGib(32)))
                        .on(List.of(GpuModel.of("a100"))))
                .waited(Duration.ofSeconds(5))
                .virtualCluster("gpu")
                .label("user", "ann")
                .label("status", "COMPLETED")
                .line(2)
                .build(),
            TraceJob.builder("102_7")
                .submit(Duration.ofMinutes(1))
                .duration(Duration.ofMinutes(1))
                .request(TraceRequest.of(1, with(request(1, 4_000), Memory.ofMib(4000))))
                .waited(Duration.ZERO)
                .virtualCluster("gpu")
                .label("user", "bob")
                .label("status", "CANCELLED by 0")
                .line(4)
                .build());
  }

  @ParameterizedTest
  @CsvSource({
    "2024-03-01T10:00:00, 00:01:00, PT0S, PT10M, PT1M",
    "2024-03-01T10:04:00, 1-12:00:30, PT4M, PT6M, PT36H30S",
    "2024-03-01T10:30:00, 10:00:00, PT0S, PT10M, PT10H",
    "Unknown, UNLIMITED, PT0S, PT10M,",
  })
  void aJobOfSlurmWaitsFromWhenItCouldStart(
      String eligible, String limit, Duration submit, Duration waited, @Nullable Duration known) {
    String text =
        "JobID|Submit|Eligible|Start|End|Timelimit|ReqTRES|QOS\n"
            + "1|2024-03-01T10:00:00|Unknown|2024-03-01T10:00:00|2024-03-01T10:20:00||gres/gpu=1|\n"
            + "2|2024-03-01T10:00:00|%s|2024-03-01T10:10:00|2024-03-01T10:20:00|%s|gres/gpu=1|high\n"
                .formatted(eligible, limit);
    TraceJob job =
        Texts.read(TraceFormat.SACCT, text).jobs().stream()
            .filter(each -> each.id().equals("2"))
            .findFirst()
            .orElseThrow();

    assertThat(job.submit()).isEqualTo(submit);
    assertThat(job.waited()).contains(waited);
    assertThat(job.timeLimit()).isEqualTo(Optional.ofNullable(known));
    assertThat(job.labels()).containsEntry("qos", "high");
  }

  @ParameterizedTest
  @CsvSource({
    "Unknown, Unknown, gres/gpu=1, never started",
    "2024-03-01T10:00:00, Unknown, gres/gpu=1, had not ended",
    "2024-03-01T10:00:00, 2024-03-01T09:00:00, gres/gpu=1, ended before starting",
    "2024-03-01T10:00:00, 2024-03-01T11:00:00, cpu=4, asked for no GPU"
  })
  void aJobOfSlurmThatIsNotWholeIsCounted(
      String start, String end, String resources, String reason) {
    String line = String.join("|", "9|eve|gpu|X|2024-03-01T10:00:00", start, end, resources);

    assertThat(Texts.read(TraceFormat.SACCT, Texts.SACCT + line).warnings())
        .containsExactly(new TraceWarning(reason, 1, 5));
  }

  @Test
  void sacctMustPrintResources() {
    assertThatThrownBy(() -> Texts.read(TraceFormat.SACCT, "JobID|Submit|Start|End\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv: the header must have the column 'ReqTRES' or 'AllocTRES', but was"
                + " 'JobID,Submit,Start,End'");
  }

  @Test
  void podsOfOneJobAreOneGangAndAnnotationsAskForShares() {
    assertThat(Texts.read(TraceFormat.KUBERNETES, Texts.KUBERNETES).jobs())
        .containsExactly(
            TraceJob.builder("ml/train")
                .duration(Duration.ofSeconds(6 * 60 - 20))
                .request(
                    TraceRequest.of(2, with(request(4, 1_500), Memory.ofGib(16)))
                        .on(List.of(GpuModel.of("A100"))))
                .virtualCluster("vision")
                .label("status", "Succeeded")
                .line(2)
                .build(),
            TraceJob.builder("ml/notebook")
                .submit(Duration.ofMinutes(3))
                .duration(Duration.ofMinutes(1))
                .request(
                    TraceRequest.of(
                        1, ResourceRequest.builder().share(GpuShare.ofPercent(50)).build()))
                .virtualCluster("ml")
                .label("status", "Failed")
                .line(16)
                .build());
  }

  @Test
  void aPodThatStillRunsIsCounted() {
    String running =
        Texts.KUBERNETES.replace("\"finishedAt\": \"2024-03-01T10:06:00Z\"", "\"x\": 1");

    assertThat(Texts.read(TraceFormat.KUBERNETES, running).warnings())
        .containsExactly(new TraceWarning("had not ended", 1, 2));
  }

  @Test
  void anAmountThatIsNoneIsNamed() {
    assertThatThrownBy(
            () -> Texts.read(TraceFormat.KUBERNETES, Texts.KUBERNETES.replace("500m", "half")))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("jobs.csv:2: 'cpu' must be an amount such as 500m or 64Gi, but was half");
  }

  @Test
  void tasksOfAJobOfAlibabaAreItsRoles() {
    assertThat(Texts.read(TraceFormat.ALIBABA_2020, Texts.ALIBABA_2020).jobs().get(1))
        .isEqualTo(
            TraceJob.builder("j1")
                .submit(Duration.ofSeconds(100))
                .duration(Duration.ofSeconds(210))
                .request(
                    new TraceRequest(
                        List.of(
                            new TaskRole(
                                "ps", 1, with(request(0, 6_000), Memory.ofBytes(31_457_280_000L))),
                            new TaskRole("worker", 2, half())),
                        List.of()))
                .line(1)
                .build());
  }

  @Test
  void tablesBesideTheTasksOfAlibabaTellSubmissionsModelsAndWorkloads() throws IOException {
    Path tasks = Files.writeString(folder.resolve("pai_task_table.csv"), Texts.ALIBABA_2020);
    Files.writeString(
        folder.resolve("pai_job_table.csv"), "j1,i1,u1,Terminated,40.0,310.0\nj2,i2,u2,X,,\n");
    Files.writeString(folder.resolve("pai_group_tag_table.csv"), "i1,u1,V100M32,g,bert\n");

    List<TraceJob> jobs = TraceFormat.ALIBABA_2020.reader().read(tasks).jobs();

    assertThat(jobs).extracting(TraceJob::id).containsExactly("j1", "j2");
    assertThat(jobs)
        .extracting(TraceJob::submit)
        .containsExactly(Duration.ofSeconds(40), Duration.ofSeconds(50));
    assertThat(jobs.get(0).request().orElseThrow().gpuModels())
        .containsExactly(GpuModel.of("V100M32"));
    assertThat(jobs.get(0).model()).contains("bert");
    assertThat(jobs.get(1).labels()).containsEntry("user", "u2");
  }

  @Test
  void aJobOfAlibabaOfWhichOneTaskEndedBeforeItStartedIsLeftOut() {
    String text = Texts.ALIBABA_2020.replace("110.0,310.0", "310.0,110.0");

    assertThat(Texts.read(TraceFormat.ALIBABA_2020, text).warnings())
        .containsExactly(new TraceWarning("ended before starting", 1, 1));
  }

  @Test
  void aJobOfAlibabaThatHasAnotherUserOnAnotherLineIsRefused() throws IOException {
    Path tasks = Files.writeString(folder.resolve("pai_task_table.csv"), Texts.ALIBABA_2020);
    Files.writeString(
        folder.resolve("pai_job_table.csv"),
        "j1,i1,u1,Terminated,40.0,310.0\nj1,i1,u1,Terminated,40.0,310.0\nj1,i1,u2,X,,\n");

    assertThatThrownBy(() -> TraceFormat.ALIBABA_2020.reader().read(tasks))
        .isInstanceOf(InputFormatException.class)
        .hasMessageEndingWith(
            "pai_job_table.csv:3: column 'job_name' must come once, or again with the same values,"
                + " but was 'j1'");
  }

  @Test
  void aPodOfOpenbAsksForAShareOnSomeModels() {
    assertThat(Texts.read(TraceFormat.ALIBABA_2023, Texts.ALIBABA_2023).jobs().get(1))
        .isEqualTo(
            TraceJob.builder("openb-pod-0022")
                .submit(Duration.ofSeconds(9_679_175))
                .duration(Duration.ofSeconds(294_651))
                .request(
                    TraceRequest.of(
                            1,
                            ResourceRequest.builder()
                                .share(GpuShare.ofThousandths(220))
                                .cpu(CpuCores.of(4))
                                .memory(Memory.ofMib(15_258))
                                .build())
                        .on(List.of(GpuModel.of("V100M16"), GpuModel.of("V100M32"))))
                .label("qos", "BE")
                .label("status", "Running")
                .line(3)
                .build());
  }

  @Test
  void aTraceOfShockwaveTellsHowAJobChangesItsBatchSize() {
    assertThat(Texts.read(TraceFormat.SHOCKWAVE, Texts.SHOCKWAVE).jobs().get(0))
        .isEqualTo(
            TraceJob.builder("0")
                .model("LM (batch size 10)")
                .iterations(134_583)
                .duration(Duration.ofSeconds(1418))
                .label("batch-sizes", "gns")
                .line(1)
                .build());
  }

  @Test
  void timesOfMuriAreMilliseconds() {
    assertThat(Texts.read(TraceFormat.MURI, Texts.MURI).jobs().get(1))
        .isEqualTo(
            TraceJob.builder("1")
                .submit(Duration.ofMillis(1_534_500))
                .gpus(8)
                .iterations(1463)
                .model("vgg16 (batch size 16)")
                .duration(Duration.ofSeconds(281))
                .line(3)
                .build());
  }

  @Test
  void aJobOfPolluxHasNoDuration() {
    assertThat(Texts.read(TraceFormat.POLLUX, Texts.POLLUX).jobs().get(0))
        .isEqualTo(
            TraceJob.builder("cifar10-0")
                .submit(Duration.ofSeconds(107))
                .gpus(6)
                .model("cifar10 (batch size 2048)")
                .line(2)
                .build());
  }

  private static ResourceRequest request(int gpus, long millicores) {
    return ResourceRequest.builder().gpus(gpus).cpu(CpuCores.ofMillicores(millicores)).build();
  }

  private static ResourceRequest half() {
    return ResourceRequest.builder()
        .share(GpuShare.ofPercent(50))
        .cpu(CpuCores.of(4))
        .memory(Memory.ofGib(8))
        .build();
  }

  private static ResourceRequest with(ResourceRequest request, Memory memory) {
    return request.toBuilder().memory(memory).build();
  }
}
