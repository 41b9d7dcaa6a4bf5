package io.github.liquidscheduler.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CounterfactualTest {

  private static final QueueName QUEUE = QueueName.of("a");

  @Test
  void oneOfAnythingIsSaidInTheSingular() {
    assertThat(new Counterfactual.FewerTasks(1, 1).describe())
        .isEqualTo("would fit with 1 GPU (1 task)");
    assertThat(within(QuotaResource.GPUS, 1)).contains("at most 1 GPU (limit");
    assertThat(within(QuotaResource.CPU, 1)).contains("at most 1 CPU core (limit");
    assertThat(within(QuotaResource.gpus(GpuModel.of("A100")), 1))
        .contains("at most 1 GPU of model A100 (limit");
  }

  @Test
  void moreAndPartsAreSaidInThePlural() {
    assertThat(within(QuotaResource.GPUS, 2)).contains("at most 2 GPUs (limit");
    assertThat(within(QuotaResource.CPU, 1.5)).contains("at most 1.5 CPU cores (limit");
  }

  @Test
  void whatIsBorrowedIsCountedInItsUnit() {
    Counterfactual.GivenBack back = new Counterfactual.GivenBack(QUEUE, QuotaResource.GPUS, 1, 1);

    assertThat(
            new Counterfactual.AfterGivingBack(
                    List.of(back), List.of(JobId.of("j")), Optional.empty())
                .describe())
        .contains("gave back 1 of the 1 GPU that it borrows");
  }

  private static String within(QuotaResource resource, double most) {
    return new Counterfactual.WithinQuotas(QUEUE, resource, false, most).describe();
  }
}
