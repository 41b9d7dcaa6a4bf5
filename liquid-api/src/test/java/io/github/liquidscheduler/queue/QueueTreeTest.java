package io.github.liquidscheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueTreeTest {

  private static final QueueTree LAB =
      QueueTree.of(
          QueueSpec.named("vision").in("lab").withGpus(16),
          QueueSpec.named("speech").in("lab").withGpus(8),
          QueueSpec.named("lab"),
          QueueSpec.named("guests")
              .with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(4)));

  @Test
  void jobsStandInLeavesOnly() {
    assertThat(LAB.isLeaf(QueueName.of("vision"))).isTrue();
    assertThat(LAB.isLeaf(QueueName.of("guests"))).isTrue();
    assertThat(LAB.isLeaf(QueueName.of("lab"))).isFalse();
    assertThat(LAB.isLeaf(QueueName.of("nobody"))).isFalse();
  }

  @Test
  void siblingsStandAsTheyWereNamed() {
    assertThat(LAB.roots())
        .extracting(QueueSpec::name)
        .extracting(QueueName::value)
        .containsExactly("lab", "guests");
    assertThat(LAB.children(QueueName.of("lab")))
        .extracting(queue -> queue.name().value())
        .containsExactly("vision", "speech");
  }

  @Test
  void aQueueWithoutAQuotaIsGuaranteedWhatItsChildrenAre() {
    QueueSpec lab = LAB.find(QueueName.of("lab")).orElseThrow();

    assertThat(LAB.quota(lab, QuotaResource.GPUS)).isEqualTo(QueueQuota.guaranteed(24));
    assertThat(LAB.quota(lab, QuotaResource.CPU)).isEqualTo(QueueQuota.BEST_EFFORT);
  }

  @Test
  void resourcesAreThoseThatAnyQueueCounts() {
    QuotaResource a100 = QuotaResource.gpus(GpuModel.of("A100"));
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("a").with(a100, QueueQuota.guaranteed(4)),
            QueueSpec.named("b").with(QuotaResource.MEMORY, QueueQuota.UNLIMITED).withGpus(2));

    assertThat(tree.resources()).containsExactly(QuotaResource.GPUS, a100, QuotaResource.MEMORY);
    assertThat(a100).hasToString("GPUs of model A100");
  }

  @Test
  void amountsAreCountedInThousandthsOrBytes() {
    assertThat(QuotaResource.GPUS.smallest(1.5)).isEqualTo(1500);
    assertThat(QuotaResource.CPU.smallest(0.25)).isEqualTo(250);
    assertThat(QuotaResource.MEMORY.smallest(7)).isEqualTo(7);
    assertThat(QuotaResource.GPUS.smallest(Double.POSITIVE_INFINITY)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatWasUsedOfLateCountsOnlyWhereSharesAreComputed() {
    DecayedUsage day = DecayedUsage.ofHalfLife(Duration.ofDays(1));

    assertThat(LAB.decayedUsage()).isEmpty();
    assertThat(LAB.withDecayedUsage(day).with(Reclaiming.NEVER).decayedUsage()).contains(day);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LAB.withDecayedUsage(day).with(Reclaiming.LENT_QUOTA))
        .withMessage(
            "what queues have used of late counts where shares are computed, but reclaiming is"
                + " LENT_QUOTA");
  }

  @Test
  void aHistoryWithoutAHalfLifeOrSensitivityIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DecayedUsage.ofHalfLife(Duration.ofMillis(999)))
        .withMessage(
            "the half-life of what queues have used must be at least a second, but was PT0.999S");
    for (double sensitivity : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new DecayedUsage(Duration.ofDays(1), sensitivity))
          .withMessageContaining("must be above 0 and finite, but was " + sensitivity);
    }
  }

  @Test
  void twoQueuesOfOneNameAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueTree.of(QueueSpec.named("a"), QueueSpec.named("a")))
        .withMessage("there are two queues 'a'");
  }

  @Test
  void aMissingParentIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueTree.of(QueueSpec.named("a").in("b")))
        .withMessage(
            "the parent of a queue must be a queue, but that of 'a' is 'b', which is none");
  }

  @Test
  void aQueueThatIsAPartOfItselfIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueTree.of(QueueSpec.named("a").in("b"), QueueSpec.named("b").in("a")))
        .withMessage("a queue must not be a part of itself, but is 'a' in 'b' in 'a'");
  }

  @Test
  void theRingIsNamedWithoutThoseThatHangOnIt() {
    List<QueueSpec> queues = new ArrayList<>(List.of(QueueSpec.named("leaf").in("q0")));
    for (int i = 0; i < 30; i++) {
      queues.add(QueueSpec.named("q" + i).in("q" + (i + 1) % 30));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueTree.of(queues))
        .withMessageStartingWith("a queue must not be a part of itself, but is 'q0' in 'q1' in ")
        .withMessageEndingWith(" in 'q19' in ... in 'q0'");
  }

  @Test
  void queuesAreAtMostAHundredDeep() {
    List<QueueSpec> queues = new ArrayList<>(List.of(QueueSpec.named("q0")));
    for (int i = 1; i < QueueTree.MAX_DEPTH; i++) {
      queues.add(QueueSpec.named("q" + i).in("q" + (i - 1)));
    }
    assertThat(QueueTree.of(queues).queues()).hasSize(100);
    for (int i = 100; i < 10_000; i++) {
      queues.add(QueueSpec.named("q" + i).in("q" + (i - 1)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueTree.of(queues))
        .withMessage("queues must be at most 100 deep, but 'q100' is 101 deep");
  }

  @Test
  void quotasThatAreNoAmountsAreRefused() {
    QueueQuota quota = QueueQuota.guaranteed(4);
    for (double bad : List.of(-1.0, Double.NaN)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> QueueQuota.guaranteed(bad))
          .withMessage("a guaranteed quota must be at least 0, but was " + bad);
      assertThatIllegalArgumentException().isThrownBy(() -> quota.withLendingLimit(bad));
      assertThatIllegalArgumentException().isThrownBy(() -> quota.withWeight(bad));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> quota.withWeight(Double.POSITIVE_INFINITY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> quota.withLimit(3))
        .withMessage("a limit must be at least what is guaranteed, 4.0, but was 3.0");
  }

  @Test
  void onlyGpusHaveAModel() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new QuotaResource(
                    QuotaResource.Kind.CPU, QuotaResource.gpus(GpuModel.of("T4")).model()))
        .withMessage("only GPUs have a model, but CPU was given 'T4'");
  }

  @Test
  void noTwoJobsOfAQueueMayStopEachOther() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueuePreemption.DEFAULT.withOwn(Victims.ANY))
        .withMessage(
            "jobs of a queue must be stopped for others of it by priority or age, but were by ANY");
  }
}
