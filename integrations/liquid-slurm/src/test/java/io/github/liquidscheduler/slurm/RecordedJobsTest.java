package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.reconcile.Observation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What versions of Slurm print reads to the same jobs and nodes. */
class RecordedJobsTest {
  private static final Instant NOW = Instant.parse("2026-11-30T15:45:10Z");
  private static final SlurmConfig CONFIG = SlurmConfig.of("batch");

  @ParameterizedTest
  @ValueSource(strings = {"24.11", "25.05"})
  void theDialectsReadToTheSame(String version) throws IOException {
    Observation expected = observe(new RecordedSlurm("22.05"));
    Observation seen = observe(new RecordedSlurm(version));
    assertThat(seen.jobs()).isEqualTo(expected.jobs());
    assertThat(seen.cluster()).isEqualTo(expected.cluster());
    assertThat(seen.conditions()).isEqualTo(expected.conditions());
  }

  @Test
  void blocksAreALevelAsSwitchesAre() throws IOException {
    RecordedSlurm slurm =
        new RecordedSlurm("24.11")
            .with("scontrol show topology", RecordedSlurm.text("24.11", "blocks.txt"));
    Observation seen = observe(slurm);

    assertThat(seen.cluster().levels()).containsExactly("cluster", "blocks-2", "block", "node");
    assertThat(seen.cluster().domainOf(NodeId.of("gpu3"), "block").orElseThrow().id().value())
        .isEqualTo("third");
    assertThat(seen.cluster().domainOf(NodeId.of("gpu1"), "blocks-2"))
        .isEqualTo(seen.cluster().domainOf(NodeId.of("gpu2"), "blocks-2"))
        .isNotEqualTo(seen.cluster().domainOf(NodeId.of("gpu3"), "blocks-2"));
    assertThat(spec(seen, "8").topology().required()).contains("block");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "3", "99999999"})
  void groupsOfBlocksThatDoNotFitAreNoLevel(String size) throws IOException {
    String blocks =
        RecordedSlurm.text("24.11", "blocks.txt").replace("BlockSize=2", "BlockSize=" + size);
    RecordedSlurm slurm = new RecordedSlurm("24.11").with("scontrol show topology", blocks);

    assertThat(observe(slurm).cluster().levels()).containsExactly("cluster", "block", "node");
  }

  @Test
  void nodesHaveGpusCoresMemoryFeaturesAndSwitches() throws IOException {
    Observation seen = observe(new RecordedSlurm("22.05"));
    assertThat(seen.epoch()).isEqualTo("2026-11-30T15:45:06");
    assertThat(seen.cluster().gpuCount()).isEqualTo(32);
    assertThat(seen.cluster().levels()).containsSequence("spine", "leaf");
    var node = seen.cluster().node(NodeId.of("gpu4"));
    assertThat(node.cpu()).isEqualTo(CpuCores.of(32));
    assertThat(node.memory()).isEqualTo(Memory.ofMib(64_000));
    assertThat(node.labels()).containsEntry("feature/fast", "yes").containsKey("partition/other");
    assertThat(node.domain().orElseThrow().value()).isEqualTo("right");
    assertThat(seen.conditions())
        .containsEntry(NodeId.of("gpu4"), NodeCondition.DRAINING)
        .containsEntry(NodeId.of("gpu1"), NodeCondition.UP);
  }

  @Test
  void aRunningJobHasWhatItHolds() throws IOException {
    ObservedJob job = job("1");
    assertThat(job.state())
        .isEqualTo(new ObservedState.Running(Instant.parse("2026-11-30T15:45:08Z")));
    assertThat(job.on()).containsExactly(NodeId.of("gpu1"), NodeId.of("gpu3"));
    JobSpec spec = spec("1");
    assertThat(spec.role("node").orElseThrow().request()).isEqualTo(request(4, 4, Memory.ofGib(8)));
    assertThat(spec.gpuModels()).containsExactly(GpuModel.of("a100"));
    assertThat(spec.expectedWork()).contains(ExpectedWork.ofDuration(Duration.ofSeconds(90)));
    assertThat(spec.isPreemptible()).isTrue();
  }

  @Test
  void gpusOfTheWholeJobFillANodeOrWholeNodes() throws IOException {
    assertThat(spec("2").tasks()).isEqualTo(1);
    assertThat(spec("2").gpus()).isEqualTo(4);
    assertThat(spec("2").expectedWork()).contains(ExpectedWork.ofDuration(Duration.ofMinutes(10)));
    assertThat(spec("3").tasks()).isEqualTo(2);
    assertThat(spec("3").gpus()).isEqualTo(16);
    assertThat(spec("3").topology().toString())
        .isEqualTo("required none, preferred leaf, at most 1 in one node");
  }

  @Test
  void eachTaskOfAnArrayIsAJobAndNotMoreWaitThanMayRun() throws IOException {
    assertThat(job("4_1").state()).isInstanceOf(ObservedState.Running.class);
    assertThat(job("4_0").state()).isEqualTo(new ObservedState.Held());
    assertThat(job("4_2").state())
        .isEqualTo(new ObservedState.NotYet("array 4 lets 2 tasks run at a time"));
    assertThat(spec("4_0").gpuModels()).containsExactly(GpuModel.of("a100"));
  }

  @Test
  void usersKeepBackTheirJobs() throws IOException {
    assertThat(job("5").state())
        .isEqualTo(new ObservedState.NotYet("depends on afterok:1(unfulfilled)"));
    assertThat(job("6").state()).isEqualTo(new ObservedState.NotYet("held by its user"));
    assertThat(spec("6").isPreemptible()).isFalse();
    assertThat(job("7").state())
        .isEqualTo(new ObservedState.NotYet("begins at 2039-01-01T00:00:00Z at the earliest"));
  }

  @Test
  void aJobAloneOnItsNodeHasAllOfIt() throws IOException {
    assertThat(spec("7").role("node").orElseThrow().request())
        .isEqualTo(request(8, 32, Memory.ofMib(64_000)));
  }

  @Test
  void nodesThatAreRequiredOrExcludedAreExcludedOrNot() throws IOException {
    assertThat(spec("8").excludedNodes()).containsExactly("gpu1", "gpu4");
    assertThat(spec("8").topology().required()).contains("leaf");
    assertThat(spec("9").excludedNodes()).containsExactly("gpu1");
  }

  @Test
  void gpusAndCoresOfTasksAndGpusAreThoseOfTheNode() throws IOException {
    assertThat(spec("9").gpus()).isEqualTo(4);
    assertThat(spec("10").role("node").orElseThrow().request())
        .isEqualTo(request(2, 8, Memory.ofGib(20)));
    assertThat(spec("10").nodeLabels()).containsEntry("feature/fast", "yes");
    assertThat(spec("12").role("node").orElseThrow().request().gpus()).isEqualTo(4);
    assertThat(spec("12").tasks()).isEqualTo(2);
  }

  @Test
  void whatIsNotSupportedIsRefusedByName() throws IOException {
    assertThat(job("11").request())
        .isEqualTo(
            new ObservedRequest.Unsupported(
                "--deadline is not supported. Use --time, and a queue or priority"));
  }

  @Test
  void jobsOutsideThePartitionsAreNotOwned() throws IOException {
    assertThat(job("13").isOwned()).isFalse();
    assertThat(spec("13").nodeLabels()).containsEntry("partition/other", "yes");
    assertThat(job("12").isOwned()).isTrue();
  }

  @Test
  void endedJobsHoldNothing() throws IOException {
    assertThat(job("14").state()).isEqualTo(new ObservedState.Ended(Outcome.FINISHED));
    assertThat(job("14").on()).isEmpty();
    assertThat(job("15").state()).isEqualTo(new ObservedState.Ended(Outcome.CANCELLED));
  }

  @Test
  void detailsAreReadOnlyForJobsThatAreNewOrChangedAndWhenTheyAreOld() throws IOException {
    RecordedSlurm slurm = new RecordedSlurm("22.05");
    AtomicLong stopwatch = new AtomicLong();
    SlurmPort port = port(slurm, stopwatch);
    port.observe();
    port.observe();
    assertThat(readings(slurm)).isEqualTo(1);
    String lines = RecordedSlurm.text("22.05", "squeue.txt");
    slurm.with("squeue -h", lines.replace("UNLIMITED|gpu[2-3]|1", "1:00:00|gpu[2-3]|1"));
    port.observe();
    assertThat(readings(slurm)).as("its time limit is in the text").isEqualTo(1);
    slurm.with("squeue -h", lines.replace("|50|", "|60|"));
    port.observe();
    assertThat(readings(slurm)).as("its niceness changed").isEqualTo(2);
    stopwatch.set(Duration.ofMinutes(6).toNanos());
    port.observe();
    assertThat(readings(slurm)).as("they are old").isEqualTo(3);
  }

  @Test
  void aPartOfTheClusterIsNeverBelieved() {
    String nothing =
        "{\"errors\":[{\"error\":\"Unspecified error\",\"errno\":-1}],\"nodes\":[],\"jobs\":[]}";
    for (String command : List.of("sinfo --json", "squeue -a")) {
      assertThatThrownBy(() -> observe(new RecordedSlurm("22.05").with(command, nothing)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("states errors: Unspecified error");
    }
    assertThatThrownBy(
            () -> observe(new RecordedSlurm("22.05").with("sinfo --json", "{\"nodes\":[]}")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shows none");
    for (String broken : List.of("", "[]", "{", "{\"nodes\":[{", "{\"nodes\":3}", "{\"a\":1}")) {
      assertThatThrownBy(() -> observe(new RecordedSlurm("22.05").with("sinfo --json", broken)))
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> observe(new RecordedSlurm("22.05").with("squeue -h", "1|2|3|\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("columns");
  }

  @Test
  void aControllerThatWasRestartedSinceTheLastLookIsBelievedAtTheNextOne() throws IOException {
    RecordedSlurm slurm = new RecordedSlurm("22.05");
    String config = RecordedSlurm.text("22.05", "config.txt");
    SlurmPort port = port(slurm, new AtomicLong());
    String before = port.observe().epoch();
    slurm.with("scontrol show config", config.replace("15:45:06", "15:45:09"));
    assertThatThrownBy(port::observe)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("restarted");
    assertThat(port.observe().epoch()).isNotEqualTo(before);
  }

  @Test
  void aControllerThatIsRestartedDuringTheFirstLookIsNotBelieved() {
    RecordedSlurm slurm = new RecordedSlurm("22.05");
    String config = RecordedSlurm.text("22.05", "config.txt");
    CommandRunner restarting =
        (command, input) -> {
          if (command.contains("squeue")) {
            slurm.with("scontrol show config", config.replace("15:45:06", "15:45:09"));
          }
          return slurm.run(command);
        };
    SlurmPort port = new SlurmPort(CONFIG, restarting, InstantSource.fixed(NOW), () -> 0);
    assertThatThrownBy(port::observe)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("restarted");
  }

  private static long readings(RecordedSlurm slurm) {
    return slurm.asked().stream().filter(words -> words.startsWith("squeue -a")).count();
  }

  private static Observation observe(RecordedSlurm slurm) throws IOException {
    return port(slurm, new AtomicLong()).observe();
  }

  private static SlurmPort port(RecordedSlurm slurm, AtomicLong stopwatch) {
    return new SlurmPort(CONFIG, slurm, InstantSource.fixed(NOW), stopwatch::get);
  }

  private static JobSpec spec(Observation seen, String id) {
    return ((ObservedRequest.Understood) job(seen, id).request()).spec();
  }

  private static ObservedJob job(String id) throws IOException {
    return job(observe(new RecordedSlurm("22.05")), id);
  }

  private static ObservedJob job(Observation seen, String id) {
    return seen.jobs().stream()
        .filter(job -> job.id().value().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static JobSpec spec(String id) throws IOException {
    return ((ObservedRequest.Understood) job(id).request()).spec();
  }

  private static ResourceRequest request(int gpus, int cores, Memory memory) {
    return ResourceRequest.builder().gpus(gpus).cpu(CpuCores.of(cores)).memory(memory).build();
  }
}
