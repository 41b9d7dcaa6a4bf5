package io.github.liquidscheduler.lab.conformance.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.quota.DominantShare;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DominantSharesTest {

  private static final QuotaResource A100 = QuotaResource.gpus(GpuModel.of("A100"));
  private static final QuotaResource H100 = QuotaResource.gpus(GpuModel.of("H100"));

  private static QueueSpec inLab(String name, QueueQuota quota) {
    return QueueSpec.named(name).in("lab").with(QuotaResource.GPUS, quota);
  }

  private static QueueQuota guaranteed(double gpus) {
    return QueueQuota.guaranteed(gpus);
  }

  private static DominantShare share(QueueTree tree, String queue, double gpus) {
    return shareOf(tree, queue, Map.of(QuotaResource.GPUS, gpus));
  }

  private static DominantShare shareOf(
      QueueTree tree, String queue, Map<QuotaResource, Double> held) {
    return new DominantShares(tree, Map.of(QueueName.of(queue), held)).of(QueueName.of(queue));
  }

  @Test
  void usageWithinTheOwnQuotaIsNotBorrowed() {
    QueueTree tree =
        QueueTree.of(QueueSpec.named("lab"), inLab("a", guaranteed(4)), inLab("b", guaranteed(4)));

    assertThat(share(tree, "a", 4).isBorrowing()).isFalse();
    assertThat(share(tree, "a", 4).thousandths()).isZero();
  }

  @Test
  void theShareIsBorrowedOverLendableOverWeight() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("lab"),
            inLab("a", guaranteed(5).withWeight(2)),
            inLab("b", guaranteed(5)));

    DominantShare share = share(tree, "a", 7);

    assertThat(share.resource()).contains(QuotaResource.Kind.GPU);
    assertThat(share.thousandths()).isEqualTo(100);
  }

  @Test
  void aBorrowerOfWeightZeroIsAboveAllOthers() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("lab"),
            inLab("a", guaranteed(1).withWeight(0)),
            inLab("b", guaranteed(9)));

    assertThat(share(tree, "a", 1).thousandths()).isZero();
    assertThat(share(tree, "a", 2).thousandths()).isInfinite();
  }

  @Test
  void unlendableQuotaIsNotLendable() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("lab"),
            inLab("a", guaranteed(2)),
            inLab("b", guaranteed(10).withLendingLimit(8)));

    assertThat(share(tree, "a", 7).thousandths()).isEqualTo(500);
  }

  @Test
  void usageOfUnlendableQuotaIsHiddenFromTheParent() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("all").withGpus(20),
            QueueSpec.named("lab").in("all"),
            inLab("a", guaranteed(4).withLendingLimit(0)));
    Map<QuotaResource, Double> held = Map.of(QuotaResource.GPUS, 6.0);
    DominantShares shares = new DominantShares(tree, Map.of(QueueName.of("a"), held));

    assertThat(shares.of(QueueName.of("a")).borrowed()).isEqualTo(2);
    assertThat(shares.of(QueueName.of("lab")).borrowed()).isEqualTo(2);
    assertThat(shares.of(QueueName.of("lab")).lendable()).isEqualTo(16);
    assertThat(shares.of(QueueName.of("all")).isBorrowing()).isFalse();
  }

  @Test
  void aParentsLimitBoundsTheLoansOfItsChildren() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("all").withGpus(50),
            QueueSpec.named("lab").in("all").with(QuotaResource.GPUS, guaranteed(0).withLimit(10)),
            inLab("a", guaranteed(0)));

    assertThat(share(tree, "a", 10).thousandths()).isEqualTo(1000);
  }

  @Test
  void gpusOfSeveralModelsAreAddedUp() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("lab"),
            QueueSpec.named("a").in("lab").with(A100, guaranteed(2)).with(H100, guaranteed(2)),
            QueueSpec.named("b").in("lab").with(A100, guaranteed(8)).with(H100, guaranteed(8)));

    assertThat(shareOf(tree, "a", Map.of(A100, 4.0, H100, 1.0)).thousandths()).isEqualTo(100);
  }

  @Test
  void theDominantResourceIsTheMostBorrowedOne() {
    QueueTree tree =
        QueueTree.of(
            QueueSpec.named("lab"),
            inLab("a", guaranteed(5)).with(QuotaResource.CPU, guaranteed(2)),
            inLab("b", guaranteed(5)).with(QuotaResource.CPU, guaranteed(8)));

    assertThat(
            shareOf(tree, "a", Map.of(QuotaResource.GPUS, 6.0, QuotaResource.CPU, 5.0)).resource())
        .isEqualTo(Optional.of(QuotaResource.Kind.CPU));
  }

  @Test
  void onlyLeavesHoldSomething() {
    QueueTree tree = QueueTree.of(QueueSpec.named("lab"), inLab("a", guaranteed(5)));

    assertThatThrownBy(() -> share(tree, "lab", 1))
        .hasMessage("jobs must stand in a queue that has no parts, but 'lab' is none");
    assertThatThrownBy(() -> share(tree, "a", Double.NaN))
        .hasMessage("what queue 'a' holds of GPUs must be finite and at least 0, but was NaN");
  }
}
