package io.github.liquidscheduler.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.examples.extensions.PayLeast;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.LiveCluster;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ExamplesTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void quickStartStartsTheJobOnTheFirstNode() {
    assertThat(QuickStart.decide(NOON))
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.Start.class,
            start ->
                assertThat(start.placement())
                    .hasToString(
                        "train-7: [worker/0 on node-0[0], worker/1 on node-0[1], worker/2 on"
                            + " node-0[2], worker/3 on node-0[3]]"));
  }

  @Test
  void roundByRoundRunsThreeTasksOfARoundOnTwoGpus() {
    assertThat(RoundByRound.decide(NOON))
        .map(RoundDecision::toString)
        .map(decision -> decision.replaceFirst(", run .*", "").replaceFirst(".*=", ""))
        .containsExactly(
            "train-7/0/0 on fast:0",
            "train-7/0/1 on slow:0",
            "train-7/0/2 on fast:0",
            "train-7/1/0 on fast:0",
            "train-7/1/1 on slow:0",
            "train-7/1/2 on fast:0",
            "train-7]");
  }

  @Test
  void roundsBesideOthersRunsTasksOneByOneOnTheGpuThatIsLeft() {
    assertThat(RoundsBesideOthers.decide(NOON))
        .map(step -> step.toString().replaceAll("^([A-Z]\\w+)\\[\\w+=(\\w+)\\[.*", "$1 $2"))
        .containsExactly(
            "Cluster Start",
            "Pool Start",
            "Task RunTask",
            "Task RunTask",
            "Task RunTask",
            "Task Complete",
            "Task GiveBack",
            "Report JobFinished");
  }

  @Test
  void theGuideToRoundsShowsTheExampleAsItIs() throws IOException {
    assertThat(read("liquid-rounds/README.md"))
        .contains(region("RoundByRound", "rounds"))
        .contains(region("RoundsBesideOthers", "pooled"));
  }

  @Test
  void theReadmeShowsTheExampleAsItIs() throws IOException {
    assertThat(read("README.md")).contains(region("QuickStart", "quickstart"));
  }

  @Test
  void theConceptsShowTheExamplesAsTheyAre() throws IOException {
    assertThat(read("docs/concepts.md"))
        .contains(region("QuickStart", "quickstart"))
        .contains(region("LeaveOutWhatAJobNeeds", "estimate"))
        .contains(region("StartSmaller", "sizes"))
        .contains(region("KeepTrafficShort", "network"))
        .contains(region("ShareGpus", "share"))
        .contains(region("PlanInTheBackground", "plan"));
  }

  @Test
  void theGuidesShowTheExamplesAsTheyAre() throws IOException {
    assertThat(read("docs/policies.md")).contains(region("UseFastGpusWell", "speeds"));
    assertThat(read("docs/elastic-jobs.md")).contains(region("GrowAndShrink", "elasticity"));
    assertThat(read("docs/placement.md")).contains(region("KeepTrafficShort", "network"));
    assertThat(read("docs/predictions.md")).contains(region("LeaveOutWhatAJobNeeds", "estimate"));
    assertThat(read("docs/sharing.md")).contains(region("ShareGpus", "share"));
  }

  @Test
  void twoJobsTradePlacesWhenOneGainsMoreByTheFastGpu() throws IOException {
    List<String> told =
        UseFastGpusWell.decide(NOON).stream()
            .map(
                decision ->
                    "    %-8s %-12s %s"
                        .formatted(
                            decision.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                            ((Decision.AboutJob) decision).job(),
                            decision.why().describe()))
            .toList();

    assertThat(String.join("\n", told)).isIn(paragraphs("docs/policies.md"));
  }

  private static List<String> paragraphs(String file) throws IOException {
    return List.of(read(file).split("\n\n"));
  }

  @Test
  void theGuideOfQueuesShowsTheExampleAsItIs() throws IOException {
    assertThat(read("docs/queues.md")).contains(region("ShareByQueues", "queues"));
  }

  @Test
  void aTeamGetsBackWhatItLent() {
    assertThat(ShareByQueues.decide(NOON))
        .map(Decision.AboutJob.class::cast)
        .extracting(decision -> decision.getClass().getSimpleName() + " " + decision.job())
        .containsExactly("Preempt vision-7", "Preempt vision-6", "Start speech-0");
  }

  @Test
  void theGuideOfBackfillShowsTheExampleAsItIs() throws IOException {
    assertThat(read("docs/backfill.md"))
        .contains(region("StartBehindReservations", "backfill"))
        .contains(region("StartBehindReservations", "when"))
        .contains(region("StartBehindReservations", "maintenance"))
        .contains(region("StartBehindReservations", "capacity"))
        .contains(region("StartBehindReservations", "cancel"));
  }

  @Test
  void aShortJobStartsBeforeALargeOneAndALongOneDoesNot() {
    Scheduler scheduler = StartBehindReservations.scheduler(NOON);

    assertThat(StartBehindReservations.largeJobStarts(scheduler))
        .contains(NOON.plus(Duration.ofHours(1)));
    assertThat(scheduler.waiting()).extracting(JobId::value).containsExactly("large", "long");
  }

  @Test
  void onlyTheMaintenanceIsLeftOnceTheRoomIsGivenUp() {
    Scheduler scheduler = StartBehindReservations.scheduler(NOON);

    StartBehindReservations.announce(scheduler, NOON);

    assertThat(scheduler.advanceReservations())
        .extracting(each -> each.reservation().id().value())
        .containsExactly("firmware");
  }

  @Test
  void theGuideOfExplanationsShowsTheExampleAsItIs() throws IOException {
    assertThat(read("docs/explanations.md")).contains(region("AskWhenItStarts", "forecast"));
  }

  @Test
  void onceEnoughJobsHaveStartedAnExpectedStartHasAnInterval() {
    Scheduler scheduler = LiquidScheduler.builder(oneNode()).policy(Policies.fifo()).build();
    AskWhenItStarts platform = new AskWhenItStarts(scheduler);
    ExpectedWork hour = ExpectedWork.ofDuration(Duration.ofHours(1));
    for (int job = 0; job < 22; job++) {
      JobSpec.Builder spec = JobSpec.builder("j" + job).gpus(8).expectedWork(hour);
      platform.decide(new ClusterEvent.JobSubmitted(NOON, spec.build()));
      platform.whenStarts(JobId.of("j" + job), NOON);
    }
    Instant now = NOON;
    for (int job = 0; job < 20; job++) {
      now = now.plus(Duration.ofHours(1));
      platform.decide(new ClusterEvent.JobFinished(now, JobId.of("j" + job)));
    }

    Instant next = now.plus(Duration.ofHours(1));
    assertThat(platform.whenStarts(JobId.of("j21"), now))
        .hasValueSatisfying(told -> assertThat(told.contains(next)).isTrue())
        .hasValueSatisfying(told -> assertThat(told.latest()).isBefore(next.plusSeconds(2)));
  }

  @Test
  void gangsThatSendMuchGetARackEach() {
    assertThat(KeepTrafficShort.decide(NOON))
        .extracting(decision -> ((Decision.Start) decision).placement().nodes().toString())
        .containsExactly("[rack-0a, rack-0b]", "[rack-1a, rack-1b]");
  }

  @Test
  void aJobOfSeveralSizesStartsWithWhatIsFree() {
    assertThat(StartSmaller.decide(NOON))
        .extracting(decision -> ((Decision.Start) decision).placement().gpus())
        .containsExactly(5);
  }

  @Test
  void aJobGetsLargerOnIdleGpusAndSmallerForAnother() {
    assertThat(GrowAndShrink.decide(NOON))
        .extracting(ExamplesTest::sizeText)
        .containsExactly(
            "train-7 starts with 4",
            "train-7 resizes to 8",
            "train-7 resizes to 4",
            "train-8 starts with 4");
  }

  private static String sizeText(Decision decision) {
    return switch (decision) {
      case Decision.Start start -> start.job() + " starts with " + start.placement().gpus();
      case Decision.Resize resize -> resize.job() + " resizes to " + resize.placement().gpus();
      default -> decision.toString();
    };
  }

  @Test
  void whatAJobLeavesOutIsEstimated() {
    ResourceRequest request = LeaveOutWhatAJobNeeds.fill().roles().get(0).request();

    assertThat(request.gpuMemory().orElseThrow()).isBetween(Memory.ofGib(4), Memory.ofGib(40));
    assertThat(request.cpu()).isPresent();
    assertThat(request.memory()).isPresent();
  }

  @Test
  void jobsShareAGpuWhereLittleIsLost() {
    assertThat(ShareGpus.decide(NOON))
        .hasSize(3)
        .allMatch(decision -> decision instanceof Decision.Start);
  }

  @Test
  void plansAreMadeInTheBackground() {
    try (PlanInTheBackground platform =
        new PlanInTheBackground(twoNodes(), Clock.fixed(NOON, ZoneOffset.UTC))) {
      platform.submit(JobSpec.builder("a").gpus(6).build()).join();
      platform.submit(JobSpec.builder("b").gpus(2).build()).join();

      assertThat(platform.decided())
          .extracting(decision -> decision.why().describe())
          .containsExactly(
              "the batch window of 2 jobs closed: it was full",
              "placed by batch plan 1",
              "placed by batch plan 1");
    }
  }

  @Test
  void aPendingJobSaysWhatItLacksAndWhatWouldHelp() {
    assertThat(WhyIsMyJobPending.explain().describe())
        .isEqualTo(
            """
            job 'train-7' waits:
              first in the queue; expected to start at 2026-01-01T14:05:00Z
              TOPOLOGY (all tasks in one rack): requested 20 GPUs, available 14 GPUs, closest fit rack 'r0' with 14 GPUs
              is tried again when capacity is released
              would fit if the required level is 'cluster'
              would fit with 14 GPUs (14 tasks)
              would fit when job nightly ends, expected at 2026-01-01T14:05:00Z\
            """);
  }

  @Test
  void anEmbeddedSchedulerStartsWaitsAndRejects() {
    List<String> log = new ArrayList<>();
    Clock clock = Clock.fixed(NOON, ZoneOffset.UTC);
    try (EmbedInYourScheduler platform =
        new EmbedInYourScheduler(oneNode(), clock, new Recorder(log))) {
      platform.submit(JobSpec.builder("first").gpus(6).build()).join();
      platform.submit(JobSpec.builder("second").gpus(4).build()).join();
      platform.submit(JobSpec.builder("huge").gpus(9).build()).join();
      platform.finished(JobId.of("first")).join();
      platform.finished(JobId.of("first")).join();
    }

    assertThat(log).containsExactly("start first", "reject huge", "start second");
  }

  @Test
  void aMistakeReachesTheCallerWhoMadeIt() {
    Clock clock = Clock.fixed(NOON, ZoneOffset.UTC);
    try (EmbedInYourScheduler platform =
        new EmbedInYourScheduler(oneNode(), clock, new Recorder(new ArrayList<>()))) {
      assertThatThrownBy(() -> platform.finished(JobId.of("nobody")).join())
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("nobody");
    }
  }

  @Test
  void aPlatformThatOwnsItsStatePlacesByItself() {
    OwnYourState platform = new OwnYourState(oneNode());

    assertThat(platform.submit(JobSpec.builder("first").gpus(6).build())).isEmpty();
    assertThat(platform.submit(JobSpec.builder("second").gpus(6).build()))
        .singleElement()
        .satisfies(unmet -> assertThat(unmet.constraint()).isEqualTo(Constraint.GPUS))
        .satisfies(unmet -> assertThat(unmet.available()).isEqualTo(2));
    platform.finished(JobId.of("first"));
    assertThat(platform.submit(JobSpec.builder("second").gpus(6).build())).isEmpty();
    platform.drain(NodeId.of("node-0"));
    assertThat(platform.submit(JobSpec.builder("third").gpus(1).build())).hasSize(1);
  }

  @Test
  void anOwnCostModelDecidesForJobsOfOneGpuToo() {
    LiveCluster cluster = LiveCluster.of(pricedNodes());
    JobSpec job = JobSpec.builder("one").gpus(1).build();

    assertThat(PayLeast.placer().place(cluster.view(), job))
        .hasValueSatisfying(place -> assertThat(place).hasToString("one: [worker/0 on spot[0]]"));
  }

  static String read(String file) throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("liquid-examples"))) {
      folder = Objects.requireNonNull(folder.getParent());
    }
    return Files.readString(folder.resolve(file));
  }

  private static ClusterTopology oneNode() {
    return ClusterTopology.builder()
        .node(Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build())
        .build();
  }

  private record Recorder(List<String> log) implements EmbedInYourScheduler.Launcher {
    @Override
    public void start(Decision.Start start) {
      log.add("start " + start.job());
    }

    @Override
    public void stop(JobId job) {
      log.add("stop " + job);
    }

    @Override
    public void reject(JobId job, String reason) {
      log.add("reject " + job);
    }
  }

  static String region(String example, String name) throws IOException {
    return regionOf(
        "liquid-examples/src/main/java/io/github/liquidscheduler/examples/" + example + ".java",
        name);
  }

  static String regionOf(String file, String name) throws IOException {
    String source = read(file);
    String start = "region=\"" + name + "\"\n";
    int from = source.indexOf(start) + start.length();
    int to = source.lastIndexOf("\n", source.indexOf("// @end", from));
    return source.substring(from, to).stripTrailing().stripIndent();
  }

  private static ClusterTopology pricedNodes() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    GpuModel model = GpuModel.of("A100");
    cluster.node(Node.builder("owned").gpus(1, model, Memory.ofGib(40)).build());
    cluster.node(
        Node.builder("spot").gpus(8, model, Memory.ofGib(40)).label("gpu-hour", "0.4").build());
    return cluster.build();
  }

  private static ClusterTopology twoNodes() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (String node : List.of("node-0", "node-1")) {
      cluster.node(Node.builder(node).gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build());
    }
    return cluster.build();
  }
}
