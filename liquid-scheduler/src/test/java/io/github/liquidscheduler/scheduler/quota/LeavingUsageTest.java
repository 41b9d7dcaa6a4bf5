package io.github.liquidscheduler.scheduler.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeavingUsageTest {

  private static final Charge NOTHING = new Charge(new long[1]);

  private static final QueueSpec LAB =
      QueueSpec.named("lab").with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(4));

  private final QueueAccount queue =
      new QueueBooks(QueueTree.of(LAB), Instant.EPOCH).leaves().getFirst();

  private LeavingUsage.Change leaving(String job, long amount) {
    return new LeavingUsage.Change(
        JobId.of(job), queue, new Charge(new long[] {amount}), NOTHING, List.of(), Instant.EPOCH);
  }

  private LeavingUsage.Change coming(String job, long amount, String... after) {
    return new LeavingUsage.Change(
        JobId.of(job),
        queue,
        NOTHING,
        new Charge(new long[] {amount}),
        Stream.of(after).map(JobId::of).toList(),
        Instant.EPOCH);
  }

  private long beyond(List<LeavingUsage.Change> changes) {
    return new LeavingUsage(changes).beyond(queue).of(0);
  }

  /** Three GPUs of a and one of b leave; who waits for both leaves a to the one who waits for a. */
  @Test
  void theOrderOfTheJobsDoesNotMatter() {
    List<LeavingUsage.Change> changes =
        List.of(
            leaving("a", 3), leaving("b", 1), coming("1", 1, "a", "b"), coming("3", 3, "a", "c"));

    assertThat(beyond(changes)).isZero();
    assertThat(beyond(changes.reversed())).isZero();
  }

  @Test
  void whatNobodyWaitsForCountsBesideThoseWhoCome() {
    assertThat(beyond(List.of(leaving("a", 3), leaving("b", 1), coming("w", 4, "a")))).isOne();
  }

  /** The last one would never leave. */
  @Test
  void aJobDoesNotWaitForOneThatWaitsForItThroughAnother() {
    LeavingUsage.Change asking = coming("asking", 3000);
    LeavingUsage.Change next = coming("next", 1000, "asking");
    Charge promised = new Charge(new long[] {3000});

    assertThat(new LeavingUsage(List.of(last("next"), next)).jobsToAwait(asking, promised))
        .isEmpty();
    assertThat(new LeavingUsage(List.of(last(), next)).jobsToAwait(asking, promised))
        .containsExactly(JobId.of("last"));
  }

  /** Returns a job that leaves two GPUs for one. */
  private LeavingUsage.Change last(String... after) {
    LeavingUsage.Change coming = coming("last", 1000, after);
    return new LeavingUsage.Change(
        coming.job(),
        queue,
        new Charge(new long[] {2000}),
        coming.coming(),
        coming.after(),
        Instant.EPOCH);
  }
}
