package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceRequestTest {

  @Test
  void whatIsNotStatedIsLeftOpen() {
    ResourceRequest request = ResourceRequest.ofGpus(2);

    assertThat(request.gpuMemory()).isEmpty();
    assertThat(request.cpu()).isEmpty();
    assertThat(request.memory()).isEmpty();
    assertThat(request.share()).isEmpty();
  }

  @Test
  void aShareIsOfOneGpu() {
    ResourceRequest request = ResourceRequest.builder().share(GpuShare.ofPercent(25)).build();

    assertThat(request.gpus()).isEqualTo(1);
    assertThat(request.share()).contains(GpuShare.ofPercent(25));
  }

  @Test
  void aWholeShareIsAGpu() {
    assertThat(ResourceRequest.builder().share(GpuShare.WHOLE).build())
        .isEqualTo(ResourceRequest.ofGpus(1));
  }

  @Test
  void theLastOfGpusAndShareCounts() {
    ResourceRequest.Builder request =
        ResourceRequest.builder().share(GpuShare.ofPercent(25)).gpus(4);

    assertThat(request.build()).isEqualTo(ResourceRequest.ofGpus(4));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1025})
  void aTaskCannotAskForMoreThanANodeCanHaveOrLessThanNone(int gpus) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceRequest.ofGpus(gpus))
        .withMessage("a task's gpus must be from 0 to 1024, but was " + gpus);
  }

  @Test
  void onlyWhatIsStatedIsShown() {
    assertThat(ResourceRequest.ofGpus(1)).hasToString("1 GPU");
    assertThat(ResourceRequest.builder().share(GpuShare.ofPercent(50)).build())
        .hasToString("50 % of a GPU");
    assertThat(
            ResourceRequest.builder()
                .gpus(2)
                .gpuMemory(Memory.ofGib(16))
                .cpu(CpuCores.of(8))
                .memory(Memory.ofGib(64))
                .build())
        .hasToString("2 GPUs, 16 GiB GPU memory, 8 cores, 64 GiB memory");
  }
}
