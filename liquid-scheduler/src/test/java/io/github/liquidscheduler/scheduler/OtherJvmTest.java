package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same events give the same decisions, in whichever JVM. */
@Tag("other-jvm")
class OtherJvmTest {

  private static final int STEPS = 800;

  @Test
  void anotherJvmDecidesTheSame() throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process other =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvmTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String here = digest();
    String there = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(other.waitFor()).isZero();
    assertThat(there).isEqualTo(here);
  }

  /** Prints the digest of all decisions in some random sequences. */
  public static void main(String[] arguments) {
    System.out.print(digest());
  }

  private static String digest() {
    MessageDigest digest = sha256();
    Random random = new Random(42);
    for (SchedulingPolicy policy : EventSequence.POLICIES) {
      BatchWindow window = BatchWindow.of(Duration.ofSeconds(5)).maxJobs(8);
      List<ClusterStep> steps = Stream.generate(() -> step(random)).limit(STEPS).toList();
      add(policy, Optional.empty(), steps, digest);
      add(policy, Optional.of(window), steps, digest);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(
      SchedulingPolicy policy,
      Optional<BatchWindow> window,
      List<ClusterStep> steps,
      MessageDigest digest) {
    EventSequence sequence =
        new EventSequence(Session.cluster(4, 4, 2, 3), policy, PreemptionRules.NONE, window, steps);
    for (Playback.Turn turn : sequence.play(sequence.options())) {
      digest.update(turn.decisions().toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static ClusterStep step(Random random) {
    ClusterStep.Kind[] kinds = ClusterStep.Kind.values();
    ClusterStep.Kind kind =
        random.nextBoolean() ? ClusterStep.Kind.SUBMIT : kinds[random.nextInt(kinds.length)];
    TaskRole role =
        new TaskRole(
            "worker", 1 + random.nextInt(3), ResourceRequest.ofGpus(1 + random.nextInt(2)));
    JobDraft job =
        new JobDraft(
            List.of(role),
            List.of(),
            0,
            new JobDraft.Constraints(TopologyConstraint.NONE, List.of(), false),
            random.nextInt(4),
            random.nextInt(5) > 0,
            random.nextInt(300),
            new Sharing.Exclusive(),
            QueueName.DEFAULT,
            30);
    return new ClusterStep(kind, random.nextInt(1000), random.nextInt(40), job);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
