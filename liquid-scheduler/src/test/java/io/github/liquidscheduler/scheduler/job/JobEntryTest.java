package io.github.liquidscheduler.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.speed.Pace;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobEntryTest {

  private static final Instant START = Instant.ofEpochSecond(100);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void thePaceOfAnElasticJobFollowsItsFirstRole() {
    JobEntry job = Entries.waiting(elastic(), 0);
    assertThat(job.speed().pace(job)).isEqualTo(Pace.PREFERRED);

    new JobTransition(job, START).start(workersAndServer(2));
    assertThat(job.speed().pace(job)).isEqualTo(new Pace(2, 4, 1, 1));
    assertThat(job.expectedEnd(START)).contains(START.plus(HOUR.multipliedBy(2)));
    new JobTransition(job, START).move(workersAndServer(8), List.of());
    assertThat(job.speed().pace(job)).isEqualTo(new Pace(8, 4, 1, 1));
    assertThat(job.expectedEnd(START)).contains(START.plus(HOUR.dividedBy(2)));
  }

  @Test
  void workOfAnElasticJobIsSavedBesideItsRunTime() {
    JobEntry job = Entries.waiting(elastic(), 0);
    new JobTransition(job, START).start(workersAndServer(2));
    new JobTransition(job, START.plus(HOUR)).stop(true);

    assertThat(job.save().values())
        .containsEntry("executed", "PT1H")
        .containsEntry("worked", "PT30M")
        .containsEntry("attained", "PT2H");
    assertThat(job.save().read(JobEntry::load).save()).isEqualTo(job.save());
  }

  @Test
  void workOfARigidJobIsNotSavedTwice() {
    JobEntry job = Entries.waiting(JobSpec.builder("j").gpus(2), 0);
    new JobTransition(job, START).start(Entries.on("j", "n0", 0, 1));
    new JobTransition(job, START.plus(HOUR)).stop(true);

    assertThat(job.save().values()).containsEntry("executed", "PT1H").doesNotContainKey("worked");
    assertThat(job.save().read(JobEntry::load).save()).isEqualTo(job.save());
  }

  @Test
  void overlongRunTimesAreRejected() {
    SnapshotSection saved = Entries.waiting(JobSpec.builder("j").gpus(1), 0).save();

    assertThat(with(saved, GpuTime.MOST).read(JobEntry::load).history().hasRun()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with(saved, GpuTime.MOST.plusNanos(1)).read(JobEntry::load));
  }

  @Test
  void anUncountedRunLeavesNoTrace() {
    JobEntry job = Entries.waiting(JobSpec.builder("j").gpus(2), 0);
    new JobTransition(job, START).start(Entries.on("j", "n0", 0, 1));
    new JobTransition(job, START.plus(HOUR)).stop(false);

    assertThat(job.history().hasRun()).isFalse();
    assertThat(job.at(START.plus(HOUR)).executed()).isZero();
    assertThat(job.since()).isEqualTo(START.plus(HOUR));
  }

  @Test
  void reportedRemainingTimeFallsOnlyWhileTheJobRuns() {
    JobEntry job = Entries.waiting(JobSpec.builder("j").gpus(1), 0);
    new JobTransition(job, START).start(Entries.on("j", "n0", 0));
    new JobTransition(job, START.plusSeconds(10)).progress(Progress.of(0, 0).withRemaining(HOUR));
    assertThat(job.at(START.plusSeconds(70)).remaining()).contains(HOUR.minusSeconds(60));
    assertThat(job.expectedEnd(START.plusSeconds(70))).contains(START.plusSeconds(10).plus(HOUR));

    new JobTransition(job, START.plusSeconds(70)).stop(true);

    assertThat(job.at(START.plusSeconds(900)).remaining()).contains(HOUR.minusSeconds(60));
    new JobTransition(job, START.plusSeconds(900)).start(Entries.on("j", "n0", 0));
    assertThat(job.at(START.plusSeconds(930)).remaining()).contains(HOUR.minusSeconds(90));
  }

  @Test
  void aJobThatEndsAfterTheLastEventHasNoExpectedEnd() {
    Duration left = Duration.between(START, GpuTime.LATEST);

    assertThat(running(left).expectedEnd(START)).contains(GpuTime.LATEST);
    assertThat(running(left.plusNanos(1)).expectedEnd(START)).isEmpty();
    assertThat(running(Duration.ofSeconds(Long.MAX_VALUE)).expectedEnd(START)).isEmpty();
  }

  @Test
  void heldNodesFollowTheRequestedTopology() {
    JobEntry job = running(HOUR);
    ClusterTopology one = ClusterTopology.builder().node(node("n0")).build();
    ClusterTopology two = ClusterTopology.builder().node(node("a")).node(node("n0")).build();

    assertThat(job.nodes(one).isIn(one)).isTrue();
    assertThat(job.nodes(one)).isSameAs(job.nodes(one));
    assertThat(job.nodes(two).isIn(two)).isTrue();
  }

  @Test
  void jobsOfOneQueueAreRecognized() {
    JobQueue queue = new JobQueue(QueueName.of("one"), null);
    JobQueue another = new JobQueue(QueueName.of("another"), null);
    List<JobEntry> jobs = Stream.of(0, 1, 2).map(sequence -> Entries.ranked(sequence, 0)).toList();
    jobs.get(0).enter(queue);
    jobs.get(1).enter(queue);
    jobs.get(2).enter(another);

    assertThat(jobs.get(0).queue()).isEqualTo(jobs.get(1).queue());
    assertThat(jobs.get(0).queue()).isNotEqualTo(jobs.get(2).queue());
  }

  private static JobEntry running(Duration expected) {
    JobEntry job =
        Entries.waiting(
            JobSpec.builder("j").gpus(1).expectedWork(ExpectedWork.ofDuration(expected)), 0);
    new JobTransition(job, START).start(Entries.on("j", "n0", 0));
    return job;
  }

  /** Returns a job of 2 to 8 workers, better 4, and a server, that takes an hour with 4. */
  private static JobSpec.Builder elastic() {
    return JobSpec.builder("j")
        .role("worker", 4, ResourceRequest.ofGpus(1))
        .role("server", 1, ResourceRequest.builder().cpu(CpuCores.of(1)).build())
        .parallelism(Parallelism.between(2, 4, 8))
        .expectedWork(ExpectedWork.ofDuration(HOUR));
  }

  private static Placement workersAndServer(int workers) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (int gpu = 0; gpu < workers; gpu++) {
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", gpu), NodeId.of("n0"), List.of(gpu), ResourceRequest.ofGpus(1)));
    }
    tasks.add(
        new TaskPlacement(
            new TaskId("server", 0),
            NodeId.of("n0"),
            List.of(),
            ResourceRequest.builder().cpu(CpuCores.of(1)).build()));
    return new Placement(JobId.of("j"), tasks);
  }

  private static SnapshotSection with(SnapshotSection saved, Duration executed) {
    Map<String, Object> values = new LinkedHashMap<>(saved.values());
    values.put("executed", executed.toString());
    return new SnapshotSection(values);
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
