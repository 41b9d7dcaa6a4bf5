package io.github.liquidscheduler.scheduler.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import org.junit.jupiter.api.Test;

class UnmetConstraintsTest {

  /** Thousandths of GPUs are counted. */
  @Test
  void aPartOfAGpuThatAQuotaForbidsIsSaidToBeOne() {
    QuotaExcess part = new QuotaExcess(QueueName.of("q"), QuotaResource.GPUS, false, 1500, 999);

    assertThat(UnmetConstraints.of(part))
        .returns(2L, UnmetConstraint::requested)
        .returns(0L, UnmetConstraint::available);
  }
}
